/** The instant at which a day (`YYYY-MM-DD`) begins in UTC, or null. A browser’s field also takes days whose year has more digits. */
export function startOfDay(date: string): string | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date)) ? `${date}T00:00:00.000Z` : null;
}

/** What is wrong with a day that may be left out. */
export function dayComplaint(date: string): string | undefined {
  return date !== '' && startOfDay(date) === null ? 'Enter a day whose year has four digits.' : undefined;
}

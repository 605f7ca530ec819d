const dayMs = 86_400_000;
const digits = Array.from({ length: 1_000 }, (_, value) => String(value));
const two = digits.slice(0, 100).map((value) => value.padStart(2, '0'));
const three = digits.map((value) => value.padStart(3, '0'));
let lastDay = Number.NaN;
let lastDate = '';

/**
 * Milliseconds since 1970 as RFC 3339 in UTC: what `toISOString` gives, which takes a tenth of a whole page of records. Records in feed
 * order are mostly of one day, so the date is kept.
 */
export function formatInstant(milliseconds: number): string {
  const day = Math.floor(milliseconds / dayMs);
  if (day !== lastDay) {
    lastDate = new Date(day * dayMs).toISOString().slice(0, -13);
    lastDay = day;
  }
  const rest = milliseconds - day * dayMs;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${lastDate}${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[rest % 1000]}Z`;
}

/** In which zone exact times are shown: the reader’s own, or UTC. */
export type Zone = 'local' | 'utc';

const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' } as const;
const day = { day: 'numeric', month: 'short' } as const;

/**
 * The time to the millisecond, such as "09:14:07.112", and before it the day unless it is today: "22 Nov, 09:14:07.112". `localZone` is the
 * reader’s, by default the browser’s.
 */
export function exactWords(at: Date, now: Date, zone: Zone, localZone?: string): string {
  const timeZone = zone === 'utc' ? 'UTC' : localZone;
  const dayOf = formatter({ ...day, year: 'numeric', timeZone });
  const words = formatter({ ...time, timeZone }).format(at);
  return dayOf.format(at) === dayOf.format(now) ? words : `${formatter({ ...day, timeZone }).format(at)}, ${words}`;
}

/** The name of the zone that exact times are in. */
export function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than all that a table formats with it. */
function formatter(options: Intl.DateTimeFormatOptions & { timeZone: string | undefined }): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat('en-GB', options);
  formatters.set(key, known);
  return known;
}

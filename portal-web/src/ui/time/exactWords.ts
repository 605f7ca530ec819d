/** In which zone exact times are shown: the reader’s own, or UTC. */
export type Zone = 'local' | 'utc';

const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' } as const;
const day = { day: 'numeric', month: 'short' } as const;

/**
 * The time to the millisecond, such as "09:14:07.112", and before it the day unless it is today: "22 Nov, 09:14:07.112". `localZone` is the
 * reader’s, by default the browser’s.
 */
export function exactWords(at: Date, now: Date, zone: Zone, localZone?: string): string {
  const formats = formatsOf(zone === 'utc' ? 'UTC' : localZone);
  const words = formats.time.format(at);
  return formats.dayAndYear.format(at) === formats.dayAndYear.format(now) ? words : `${formats.day.format(at)}, ${words}`;
}

/** The name of the zone that exact times are in. */
export function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : formatsOf(undefined).zone;
}

type Formats = Readonly<Record<'time' | 'day' | 'dayAndYear', Intl.DateTimeFormat>> & { readonly zone: string };

const known = new Map<string | undefined, Formats>();

/** Making them takes longer than all that a table formats with them. */
function formatsOf(timeZone: string | undefined): Formats {
  const formats = known.get(timeZone) ?? createFormats(timeZone);
  known.set(timeZone, formats);
  return formats;
}

function createFormats(timeZone: string | undefined): Formats {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  const formats = { time: format(time), day: format(day), dayAndYear: format({ ...day, year: 'numeric' }) };
  return { ...formats, zone: formats.day.resolvedOptions().timeZone };
}

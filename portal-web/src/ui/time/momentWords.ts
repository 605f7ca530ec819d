/** In which zone times are shown: the reader’s own, or UTC. */
export type Zone = 'local' | 'utc';

/**
 * The words for moments in one zone. They are made in this file alone, so that one switch changes every time on a page. `localZone` is the
 * reader’s, by default the browser’s.
 */
export function momentWords(zone: Zone, localZone?: string): MomentWords {
  const timeZone = zone === 'utc' ? 'UTC' : localZone;
  const words = known.get(timeZone) ?? createWords(timeZone);
  known.set(timeZone, words);
  return words;
}

export type MomentWords = {
  /** The name of the zone, such as "Europe/Oslo". */
  readonly zone: string;
  /** The time to the second, such as "2026-11-28 09:30:00 UTC". */
  readonly moment: (at: Date) => string;
  /** The time to the millisecond, such as "09:14:07.112", and before it the day unless it is today: "22 Nov, 09:14:07.112". */
  readonly exact: (at: Date, now: Date) => string;
  /** The same to the second. */
  readonly second: (at: Date, now: Date) => string;
  /** For what has to be done until then: "28 Nov 2026, 09:30 UTC". */
  readonly deadline: (at: Date) => string;
  /** As in "28 Nov 2026". */
  readonly day: (at: Date) => string;
  /** As in "Saturday 28 November". */
  readonly weekday: (at: Date) => string;
  /** As in "28 Nov, 10:00", for scales that name their zone. */
  readonly hour: (at: Date) => string;
  /** As in "28 Nov, 10:00 GMT+1", for what stands alone. */
  readonly hourInZone: (at: Date) => string;
  /** As in "09:14". */
  readonly clock: (at: Date) => string;
};

/** The time in this zone and in UTC, for tooltips. */
export function titleWords(at: Date, zone: Zone): string {
  return [...new Set([momentWords(zone).moment(at), momentWords('utc').moment(at)])].join(' · ');
}

/** Making formats takes longer than all that a table formats with them. */
const known = new Map<string | undefined, MomentWords>();

const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const day = { day: 'numeric', month: 'short' } as const;

function createWords(timeZone: string | undefined): MomentWords {
  const format = (options: Intl.DateTimeFormatOptions, language = 'en-GB') => new Intl.DateTimeFormat(language, { ...options, timeZone });
  // Swedes write dates as the machine API does.
  const sortable = format({ year: 'numeric', month: '2-digit', day: '2-digit', ...time }, 'sv-SE');
  const [short, long, dayOnly] = [
    format(day),
    format({ ...day, year: 'numeric' }),
    format({ weekday: 'long', day: 'numeric', month: 'long' }),
  ];
  const [exact, second, clock] = [format({ ...time, fractionalSecondDigits: 3 }), format(time), format(minute)];
  const [hour, hourInZone] = [format({ ...day, ...minute }), format({ ...day, ...minute, timeZoneName: 'short' })];
  const deadline = format({ ...day, year: 'numeric', ...minute, timeZoneName: 'short' });
  const { timeZone: zone } = sortable.resolvedOptions();
  const unlessToday = (at: Date, now: Date, words: string) =>
    long.format(at) === long.format(now) ? words : `${short.format(at)}, ${words}`;
  return {
    zone,
    // Every time has it in UTC in its tooltip, and a format takes many times as long.
    moment: (at) => `${zone === 'UTC' ? at.toISOString().slice(0, 19).replace('T', ' ') : sortable.format(at)} ${zone}`,
    exact: (at, now) => unlessToday(at, now, exact.format(at)),
    second: (at, now) => unlessToday(at, now, second.format(at)),
    deadline: (at) => deadline.format(at),
    day: (at) => long.format(at),
    weekday: (at) => dayOnly.format(at),
    hour: (at) => hour.format(at),
    hourInZone: (at) => hourInZone.format(at),
    clock: (at) => clock.format(at),
  };
}

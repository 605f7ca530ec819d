import type { ResourceData, ResourceType } from '../../tracking/allowlist.ts';
import { diff, type Change } from '../../tracking/diff.ts';
import { project, type Projection } from '../../tracking/project.ts';
import type { Random } from './seededRandom.ts';

const dayLength = 86_400_000;

/** Something that happens to a resource on a day (counted from its first): what the data looks like afterwards. */
export type Happening<Data> = { readonly day: number; readonly apply: (data: Data) => Data };

/** The state of a resource from an instant (milliseconds since 1970) on. */
export type Step<Data> = { readonly at: number; readonly data: Data };

/** One history item of one section, as `tracked_change` keeps it. */
type HistoryItem = {
  readonly sequence: number;
  readonly section: 'core' | 'shipping';
  readonly occurredAt: number;
  readonly changes: readonly Change[];
};

/** A resource's final state, with the history that leads to it. */
export type History = { readonly projection: Projection; readonly items: readonly HistoryItem[]; readonly changedAt: readonly number[] };

/** Turns day counts into instants of one resource's life, whose first day is `age` whole days before `now`. */
export type Calendar = {
  /** A time around noon on a day: between 05:00 and 18:59 UTC, the same at every call. */
  readonly at: (day: number) => number;
  readonly date: (day: number) => string;
  readonly instant: (day: number) => string;
  readonly week: (day: number) => string;
};

export function calendar(random: Random, now: Date, age: number): Calendar {
  const firstDay = Math.floor(now.getTime() / dayLength) - age;
  const salt = random.between(0, 1_000_000_000);
  const at = (day: number): number => {
    // A hash of the day, so that the time does not depend on which call comes first.
    const spread = Math.imul(salt ^ Math.imul(day + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
    return (firstDay + day) * dayLength + 5 * 3_600_000 + (spread % (14 * 3_600_000));
  };
  return {
    at,
    date: (day) => new Date(at(day)).toISOString().slice(0, 10),
    instant: (day) => new Date(at(day)).toISOString(),
    week: (day) => isoWeek(new Date(at(day))),
  };
}

/** What has happened before today (day `age`), in the order of the days. */
export function walk<Data>(first: Data, happenings: readonly Happening<Data>[], { at }: Calendar, age: number): Step<Data>[] {
  const steps: Step<Data>[] = [{ at: at(0), data: first }];
  let data = first;
  for (const { day, apply } of happenings.filter((happening) => happening.day < age).sort((one, other) => one.day - other.day)) {
    data = apply(data);
    // What happens on one day is one change, so that it raises the revision once.
    if (steps.at(-1)?.at === at(day)) steps.pop();
    steps.push({ at: at(day), data });
  }
  return steps;
}

/** Writes the history as the tracking of real changes does: one item for each section that a step changes, in rising sequence. */
export function writeHistory<Type extends ResourceType>(type: Type, steps: readonly Step<ResourceData[Type]>[]): History {
  const items: HistoryItem[] = [];
  const changedAt: number[] = [];
  let projection: Projection | null = null;
  for (const { at, data } of steps) {
    const next = project(type, data);
    const changes = diff(projection, next);
    for (const section of ['core', 'shipping'] as const) {
      if (changes[section].length === 0) continue;
      const sequence = Math.max((items.at(-1)?.sequence ?? 0) + 1, at);
      items.push({ sequence, section, occurredAt: at, changes: changes[section] });
    }
    if (items.at(-1)?.occurredAt === at) changedAt.push(at);
    projection = next;
  }
  if (!projection) throw new Error('A history needs at least one step.');
  return { projection, items, changedAt };
}

/** ISO 8601 week of a UTC date: the week belongs to the year of its Thursday. */
export function isoWeek(date: Date): string {
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 4 - (date.getUTCDay() || 7)));
  const week = Math.ceil(((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / dayLength + 1) / 7);
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

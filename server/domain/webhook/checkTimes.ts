/** How long a check may take from when a worker has begun it, and how long it may wait until then; in milliseconds. */
type CheckTimes = { readonly time: number; readonly wait: number };

/**
 * SQL: the check `row` has neither ended nor taken too long by the moment `now`. While it waits for a worker behind those of others, none of its own
 * time passes.
 */
export const isUnderWay = (row: string, now: string, { time, wait }: CheckTimes): string =>
  `(${row}.finished_at is null and ${now}::timestamptz < coalesce(${row}.begun_at + interval '${time} ms', ${row}.requested_at + interval '${wait} ms'))`;

/** The same of a check that has been read. */
export function isOver(
  { requestedAt, begunAt, finishedAt }: { requestedAt: Date | null; begunAt: Date | null; finishedAt: Date | null },
  { time, wait }: CheckTimes,
  now: Date,
): boolean {
  if (requestedAt === null || finishedAt !== null) return false;
  const end = begunAt === null ? requestedAt.getTime() + wait : begunAt.getTime() + time;
  return now.getTime() >= end;
}

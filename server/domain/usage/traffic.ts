import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { noRefusals } from './refusalFacts.ts';

const hour = 60 * 60 * 1000;
const hours = 24;

/** SQL: whether a status of `usage_counter` or `request_log` is a refusal or a failure. */
export const isRefusal = `status >= 400 and status not in (${noRefusals.join(', ')})`;

/** A client's requests in the hour that begins at `hour` (UTC), how many of them were refused or failed, and how many of these failed on our side. */
export type HourOfTraffic = { readonly hour: Date; readonly total: number; readonly failed: number; readonly broken: number };

/** A range of the primary key for each client. */
const trafficSql = `
select client_number as "clientNumber", hour, sum(count)::int as total, coalesce(sum(count) filter (where ${isRefusal}), 0)::int as failed,
       coalesce(sum(count) filter (where status >= 500), 0)::int as broken
  from usage_counter where client_number = any ($1::int[]) and hour >= $2 and hour <= $3 group by client_number, hour`;

type Row = HourOfTraffic & { clientNumber: number };

/** The beginnings of the last 24 hours, the present one last. */
export function lastHours(now: Date): Date[] {
  const last = Math.floor(now.getTime() / hour) * hour;
  return Array.from({ length: hours }, (_, place) => new Date(last - (hours - 1 - place) * hour));
}

/** The last 24 hours of each of these clients, the oldest first and the present one last, with zeros where nothing was asked. */
export async function trafficOf(em: EntityManager, clientNumbers: readonly number[], now: Date): Promise<HourOfTraffic[][]> {
  const starts = lastHours(now);
  const rows = await sql<Row>(em, trafficSql, [clientNumbers, starts[0], starts.at(-1)]);
  const found = new Map(rows.map((row) => [`${row.clientNumber} ${row.hour.getTime()}`, row]));
  return clientNumbers.map((number) =>
    starts.map((start) => {
      const { total = 0, failed = 0, broken = 0 } = found.get(`${number} ${start.getTime()}`) ?? {};
      return { hour: start, total, failed, broken };
    }),
  );
}

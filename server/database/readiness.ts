import type pg from 'pg';
import type { Clock } from '../domain/shared/clock.ts';
import type { Query } from '../domain/shared/query.ts';
import { serverExhausted } from './connection/endsConnection.ts';

const toleratedSkew = 1_000;
const answeredWithin = 2_000;

/** Whether requests can be served, or why not. */
export type DatabaseState = 'ready' | 'unreachable' | 'read_only' | 'cannot_write' | 'clock_differs';

const stateSql = `
select extract(epoch from clock_timestamp())::float8 * 1000 as at,
       pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`;

/**
 * Whether PostgreSQL answers, can write (it is no standby, nobody has told it only to read, and no statement of this process has just failed
 * for want of space), and its clock is at most a second from ours.
 */
export async function databaseState(query: Query, clock: Clock): Promise<DatabaseState> {
  try {
    const [row] = await query<{ at: number; readOnly: boolean }>(stateSql, []);
    if (!row) return 'unreachable';
    if (row.readOnly) return 'read_only';
    if (serverExhausted()) return 'cannot_write';
    return Math.abs(row.at - clock.now().getTime()) <= toleratedSkew ? 'ready' : 'clock_differs';
  } catch {
    return 'unreachable';
  }
}

/** A pool's own question about readiness, which has to be answered within two seconds. */
export function readinessQuery(pool: pg.Pool): Query {
  return async <Row>(text: string) => (await pool.query({ text, query_timeout: answeredWithin } as pg.QueryConfig)).rows as Row[];
}

/** Whether a process that asks through this pool can serve requests. */
export async function databaseReady(pool: pg.Pool, clock: Clock): Promise<boolean> {
  return (await databaseState(readinessQuery(pool), clock)) === 'ready';
}

import type pg from 'pg';
import type { Clock } from '../domain/shared/clock.ts';

const toleratedSkew = 1_000;

/** Whether PostgreSQL answers within two seconds, and its clock is at most a second from ours. */
export async function databaseReady(pool: pg.Pool, clock: Clock): Promise<boolean> {
  try {
    const query = { text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as at', query_timeout: 2_000 };
    const { rows } = await pool.query<{ at: number }>(query);
    return Math.abs((rows[0]?.at ?? 0) - clock.now().getTime()) <= toleratedSkew;
  } catch {
    return false;
  }
}

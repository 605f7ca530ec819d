import type pg from 'pg';
import type { Clock } from '../domain/shared/clock.ts';
import type { Query } from '../domain/shared/query.ts';
import { serverExhausted } from './connection/endsConnection.ts';
import type { Orm } from './orm.ts';
import { withinTime } from './unavailable.ts';

const toleratedSkew = 1_000;
const answeredWithin = 2_000;

/** Whether requests can be served, or why not. */
type DatabaseState = 'ready' | 'unreachable' | 'no_connections' | 'read_only' | 'cannot_write' | 'clock_differs';

const stateSql = `
select clock_timestamp() as at, pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`;

/** SQLSTATE: the server, or the role, has as many connections as it may have. */
const tooManyConnections = '53300';

/**
 * Whether PostgreSQL gives a connection, answers within two seconds, can write (it is no standby, nobody has told it only to read, and no
 * statement of this process has just failed for want of space), and its clock is at most a second from ours.
 */
export async function databaseState(query: Query, clock: Clock): Promise<DatabaseState> {
  try {
    const [row] = await withinTime(query<{ at: Date; readOnly: boolean }>(stateSql, []), answeredWithin);
    if (!row) return 'unreachable';
    if (row.readOnly) return 'read_only';
    if (serverExhausted()) return 'cannot_write';
    return Math.abs(row.at.getTime() - clock.now().getTime()) <= toleratedSkew ? 'ready' : 'clock_differs';
  } catch (error) {
    return sqlStateOf(error) === tooManyConnections ? 'no_connections' : 'unreachable';
  }
}

/**
 * The same for a process that works through the ORM. Its pool is asked, so that a process that gets no connection for its work says so; while all of
 * its connections are busy, `checks` is asked instead, so that one with much to do says no worse of itself than it is.
 */
export function databaseStateOf(
  { orm, pool: checks }: { readonly orm: Orm; readonly pool: pg.Pool },
  clock: Clock,
): Promise<DatabaseState> {
  return databaseState(async <Row>(text: string) => {
    const work = await orm.driver.getConnection().getNativeClient();
    const pool = work.idleCount === 0 && work.totalCount >= work.options.max ? checks : work;
    return (await pool.query({ text, query_timeout: answeredWithin } as pg.QueryConfig)).rows as Row[];
  }, clock);
}

/** Of an error of the library, or of the refusal that hides it. */
function sqlStateOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  return 'code' in error && error.code === 'temporarily_unavailable' && 'cause' in error ? error.cause : 'code' in error && error.code;
}

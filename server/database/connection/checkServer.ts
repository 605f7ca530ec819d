import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { openClient } from './openPool.ts';
import { oldestPostgres, postgresVersion } from './postgresVersion.ts';
import { tlsRefusal } from './tlsRefusal.ts';

/** What stands between this process and PostgreSQL cannot be used. The message says what to change. */
class UnusableServerError extends Error {
  override readonly name = 'UnusableServerError';
}

const sessionsNeeded =
  'The service needs a PostgreSQL session of its own for each of its connections, for advisory locks, LISTEN and prepared statements.';

const transactionPooling = new UnusableServerError(
  `The database URL leads through a pooler that shares sessions between transactions or statements. ${sessionsNeeded} Set pool_mode = session in PgBouncer.`,
);
const sessionsNotReset = new UnusableServerError(
  `The database URL leads through a pooler that hands a session on with what its last user left in it. ${sessionsNeeded} Set server_reset_query = DISCARD ALL in PgBouncer.`,
);

const tooOld = (version: string) =>
  new UnusableServerError(
    `The database’s server is PostgreSQL ${version}. The service needs PostgreSQL ${oldestPostgres} or later (docs/operating.md, “PostgreSQL”).`,
  );

/** A pooler can hand out the very same session again by chance, so it is tried more than once. */
const times = 3;
const answeredWithin = 5_000;

/**
 * Looks at the server once, at the start of a process: whether its certificate is the right one, its version not too old, and whether each
 * connection has a session of its own, which nobody else uses meanwhile or has left anything in. Throws UnusableServerError with what to
 * change; a server that is away rejects with the library's error. Resolves to how many connections it has left for others.
 */
export async function checkServer(databaseUrl: string): Promise<number> {
  const open = () => openClient(databaseUrl, 'start-check', { connectionTimeoutMillis: answeredWithin, query_timeout: answeredWithin });
  const mark = randomBytes(12).toString('hex');
  let one: pg.Client | undefined;
  let other: pg.Client | undefined;
  try {
    one = await open();
    const { major, minor } = await postgresVersion(one);
    if (major < oldestPostgres) throw tooOld(`${major}.${minor}`);
    await one.query(`select set_config('svc.session', $1, false)`, [mark]);
    other = await open();
    for (let time = 0; time < times; time += 1) await refuseShared(one, other, mark);
    // With a pooler, the next client gets the session that was given back last.
    await one.end();
    one = await open();
    if ((await markOf(one)).mark === mark) throw sessionsNotReset;
    const { rows } = await one.query<{ left: number }>(connectionsLeftSql);
    return rows[0]?.left ?? 0;
  } catch (error) {
    const words = tlsRefusal(error);
    throw words === undefined ? error : new UnusableServerError(`The certificate of the database’s server is refused: ${words}`);
  } finally {
    for (const client of [one, other]) await client?.end().catch(() => undefined);
  }
}

/** Reserved are those of superusers. Anyone who may not see others' sessions still sees that they are there. */
const connectionsLeftSql = `
select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - coalesce(current_setting('reserved_connections', true), '0')::int
       - (select count(*)::int from pg_stat_activity where datid is not null and application_name <> 'start-check') as left`;

type Seen = { readonly pid: number; readonly mark: string | null };

async function markOf(client: pg.Client): Promise<Seen> {
  const { rows } = await client.query<Seen>(`select pg_backend_pid() as pid, nullif(current_setting('svc.session', true), '') as mark`);
  if (!rows[0]) throw new Error('PostgreSQL has said nothing about its session.');
  return rows[0];
}

/**
 * While the other's transaction is open, its session is in use. So if sessions are shared, either the other has got the one in which the
 * mark was left, or the first has to be given a different one now.
 */
async function refuseShared(one: pg.Client, other: pg.Client, mark: string): Promise<void> {
  const before = await markOf(one);
  try {
    // A pooler that shares sessions between statements refuses transactions.
    await other.query('begin');
  } catch {
    throw transactionPooling;
  }
  const others = await markOf(other);
  const after = await markOf(one);
  await other.query('rollback');
  if (others.pid === before.pid || after.pid !== before.pid || before.mark !== mark || after.mark !== mark) throw transactionPooling;
}

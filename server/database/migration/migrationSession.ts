import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { ConnectionName } from '../connection/connectionUses.ts';
import { openClient } from '../connection/openPool.ts';

/** Told what happens, a sentence at a time. */
export type Say = (words: string) => void;

/** What applies to migrations, whatever the role or the database sets. What this version of PostgreSQL does not know is left out. */
const settings = {
  statement_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  search_path: 'public',
  // The session of a process that was killed, or cut off from the network, ends within seconds, and its lock with it.
  client_connection_check_interval: '1s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

const settingsSql = `
select set_config(s.name, w.value, false) from unnest($1::text[], $2::text[]) w(name, value) join pg_settings s on s.name = w.name`;

/** Every session of a migration begins with this. */
export async function liftLimits(client: pg.ClientBase, { lockTimeoutMs = 0 } = {}): Promise<void> {
  const wanted = { ...settings, lock_timeout: String(lockTimeoutMs) };
  await client.query(settingsSql, [Object.keys(wanted), Object.values(wanted)]);
}

/** Connects as the owner of the schema, without any time limit. */
export async function openMigrationSession(
  databaseUrl: string,
  name: Extract<ConnectionName, `migrate${string}`> = 'migrate',
): Promise<pg.Client> {
  const client = await openClient(databaseUrl, name, { connectionTimeoutMillis: 10_000 });
  try {
    await liftLimits(client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** The lock that the one session holds that migrates. It ends with the session, and no time limit ends it. */
const lockKey = "hashtext('operator-integration-service.migrate'), 0";
const tryLockSql = `select pg_try_advisory_lock(${lockKey}) as mine`;
const holderSql = `
select coalesce(nullif(a.application_name, ''), 'a session without a name') || ' (process ' || l.pid || ')' as holder
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
 where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.objid = 0
   and l.database = (select oid from pg_database where datname = current_database())
   and l.classid = hashtext('operator-integration-service.migrate')::int8 & x'ffffffff'::int8`;

const tryEvery = 500;
const sayEvery = 10_000;

/**
 * Waits until this session is the only one that migrates. It asks again and again, because a statement that waits for the lock would hold a
 * snapshot, for which an index that the other session makes concurrently would wait for ever.
 */
export async function takeTurn(session: pg.Client, say: Say): Promise<void> {
  let saidAt = -Infinity;
  while (!(await session.query<{ mine: boolean }>(tryLockSql)).rows[0]?.mine) {
    if (performance.now() - saidAt >= sayEvery) {
      saidAt = performance.now();
      const { rows } = await session.query<{ holder: string | null }>(holderSql);
      say(`Another process is migrating this database: ${rows[0]?.holder ?? 'one that has just ended'}. Waiting for its end.`);
    }
    await delay(tryEvery);
  }
}

import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { awaited, openPool } from './connection/openPool.ts';
import { liftLimits, openMigrationSession, takeTurn, type Say } from './migration/migrationSession.ts';
import { checksumOf, readMigrations, type Migration } from './migration/migrations.ts';
import { queueMigration } from './migration/queueRevision.ts';
import { runMigration, untilLocked, usualLockWaits, type LockWaits } from './migration/runMigration.ts';
import { seconds, watchWaits } from './migration/watchWaits.ts';
import { applyGrants } from './roles/applyGrants.ts';

export type MigrateOptions = {
  readonly migrations?: readonly Migration[];
  readonly lockWaits?: LockWaits;
  readonly say?: Say;
  /** From when on the request log and the audit trail have partitions; null for none, which other migrations than ours get. */
  readonly partitionsFrom?: Date | null;
  /** How the names of the installation’s roles begin. */
  readonly rolePrefix?: string | undefined;
};

/**
 * Brings the database to the schema of this release as the owner of the schema, first the job queue's tables and then ours, and resolves with
 * the names of the migrations that it ran; then gives each process’s role its rights. Of several that run at the same time, one migrates, and
 * the others wait and find nothing to do. What is done stays done if it fails or is killed, and the next one goes on from there.
 */
export async function migrateDatabase(databaseUrl: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const {
    migrations = await readMigrations(),
    lockWaits = usualLockWaits,
    say = () => {},
    partitionsFrom = options.migrations ? null : new Date(),
    rolePrefix,
  } = options;
  const session = await openMigrationSession(databaseUrl);
  try {
    await takeTurn(session, say);
    await untilLocked('The job queue’s schema', lockWaits, say, () => migrateQueue(databaseUrl, lockWaits));
    await session.query(tableSql);
    const pending = await pendingOf(session, migrations);
    await session.query(queueSql, [queueMigration]);
    const { rows } = await session.query<{ id: number }>('select pg_backend_pid() as id');
    const processId = rows[0]?.id ?? 0;
    for (const migration of pending) {
      const { name } = migration;
      const startedAt = performance.now();
      await watchWaits({ databaseUrl, processId, name, say }, () => runMigration(session, migration, lockWaits, say)).catch(
        (error: unknown) => {
          throw failureOf(name, error);
        },
      );
      say(`${name}: ${seconds(performance.now() - startedAt)} s`);
    }
    if (partitionsFrom !== null) await makePartitions(session, partitionsFrom, say);
    // Only with all of the release’s tables.
    if (options.migrations === undefined)
      await untilLocked('The rights of the roles', lockWaits, say, () => applyGrants(session, { prefix: rolePrefix }));
    return pending.map(({ name }) => name);
  } finally {
    await session.end();
  }
}

const tableSql = `
create table if not exists migration (
  name text primary key,
  checksum text not null,
  min_release text,
  executed_at timestamptz not null default now()
)`;

const queueSql = "insert into migration (name, checksum) values ($1, '') on conflict do nothing";

/** With the words of PostgreSQL, which contain data only if it is a value that is at fault (class 22). */
function failureOf(name: string, error: unknown): unknown {
  const { code, severity, message } = error as Partial<pg.DatabaseError>;
  // Only PostgreSQL's own errors have a severity.
  if (severity === undefined || code === undefined || severity === 'FATAL') return error;
  const words = code.startsWith('22') ? '' : `: ${message}`;
  return new Error(`${name} failed${words} (${code}).`, { cause: error });
}

const silent = new Logger(() => () => {});

/** graphile-worker runs its migrations on a connection of its own, each in a transaction. */
async function migrateQueue(databaseUrl: string, { lockTimeoutMs }: LockWaits): Promise<void> {
  const onConnect = awaited((client) => liftLimits(client, { lockTimeoutMs }));
  const pgPool = openPool(databaseUrl, 'migrate-queue', { connectionTimeoutMillis: 10_000, onConnect });
  try {
    await runMigrations({ pgPool, logger: silent });
  } finally {
    await pgPool.end();
  }
}

/** The first rows find their partitions. From then on the workers make them, so this may fail. */
async function makePartitions(session: pg.Client, from: Date, say: Say): Promise<void> {
  await session.query('select make_partitions($1)', [from]).catch((error: unknown) => {
    if ((error as Partial<pg.DatabaseError>).code !== '55P03') throw error;
    say('The partitions of the coming days are left to the workers, because the tables are in use.');
  });
}

type Executed = { readonly name: string; readonly checksum: string };

/** Those that have not run yet. Refuses a database whose schema has another history than the files. */
async function pendingOf(session: pg.Client, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const { rows } = await session.query<Executed>('select name, checksum from migration').catch((error: unknown) => {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === '42703') throw new Error(beforeTheFirstRelease);
    throw error;
  });
  const executed = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed = migrations.find((migration) => executed.has(migration.name) && executed.get(migration.name) !== checksumOf(migration));
  if (changed) {
    throw new Error(
      `${changed.name} has been changed since it made this database. What is released never changes; before that, begin with an empty database (remove DATA_DIR).`,
    );
  }
  return migrations.filter(({ name }) => !executed.has(name));
}

const beforeTheFirstRelease =
  'This database was made before the first release and cannot be brought to its schema. Begin with an empty one (remove DATA_DIR).';

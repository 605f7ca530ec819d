import type pg from 'pg';
import { build } from '../platform/build.ts';
import { awaited, openPool } from './connection/openPool.ts';
import { broughtLater, rightsOf } from './migration/laterRelease.ts';
import { liftLimits, openMigrationSession, takeTurn, type Say } from './migration/migrationSession.ts';
import { checksumOf, readMigrations, type Migration } from './migration/migrations.ts';
import { queueMigration } from './migration/queueRevision.ts';
import { replaceFunctions } from './migration/functions.ts';
import { runMigration, untilLocked, usualLockWaits, type LockWaits } from './migration/runMigration.ts';
import { seconds, watchWaits } from './migration/watchWaits.ts';
import { Logger, runMigrations } from './migration/queueLibrary.ts';
import { applyGrants } from './roles/applyGrants.ts';
import { tellLargeObjects } from './roles/largeObjects.ts';
import { roleNames } from './roles/roleNames.ts';
import { refuseTablesWithoutRights, tablesWithRights } from './roles/tablesWithoutRights.ts';

type MigrateOptions = {
  readonly migrations?: readonly Migration[];
  readonly lockWaits?: LockWaits;
  readonly say?: Say;
  /** From when on the request log and the audit trail have partitions; null for none, which other migrations than ours get. */
  readonly partitionsFrom?: Date | null;
  /** The tables of which it is decided who may use them; null for no such rule, which other migrations than ours get. */
  readonly tables?: ReadonlySet<string> | null;
  /** How the names of the installation’s roles begin. */
  readonly rolePrefix?: string | undefined;
};

/**
 * Brings the database to the schema of this release as the owner of the schema, first the job queue's tables and then ours, and resolves with
 * the names of the migrations that it ran; then gives each process’s role its rights. Of several that run at the same time, one migrates, and
 * the others wait and find nothing to do. What is done stays done if it fails or is killed, and the next one goes on from there. If a later
 * release has been here, it says so and changes nothing.
 */
export async function migrateDatabase(databaseUrl: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const {
    migrations = await readMigrations(),
    lockWaits = usualLockWaits,
    say = () => {},
    partitionsFrom = options.migrations ? null : new Date(),
    tables = options.migrations ? null : tablesWithRights(),
    rolePrefix,
  } = options;
  const session = await openMigrationSession(databaseUrl);
  try {
    await takeTurn(session, say);
    await session.query(tableSql);
    const executed = await executedMigrations(session);
    const pending = pendingOf(executed, migrations);
    const later = broughtLater([...executed.keys()], { version: build.version, migrations });
    if (later !== undefined) {
      leaveToLaterRelease(later, pending, say);
      return [];
    }
    await untilLocked('The job queue’s schema', lockWaits, say, () => migrateQueue(databaseUrl, lockWaits));
    await session.query(recordSql, [queueMigration]);
    const { rows } = await session.query<{ id: number }>('select pg_backend_pid() as id');
    const processId = rows[0]?.id ?? 0;
    for (const [index, migration] of pending.entries()) {
      const { name } = migration;
      const startedAt = performance.now();
      const check = async () => tables && refuseTablesWithoutRights(session, tables, pending.slice(index + 1));
      const run = () => runMigration(session, migration, { waits: lockWaits, say, check });
      await watchWaits({ databaseUrl, processId, name, say }, run).catch((error: unknown) => {
        throw failureOf(name, error);
      });
      say(`${name}: ${seconds(performance.now() - startedAt)} s`);
    }
    if (partitionsFrom !== null) await makePartitions(session, partitionsFrom, say);
    // Only with all of the release’s tables.
    if (options.migrations === undefined) {
      // First of all, so that from then on no release before this one takes the rights back.
      await session.query(recordSql, [rightsOf(build.version)]);
      await replaceFunctions(session);
      const wanted = { prefix: rolePrefix, lockTimeoutMs: lockWaits.lockTimeoutMs };
      const name = 'The table of rights';
      await watchWaits({ databaseUrl, processId, name, say }, () => untilLocked(name, lockWaits, say, () => applyGrants(session, wanted)));
      await tellLargeObjects(session, roleNames(rolePrefix), say);
    }
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

const recordSql = "insert into migration (name, checksum) values ($1, '') on conflict do nothing";

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

/** The checksums of what has run, by name. Refuses a database that is older than the first release. */
async function executedMigrations(session: pg.Client): Promise<ReadonlyMap<string, string>> {
  type Executed = { readonly name: string; readonly checksum: string };
  const sql = 'select name, checksum from migration order by executed_at, name';
  const { rows } = await session.query<Executed>(sql).catch((error: unknown) => {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === '42703') throw new Error(beforeTheFirstRelease);
    throw error;
  });
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Those that have not run yet. Refuses a database whose schema has another history than the files. */
function pendingOf(executed: ReadonlyMap<string, string>, migrations: readonly Migration[]): readonly Migration[] {
  const changed = migrations.find((migration) => executed.has(migration.name) && executed.get(migration.name) !== checksumOf(migration));
  if (changed) {
    throw new Error(
      `${changed.name} has been changed since it made this database. What is released never changes; before that, begin with an empty database (remove DATA_DIR).`,
    );
  }
  return migrations.filter(({ name }) => !executed.has(name));
}

/**
 * The schema is newer than this release, and this release runs on it. Its processes and those of the later release may both be at work, so
 * the rights stay those of the later one, which knows both.
 */
function leaveToLaterRelease(later: string, [missing]: readonly Migration[], say: Say): void {
  const been = `A later release than ${build.version} has migrated this database (${later})`;
  if (missing === undefined) return say(`${been}. Its schema and its rights stay as they are.`);
  throw new Error(`${been}, and it lacks ${missing.name} of this one. Migrate with a release that has both.`);
}

const beforeTheFirstRelease =
  'This database was made before the first release and cannot be brought to its schema. Begin with an empty one (remove DATA_DIR).';

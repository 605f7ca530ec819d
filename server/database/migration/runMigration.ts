import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Say } from './migrationSession.ts';
import { checksumOf, type Migration } from './migrations.ts';

/** How long a migration waits for locks, and how often. */
export type LockWaits = {
  /** Whatever comes after a migration that waits for a lock waits behind it, so this is the most that it holds up the service at once. */
  readonly lockTimeoutMs: number;
  /** What has waited meanwhile goes first. */
  readonly pauseMs: number;
  /** After this time, counted from the first attempt, no further attempt is made. */
  readonly patienceMs: number;
};

export const usualLockWaits: LockWaits = { lockTimeoutMs: 2_000, pauseMs: 3_000, patienceMs: 10 * 60_000 };

const recordSql = 'insert into migration (name, checksum, min_release) values ($1, $2, $3)';
const recordOf = (migration: Migration) => [migration.name, checksumOf(migration), migration.minRelease ?? null];

type Surroundings = {
  readonly waits: LockWaits;
  readonly say: Say;
  /** What has to hold of the schema before the transaction is committed. */
  readonly check: () => Promise<unknown>;
};

/** Runs a migration and records it: in one transaction, unless it has to run outside of one. */
export async function runMigration(session: pg.Client, migration: Migration, { waits, say, check }: Surroundings): Promise<void> {
  if (migration.outsideTransaction) await runOutside(session, migration);
  else await untilLocked(migration.name, waits, say, () => runInside(session, migration, waits.lockTimeoutMs, check));
}

async function runInside(session: pg.Client, migration: Migration, lockTimeoutMs: number, check: Surroundings['check']): Promise<void> {
  await session.query('begin');
  try {
    await session.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await session.query(migration.sql);
    await session.query(recordSql, recordOf(migration));
    await check();
    await session.query('commit');
  } catch (error) {
    await session.query('rollback').catch(() => {});
    throw error;
  }
}

const concurrentIndex = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i;

/**
 * Readers and writers go on beside it, so it may wait for locks as long as it takes. If it is broken off after its end and before it is
 * recorded, it runs again and finds everything done.
 */
async function runOutside(session: pg.Client, migration: Migration): Promise<void> {
  const index = concurrentIndex.exec(migration.sql)?.[1];
  if (index !== undefined) await dropInvalidIndex(session, index);
  await session.query(migration.sql);
  await session.query(recordSql, recordOf(migration));
}

/** One that was broken off leaves an index that is written and never read, and that `if not exists` takes for the real one. */
async function dropInvalidIndex(session: pg.Client, index: string): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    'select i.indexrelid::regclass::text as name from pg_index i where i.indexrelid = to_regclass($1) and not i.indisvalid',
    [index],
  );
  for (const { name } of rows) await session.query(`drop index concurrently ${name}`);
}

/** SQLSTATE of a lock that was not to be had in time, and of a deadlock. */
const lockRefusals = new Set(['55P03', '40P01']);

/** Rows of the catalogue have no lock that is waited for: the second to change one is refused, as beside a worker that makes a partition. */
const changedMeanwhile = /^tuple concurrently (updated|deleted)$/;

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return lockRefusals.has(String(error.code)) || (error.code === 'XX000' && changedMeanwhile.test(error.message));
}

/** Repeats work that has left nothing behind until it gets its locks. */
export async function untilLocked(name: string, waits: LockWaits, say: Say, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (performance.now() - startedAt >= waits.patienceMs) {
        throw new Error(`${name} has not got its locks in ${Math.round(waits.patienceMs / 60_000)} minutes. Nothing of it is done.`, {
          cause: error,
        });
      }
      say(`${name} has not got its locks, and lets everybody else go first before it tries again.`);
      await delay(waits.pauseMs);
    }
  }
}

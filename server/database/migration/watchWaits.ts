import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openMigrationSession, type Say } from './migrationSession.ts';

/** By the names of their connections. What they execute is not told, because statements may contain data. */
const blockersSql = `
select coalesce(nullif(a.application_name, ''), 'a session without a name') || ' (process ' || b.pid || coalesce(', role ' || a.usename, '')
    || coalesce(', ' || a.state, '') || coalesce(', its transaction is ' || extract(epoch from clock_timestamp() - a.xact_start)::int || ' s old', '') || ')' as blocker
  from unnest(pg_blocking_pids($1)) b(pid) left join pg_stat_activity a on a.pid = b.pid`;

const lookEvery = 1_000;
const sayEvery = 10_000;

type Watched = { readonly databaseUrl: string; readonly processId: number; readonly name: string; readonly say: Say };

/**
 * Does the work of a migration on the session with this process ID; if it takes more than a second, says whom it waits for, or every ten
 * seconds that it goes on.
 */
export async function watchWaits<Result>(watched: Watched, work: () => Promise<Result>): Promise<Result> {
  const done = new AbortController();
  // Whatever happens to it, the migration goes on.
  const watching = watch(watched, done.signal).catch(() => {});
  try {
    return await work();
  } finally {
    done.abort();
    await watching;
  }
}

async function watch({ databaseUrl, processId, name, say }: Watched, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  let saidAt = startedAt;
  let said = '';
  let session: pg.Client | undefined;
  try {
    for (;;) {
      await delay(lookEvery, undefined, { signal });
      session ??= await openMigrationSession(databaseUrl, 'migrate-watch');
      const { rows } = await session.query<{ blocker: string }>(blockersSql, [processId]);
      const whom = rows.map(({ blocker }) => blocker).join(', ');
      if (signal.aborted) return;
      const isNew = whom !== '' && said === '';
      if (!isNew && performance.now() - saidAt < sayEvery) continue;
      saidAt = performance.now();
      said = whom;
      say(whom === '' ? `${name} goes on (${seconds(saidAt - startedAt)} s).` : `${name} waits for ${whom}.`);
    }
  } finally {
    await session?.end();
  }
}

/** Seconds with one decimal. */
export function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}

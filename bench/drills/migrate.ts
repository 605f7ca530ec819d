import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Migration } from '../../server/database/migration/migrations.ts';
import { type Child, startChild } from '../programs/childProcess.ts';
import type { MigratorTask } from '../programs/migrator.ts';
import { Installation } from './Installation.ts';
import { aligned } from './load/LoadReport.ts';
import { missing } from './judge.ts';

const answered = new Set(['200', '304']);

/** Leaves a row for each time that it has run to its end. */
const slow = (name: string, seconds: number): Migration => ({
  name: `drill/${name}`,
  sql: `create table if not exists drill_mark (name text); insert into drill_mark values ('${name}'); select pg_sleep(${seconds})`,
});

/** What a next release might bring: work that takes its time, a column, and an index on a table that everybody writes to. */
function nextRelease(seconds: number): readonly Migration[] {
  return [
    slow('slow', seconds),
    { name: 'drill/column', sql: 'alter table shared_resource add column drill_note text' },
    {
      name: 'drill/index',
      outsideTransaction: true,
      sql: 'create index concurrently if not exists drill_index on shared_resource (updated_at, id)',
    },
  ];
}

/**
 * Under 50 requests a second, two processes migrate at the same moment to a schema that takes 20 seconds; then one is killed with SIGKILL in the middle of a
 * migration while another one waits. Each migration takes effect once, and nobody who calls notices.
 */
export async function runMigrate(quick: boolean): Promise<string[]> {
  const seconds = quick ? 6 : 20;
  const installation = await Installation.open();
  const children: Child[] = [];
  const migrator = () => {
    const child = startChild('migrator');
    children.push(child);
    const ran = (next: readonly Migration[]) => child.ask<string[]>({ databaseUrl: installation.ownerUrl, next } satisfies MigratorTask);
    return { child, ran };
  };
  try {
    const load = await installation.load();
    load.start();
    await delay(2_000);
    const rows = [['', 'ran', 'seconds']];
    const next = nextRelease(seconds);
    const timed = async (name: string, work: Promise<string[]>) => {
      const began = performance.now();
      const ran = await work;
      rows.push([name, ran.join(', ') || 'nothing', ((performance.now() - began) / 1_000).toFixed(1)]);
    };
    await Promise.all(['first', 'second'].map((name) => timed(`${name} at the same moment`, migrator().ran(next))));

    const killed = [...next, slow('killed', seconds)];
    const victim = migrator();
    const dying = victim.ran(killed).catch((error: unknown) => [`killed: ${String(error)}`]);
    await untilRunning(installation);
    const waiting = migrator();
    const goingOn = timed('waits, and goes on', waiting.ran(killed));
    await delay((seconds * 1_000) / 2);
    await victim.child.kill();
    await dying;
    const killedAt = performance.now();
    await goingOn;
    rows.push(['after the kill', '', ((performance.now() - killedAt) / 1_000).toFixed(1)]);
    await delay(2_000);
    await load.stop();

    console.log(`${aligned(rows)}\n\n${load.report.table()}`);
    const faults = load.report.unexpected(answered).map(({ kind, result, detail }) => `${kind}: ${result} ${detail}`);
    const marks = await installation.rows<{ name: string; times: number }>(
      'select name, count(*)::int as times from drill_mark group by name',
    );
    for (const name of ['slow', 'killed']) {
      const times = marks.find((mark) => mark.name === name)?.times ?? 0;
      if (times !== 1) faults.push(`the migration ${name} took effect ${times} times`);
    }
    const [index] = await installation.rows<{ valid: boolean }>(
      "select indisvalid as valid from pg_index where indexrelid = 'drill_index'::regclass",
    );
    if (index?.valid !== true) faults.push('the index is not valid');
    faults.push(...(await missing(installation, load)));
    return faults;
  } finally {
    for (const child of children) await child.kill();
    await installation.close();
  }
}

/** Resolves when a migration is under way. */
async function untilRunning(installation: Installation): Promise<void> {
  for (;;) {
    const running = await installation.rows("select 1 from pg_stat_activity where application_name = 'migrate' and wait_event = 'PgSleep'");
    if (running.length > 0) return;
    await delay(50);
  }
}

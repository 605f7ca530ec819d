import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { budgetOf } from '../../server/database/connection/connectionUses.ts';
import { processRoles, roleNames } from '../../server/database/roles/roleNames.ts';
import { backAgain } from './failover.ts';
import { each, Installation } from './Installation.ts';
import { missing } from './judge.ts';

const before = new Set(['200', '304']);

const readOnlyFor = 30_000;

/**
 * PostgreSQL answers and refuses every write for half a minute, as a primary does that has lost its place or fills its disk. Meanwhile
 * everything is 503 with Retry-After and no process is ready; then all goes on without a restart. At no time do the processes hold more
 * sessions than their budgets.
 */
export async function runReadOnly(): Promise<string[]> {
  const installation = await Installation.open();
  try {
    const load = await installation.load();
    load.start();
    const sessions = watchSessions(installation);
    await delay(4_000);
    const since = performance.now();
    await setReadOnly(installation, 'on');
    await delay(5_000);
    const faults: string[] = [];
    for (const one of installation.processes) {
      const status = await one.readyStatus();
      if (status !== 503) faults.push(`/readyz of ${one.name} says ${status} while nothing can be written`);
    }
    await delay(since + readOnlyFor - performance.now());
    const until = performance.now();
    await setReadOnly(installation, 'off');
    await delay(8_000);
    await load.stop();
    console.log(`${load.report.table()}\n`);
    faults.push(...(await sessions.stop()));
    // A setting reaches a session when it is idle, so the first moments belong to neither side.
    for (const { kind, result, retryAfter, detail, began, ended } of load.report.all) {
      const during = began > since + 1_000 && ended < until;
      const fits = during ? result === '503' && retryAfter : before.has(result) || (result === '503' && retryAfter && ended > since);
      const at = `${((ended - since) / 1_000).toFixed(1)} s after it was told to refuse writes`;
      if (!fits) faults.push(`${kind}: ${result} ${detail} ${at}${retryAfter ? '' : ', without Retry-After'}`);
    }
    faults.push(...backAgain(load.report, since, until));
    faults.push(...(await missing(installation, load)));
    for (const one of installation.processes) if (!(await one.ready())) faults.push(`${one.name} is not ready afterwards`);
    return faults;
  } finally {
    await installation.close();
  }
}

const sessionsSql = `
select usename as role, count(*)::int as held, bool_and(ssl) as encrypted from pg_stat_activity join pg_stat_ssl using (pid)
 where backend_type = 'client backend' and usename = any ($1) group by usename`;

type Sessions = { readonly role: string; readonly held: number; readonly encrypted: boolean };

/** Counts what sessions each role has, five times a second, until `stop`, which resolves to what was wrong. */
function watchSessions({ postgres: { primary } }: Installation): { stop(): Promise<string[]> } {
  const budgets = new Map(processRoles.map((role) => [roleNames()[role], each * budgetOf(role, {})]));
  const most = new Map<string, number>();
  const plain = new Set<string>();
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const { role, held, encrypted } of await primary.rows<Sessions>(sessionsSql, [[...budgets.keys()]])) {
        most.set(role, Math.max(most.get(role) ?? 0, held));
        if (!encrypted) plain.add(role);
      }
      await delay(200);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      const faults = [...plain].map((role) => `${role} has a session in plain text`);
      for (const [role, budget] of budgets) {
        const held = most.get(role) ?? 0;
        console.log(`  ${role.padEnd(15)} at most ${held} sessions, of ${budget}`);
        if (held > budget) faults.push(`${role} had ${held} sessions, more than ${budget}`);
      }
      return faults;
    },
  };
}

async function setReadOnly({ postgres: { primary } }: Installation, value: 'on' | 'off'): Promise<void> {
  await primary.ask(`alter system set default_transaction_read_only = ${value}`);
  await primary.ask('select pg_reload_conf()');
}

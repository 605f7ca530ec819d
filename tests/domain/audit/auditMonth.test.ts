import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminCommand } from '../../../server/adminCommands.ts';
import type { Config } from '../../../server/config/config.ts';
import { gateHistory } from '../../../server/domain/gate/gateHistory.ts';
import { auditEntries } from '../../../server/domain/audit/auditTrail.ts';
import { record } from '../../../server/domain/audit/record.ts';
import type { Actor } from '../../../server/domain/shared/actor.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import { itemsOf } from '../../support/clients/pages.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

const now = new Date('2026-11-20T12:00:00Z');
const terminal: Actor = { type: 'system', name: 'terminal' };
let world: World;
beforeAll(async () => {
  world = await openWorld({ poolMax: 2 });
  // August has a partition; July's entries had none when they were written.
  await world.rows(`select make_partitions('2026-08-01')`);
  for (const at of ['2026-07-31T23:59:59.999Z', '2026-08-01T00:00:00Z', '2026-08-31T23:59:59.999Z', '2026-09-01T00:00:00Z'])
    await entry(new Date(at));
});
afterAll(() => world.close());

const entry = (at: Date, actor: Actor = terminal) =>
  world
    .em()
    .transactional((tx) => record(tx, actor, at, { action: 'production_gate.closed', subject: { type: 'service', id: 'production' } }));
const admin = (...args: readonly string[]) => adminCommand(args)(world.em(), now, {} as Config);
const file = (name: string) => join(world.folder, name);
const trail = async () =>
  itemsOf(await auditEntries(world.em(), { filter: { action: 'production_gate.closed' }, first: 100, after: null }))
    .map(({ occurredAt }) => occurredAt.toISOString().slice(0, 10))
    .toReversed();

test('a month leaves the trail only after its export was written, read back and found complete, and both are in the trail', async () => {
  await expect(admin('drop-audit-month', '2026-08', file('none'))).rejects.toThrow('The file cannot be read.');
  await writeFile(file('empty'), '');
  await expect(admin('drop-audit-month', '2026-08', file('empty'))).rejects.toThrow('has not been exported');
  const { result, words } = await admin('export-audit-month', '2026-08', file('august'));
  expect(words).toBe('2 entries of 2026-08 are in the file and its SHA-256 is on record.');
  const lines = (await readFile(file('august'), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { occurredAt: string }).occurredAt)).toEqual([
    '2026-08-01T00:00:00.000Z',
    '2026-08-31T23:59:59.999Z',
  ]);
  await expect(admin('export-audit-month', '2026-08', file('august'))).rejects.toThrow('The file cannot be written (EEXIST).');

  await writeFile(file('cut'), `${lines[0]}\n`);
  await expect(admin('drop-audit-month', '2026-08', file('cut'))).rejects.toThrow('The file is not the last export of 2026-08.');
  await entry(new Date('2026-08-15T00:00:00Z'));
  await expect(admin('drop-audit-month', '2026-08', file('august'))).rejects.toThrow('Export the month again.');
  expect(await trail()).toHaveLength(5);

  await admin('export-audit-month', '2026-08', file('again'));
  await world.em().transactional(async (backup) => {
    await sql(backup, 'select from audit_entry limit 1');
    await expect(admin('drop-audit-month', '2026-08', file('again'))).rejects.toThrow('Nothing was removed; try again later.');
  });
  expect(await trail()).toHaveLength(5);
  await admin('drop-audit-month', '2026-08', file('again'));
  expect(await trail()).toEqual(['2026-07-31', '2026-09-01']);
  expect(await world.rows(`select to_regclass('audit_entry_202608') as partition`)).toEqual([{ partition: null }]);
  await expect(admin('drop-audit-month', '2026-08', file('again'))).rejects.toThrow('has been dropped already');
  await expect(admin('export-audit-month', '2026-08', file('third'))).rejects.toThrow('has been dropped already');
  const recorded = await world.rows<{ action: string; details: object }>(
    `select action, details from audit_entry where action like 'audit_trail.%' order by id`,
  );
  expect(recorded.map(({ action }) => action)).toEqual([
    'audit_trail.month_exported',
    'audit_trail.month_exported',
    'audit_trail.month_dropped',
  ]);
  expect(recorded[0]?.details).toEqual({ month: '2026-08', entries: 2, sha256: result?.slice(0, 64) });
});

test('a month whose entries had no partition leaves in the same way, and nothing else with it', async () => {
  await admin('export-audit-month', '2026-07', file('july'));
  await admin('drop-audit-month', '2026-07', file('july'));
  expect(await trail()).toEqual(['2026-09-01']);
  // The trail is as append-only as before.
  await expect(world.rows('delete from audit_entry')).rejects.toThrow('append-only');
  await expect(world.rows('truncate audit_entry')).rejects.toThrow('append-only');
  await expect(world.rows(`update audit_entry set action = 'feed.reset'`)).rejects.toThrow('append-only');
  await expect(world.rows('delete from audit_entry_202609')).rejects.toThrow('append-only');
  for (const part of ['audit_entry_202609', 'audit_entry_default'])
    await expect(world.rows(`truncate ${part}`)).rejects.toThrow(`${part} is append-only`);
});

test.each([
  ['2026-11', 'must have been over for a day'],
  ['2026-13', 'Write the month as in 2026-05.'],
  ['august', 'Write the month as in 2026-05.'],
])('%s cannot be exported: it is not over, or no month', async (month, words) => {
  await expect(admin('export-audit-month', month, file('never'))).rejects.toThrow(words);
});

test('the history of the gate goes on over the end of a month', async () => {
  for (const day of ['2026-09-30', '2026-10-01', '2026-10-02']) await entry(new Date(`${day}T12:00:00Z`));
  const read = (after: string | null) => gateHistory(world.em(), { first: 2, after });
  const page = await read(null);
  const rest = await read(page.pageInfo.endCursor);
  expect([page, rest].flatMap(itemsOf).map(({ changedAt }) => changedAt.toISOString().slice(0, 10))).toEqual([
    '2026-10-02',
    '2026-10-01',
    '2026-09-30',
    '2026-09-01',
  ]);
});

test('entries of one moment are on one page each, and once in an export, however many digits their numbers have', async () => {
  const at = new Date('2026-06-01T12:00:00Z');
  await world.rows(
    `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id)
     select $1, 'system', 'x', 'production_gate.closed', 'service', 'production' from generate_series(1, 120)`,
    [at],
  );
  const stored = (
    await world.rows<{ id: string }>(`select id::text from audit_entry where occurred_at = $1 order by audit_entry.id desc`, [at])
  ).map(({ id }) => id);
  const lists = {
    trail: (after: string | null) => auditEntries(world.em(), { filter: { to: new Date('2026-06-02') }, first: 7, after }),
    actor: (after: string | null) => auditEntries(world.em(), { filter: { actorId: 'x', to: new Date('2026-06-02') }, first: 7, after }),
    gate: (after: string | null) => gateHistory(world.em(), { first: 7, after }),
  };
  for (const [name, list] of Object.entries(lists)) {
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const page: Awaited<ReturnType<typeof list>> = await list(after);
      seen.push(...itemsOf(page as Awaited<ReturnType<typeof lists.trail>>).map(({ id }) => id));
      ({ endCursor: after, hasNextPage: more } = page.pageInfo);
    }
    expect([name, seen.filter((id) => stored.includes(id))]).toEqual([name, stored]);
  }
  expect((await admin('export-audit-month', '2026-06', file('june'))).words).toMatch(/^120 entries/);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { generateCorpus } from '../../../server/domain/sandbox/generator/generateCorpus.ts';
import { storeCorpus } from '../../../server/domain/sandbox/corpus/storeCorpus.ts';
import type { Change } from '../../../server/domain/tracking/diff.ts';
import { applyChanges } from '../../domain/tracking/applyChanges.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

type Snapshot = { id: string; type: string; history_complete: boolean };
type History = { history_complete: boolean; items: { sequence: number; changes: Change[] }[]; next_after?: number };

let world: MachineWorld;
let machine: MachineClient;

/** A client with the sandbox that the worker would build for it. */
beforeAll(async () => {
  world = await openWorld({ machine: true });
  const operator = await world.backEnd();
  machine = operator.machine;
  for (const quota of ['requests_per_minute', 'requests_per_hour']) await world.fixtures.override(operator.client, quota, 10_000);
  const now = new Date('2026-11-21T10:00:00.250Z');
  const corpus = generateCorpus({ seed: 'history', now, scopes: allScopes });
  const owner = { clientNumber: operator.client.number, clientId: operator.client.id, generation: 1, scopes: allScopes, now };
  await world.em().transactional((tx) => storeCorpus(tx, owner, corpus));
});
afterAll(() => world.close());

const perShare = new Set(['id', 'type', 'revision', 'updated_at', 'connection_id', 'scopes', 'history_complete']);
const dataOf = (snapshot: Snapshot) => Object.fromEntries(Object.entries(snapshot).filter(([name]) => !perShare.has(name)));

async function historyOf({ id, type }: Snapshot): Promise<History> {
  const items: History['items'] = [];
  for (let after = 0; ;) {
    const { status, body } = await machine.call(`/v1/${type}s/${id}/history?after=${after}&limit=5`);
    expect(status).toBe(200);
    const page = body as History;
    items.push(...page.items);
    if (page.next_after === undefined) return { ...page, items };
    after = page.next_after;
  }
}

test('in a sandbox every complete history, replayed from nothing, gives the resource’s snapshot', async () => {
  const first = (await machine.call('/v1/sync')).body as { upserts: Snapshot[]; next_cursor: string };
  const second = (await machine.call(`/v1/sync?updated_since=${first.next_cursor}`)).body as { upserts: Snapshot[] };
  const snapshots = [...first.upserts, ...second.upserts];
  const sample = snapshots.filter((snapshot, index) => index % 5 === 0 || !snapshot.history_complete);
  expect(snapshots).toHaveLength(550);
  expect(sample.flatMap(({ history_complete, type }) => (history_complete ? [] : [type])).sort()).toEqual(['order', 'vehicle']);
  for (const snapshot of sample) {
    const history = await historyOf(snapshot);
    expect(history.history_complete).toBe(snapshot.history_complete);
    const sequences = history.items.map((item) => item.sequence);
    expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
    const replayed = history.items.reduce((state, item) => applyChanges(state, item.changes), {});
    if (history.history_complete) expect(replayed).toEqual(dataOf(snapshot));
  }
});

test('a sandbox has a statistics generation, in which no group is smaller than 20', async () => {
  const { status, body } = await machine.call('/v1/statistics/orders');
  const { groups } = body as { groups: { count: number }[] };
  expect(status).toBe(200);
  expect(groups.length).toBeGreaterThan(0);
  expect(groups.every(({ count }) => count >= 20)).toBe(true);
});

import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestClient } from '../../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { Sharing } from '../../support/feed/sharing.ts';
import { median, spreadOfSplits } from '../../support/database/medians.ts';

/** Attempts of each kind. Unknown codes are tried twice as often, so that they can be compared with themselves. */
const samples = Number(process.env['REDEEM_TIMING_SAMPLES'] ?? 60);
const callers = Number(process.env['REDEEM_TIMING_CALLERS'] ?? 8);
/** Fewer than it takes to block a code. */
const attemptsPerCode = 4;
/** How much small samples on a busy machine may differ, in milliseconds. */
const tolerated = samples >= 2_000 ? 0 : 1;

type Kind = 'unknown' | 'expired' | 'used' | 'foreign';

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

async function codesOf(client: TestClient, count: number): Promise<string[]> {
  const codes: string[] = [];
  for (let index = 0; index < count; index += 1) codes.push((await sharing.code(client)).code);
  return codes;
}

/** All attempts, in random order. */
async function attempts(client: TestClient, stranger: TestClient): Promise<{ kind: Kind; code: string }[]> {
  const perKind = Math.ceil(samples / attemptsPerCode);
  const expired = await codesOf(client, perKind);
  world.clock.advance(10 * 60_000);
  const used = await codesOf(client, perKind);
  for (const code of used) await sharing.redeem(client, code);
  const foreign = await codesOf(stranger, perKind);
  const pick = (kind: Kind, codes: readonly string[]) =>
    Array.from({ length: samples }, (_, index) => ({ kind, code: codes[Math.floor(index / attemptsPerCode)] ?? '' }));
  const unknown = Array.from({ length: 2 * samples }, (_, index) => ({ kind: 'unknown' as const, code: String(index).padStart(10, '0') }));
  return shuffled([...unknown, ...pick('expired', expired), ...pick('used', used), ...pick('foreign', foreign)]);
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

test(`${samples} unknown, expired, used and foreign codes each are refused after the same time`, async () => {
  const { client, machine } = await world.backEnd();
  const stranger = await world.backEnd();
  for (const quota of [
    'requests_per_minute',
    'concurrent_requests',
    'link_code_redemptions_per_hour',
    'link_code_redemptions_per_ip_per_15_minutes',
  ])
    await world.fixtures.override(client, quota, 1_000_000);
  const queue = await attempts(client, stranger.client);
  const times: Record<Kind, number[]> = { unknown: [], expired: [], used: [], foreign: [] };
  const redeem = (code: string) => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code }, describe: false });
  await Promise.all(Array.from({ length: callers }, () => redeem('9999999999')));
  const calling = Array.from({ length: callers }, async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const started = performance.now();
      const { status } = await redeem(next.code);
      times[next.kind].push(performance.now() - started);
      expect(status).toBe(404);
    }
  });
  await Promise.all(calling);
  const spread = spreadOfSplits(times.unknown, 1_000);
  const unknown = median(times.unknown);
  const differences = Object.entries(times).map(([kind, values]) => ({
    kind,
    median: median(values),
    difference: median(values) - unknown,
  }));
  const { REDEEM_TIMING_REPORT: report } = process.env;
  if (report) await writeFile(report, JSON.stringify({ spread, differences }, null, 2));
  for (const { difference } of differences) expect(Math.abs(difference)).toBeLessThanOrEqual(Math.max(spread, tolerated));
  expect(Math.min(...Object.values(times).flat())).toBeGreaterThanOrEqual(100);
}, 600_000);

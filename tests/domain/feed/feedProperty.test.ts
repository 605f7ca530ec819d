import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabaseClients, type DatabaseClients } from '../../../rest-api/database/databaseClients.ts';
import { createCursorCodecs } from '../../../server/domain/feed/cursor.ts';
import { soleKey } from '../../../server/domain/shared/keySet.ts';
import { seededRandom } from '../../../server/domain/sandbox/generator/seededRandom.ts';
import { FeedReader } from '../../support/feed/feedReader.ts';
import { differences, feedFaults, feedTruth, watchGrants } from '../../support/feed/feedTruth.ts';
import { FeedWriters } from '../../support/feed/feedWriters.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

const seconds = Number(process.env['FEED_PROPERTY_SECONDS'] ?? 30);
/** All writers pause at this interval, so that each reader's copy can be compared with what is true at that moment. */
const roundMs = 750;
let world: World;
let clients: DatabaseClients;

beforeAll(async () => {
  world = await openWorld({ poolMax: 10 });
  clients = openDatabaseClients(world.urls.machineApi);
});

afterAll(async () => {
  await clients.close();
  await world.close();
});

test(
  `eight writers and four readers for ${seconds} s: every reader's copy is the truth, no revision falls, nobody blocks another for good`,
  async () => {
    const operators = [];
    for (let index = 0; index < 3; index += 1) operators.push(await world.fixtures.listeningClient());
    const numbers = operators.map(({ number }) => number);
    const writers = new FeedWriters(world, operators);
    const codec = createCursorCodecs(soleKey(randomBytes(32)));
    const readers = [
      new FeedReader(clients, codec, { kind: 'plain', limit: 500 }),
      new FeedReader(clients, codec, { kind: 'plain', limit: 7 }),
      new FeedReader(clients, codec, { kind: 'crashing', limit: 40 }),
      new FeedReader(clients, codec, { kind: 'trusting 304', limit: 60 }),
    ];
    await watchGrants(world.fixtures.sql);
    await writers.start();

    const randoms = Array.from({ length: 8 }, (_, index) => seededRandom(`writer ${index}`));
    const choices = readers.map((_, index) => seededRandom(`reader ${index}`));
    const wrong: string[] = [];
    let compared = 0;
    const until = async (end: number, act: () => Promise<unknown>) => {
      while (Date.now() < end) await act();
    };
    for (const stop = Date.now() + seconds * 1_000; Date.now() < stop;) {
      const end = Math.min(stop, Date.now() + roundMs);
      await Promise.all([
        ...randoms.map((random) => until(end, () => writers.write(random))),
        // A little slower than they could be, because otherwise writers would hardly get a turn.
        ...readers.map((reader, index) => until(end, async () => Promise.all([reader.sync(choices[index]!.pick(numbers)), delay(4)]))),
      ]);
      for (const number of numbers) {
        const truth = await feedTruth(world.fixtures.sql, number);
        for (const reader of readers) {
          while (!(await reader.sync(number)));
          wrong.push(...differences(reader.copyOf(number), truth));
          compared += truth.records.size + truth.tombstones.size;
        }
      }
      if (wrong.length > 0) break;
    }

    const report = JSON.stringify({ writes: writers.counts, compared, readers: readers.map((reader) => reader.counts) });
    if (process.env['FEED_PROPERTY_REPORT']) console.log(report);
    expect({
      errors: writers.errors.slice(0, 20),
      violations: readers.flatMap((reader) => reader.violations),
      wrong: wrong.slice(0, 20),
    }).toEqual({
      errors: [],
      violations: [],
      wrong: [],
    });
    expect(await feedFaults(world.fixtures.sql)).toEqual([]);
    for (const action of [
      'upsert',
      'share',
      'revoke resource',
      'revoke connection',
      'narrow',
      'extend',
      'withdraw',
      'change client scopes',
      'store results',
    ]) {
      expect(writers.counts[action] ?? 0).toBeGreaterThan(0);
    }
    expect(readers[2]!.counts.crashes * readers[3]!.counts.notModified * readers[0]!.counts.recoveries).toBeGreaterThan(0);
  },
  (seconds + 60) * 1_000,
);

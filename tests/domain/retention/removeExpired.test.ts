import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Orm } from '../../../server/database/orm.ts';
import { removeExpired } from '../../../server/domain/retention/removeExpired.ts';
import { retention } from '../../../server/domain/retention/retention.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { redeemAttempts } from '../../support/world/sharingFixtures.ts';

const now = new Date('2026-11-20T12:00:00Z');
let world: World;
let orm: Orm;
beforeAll(async () => {
  world = await openWorld({ poolMax: 2 });
  ({ orm } = world);
});
afterAll(() => world.close());

const rows = (text: string) => sql<Record<string, unknown>>(orm.em.fork(), text);

test('a table that cannot be cleaned up keeps no other one from being cleaned up, and is named', async () => {
  await redeemAttempts(world, { source: '192.0.2.1', since: new Date('2026-11-01T00:00:00Z') }, 1);
  await redeemAttempts(world, { source: '192.0.2.2', since: new Date('2026-11-20T11:59:00Z') }, 1);
  await rows('alter table email_change rename to email_change_away');
  try {
    await expect(removeExpired(orm.em.fork(), { now })).rejects.toThrow('Not all could be removed from: email_change.');
  } finally {
    await rows('alter table email_change_away rename to email_change');
  }
  expect(await rows('select source::text from redeem_source')).toEqual([{ source: '192.0.2.2' }]);
  await removeExpired(orm.em.fork(), { now });
});

test('what is forgotten is found by an index, whatever the size of the table', async () => {
  for (const { what, sliceSql } of retention) {
    const plan = await orm.em.fork().transactional(async (tx) => {
      await sql(tx, 'set local enable_seqscan = off');
      return sql<{ 'QUERY PLAN': string }>(tx, `explain ${sliceSql.replaceAll('$1', `'${now.toISOString()}'`).replaceAll('$2', '5000')}`);
    });
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect([what, /Seq Scan/.test(text)]).toEqual([what, false]);
  }
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../server/domain/shared/ids.ts';
import { emitEvent } from '../../../server/domain/webhook/emitEvent.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

const hour = 60 * 60 * 1000;
let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('an event of a new revision is over after 24 hours, any other after 7 days', async () => {
  const { no: clientNo } = await world.fixtures.listeningClient();
  const [connectionId, revocationId, generationId] = [newId('con'), newId('rev'), newId('gen')];
  const resource = { id: newId('ord'), type: 'order' } as const;
  await emitEvent(
    world.orm.em.fork(),
    [
      { type: 'connection.created', clientNo, connectionId },
      { type: 'resource.granted', clientNo, connectionId, resource },
      { type: 'resource.updated', clientNo, connectionId, resource },
      { type: 'resource.revoked', clientNo, connectionId, resource, revocationId },
      { type: 'connection.revoked', clientNo, connectionId, revocationId },
      { type: 'statistics.updated', clientNo, generationId },
      { type: 'integration.suspended', clientNo },
    ],
    new Date('2026-11-21T10:00:00.250Z'),
  );
  const stored = await world.fixtures.sql<{ type: string; occurred: Date; expires: Date }[]>`
    select type, occurred_at as occurred, expires_at as expires from webhook_event where client_no = ${clientNo}`;
  expect(Object.fromEntries(stored.map(({ type, occurred, expires }) => [type, (expires.getTime() - occurred.getTime()) / hour]))).toEqual({
    'connection.created': 7 * 24,
    'resource.granted': 7 * 24,
    'resource.updated': 24,
    'resource.revoked': 7 * 24,
    'connection.revoked': 7 * 24,
    'statistics.updated': 7 * 24,
    'integration.suspended': 7 * 24,
  });
});

import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import type { TestClient } from '../world/Fixtures.ts';
import type { World } from '../world/World.ts';
import type { TestEndpoint } from './endpointRows.ts';

/** A new endpoint with its client, and its owner as the one who acts. */
export type OwnEndpoint = { readonly client: TestClient; readonly endpoint: TestEndpoint; readonly actor: OperatorActor };

type Described = Parameters<World['fixtures']['webhookEndpoint']>[1];

/** Makes them, each a new one. */
export async function ownEndpoint(world: World, described: Described = {}): Promise<OwnEndpoint> {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client, described);
  return {
    client,
    endpoint,
    actor: { type: 'operator', operatorId: client.operatorId, roles: [], ip: '192.0.2.1', requestId: 'req_test' },
  };
}

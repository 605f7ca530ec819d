import type { ClientActor, ServiceTokenActor } from '../../../server/domain/shared/actor.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { allScopes, type Scope } from '../../../server/domain/shared/scopes.ts';
import { createLinkCode } from '../../../server/domain/sharing/link-code/createLinkCode.ts';
import type { IssuedLinkCode } from '../../../server/domain/sharing/link-code/issueLinkCode.ts';
import { redeemLinkCode } from '../../../server/domain/sharing/link-code/redeemLinkCode.ts';
import { revokeConnection } from '../../../server/domain/sharing/revocation/revokeConnection.ts';
import { revokeResource } from '../../../server/domain/sharing/revocation/revokeResource.ts';
import type { UpsertInput } from '../../../server/domain/tracking/judgeUpserts.ts';
import { upsertTrackedResources } from '../../../server/domain/tracking/upsertTrackedResources.ts';
import type { TestClient } from '../world/Fixtures.ts';
import type { World } from '../world/World.ts';

type Environment = 'sandbox' | 'production';
type Share = { readonly connectionId: string; readonly orders: string[]; readonly vehicles: string[] };

const someOrder = { status: 'placed', model: 'Kestrel', market: 'DE', option_codes: ['MKE', 'TLR2'], ordered_on: '2026-05-01' };
const someVehicle = { status: 'available', model: 'Tarn', market: 'NL', listed_on: '2026-05-01' };

/** The order-tracking service's side of a machine API under test: the domain's own commands, without shortcuts. */
export class Sharing {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  actor(environment: Environment): ServiceTokenActor {
    return { type: 'service_token', tokenId: newId('svt'), environment, ip: '127.0.0.1', requestId: newId('req') };
  }

  async upsert(environment: Environment, resources: readonly UpsertInput[]) {
    return upsertTrackedResources(this.#world.em(), {
      actor: this.actor(environment),
      lookupKeys: this.#world.keyRing.lookup,
      resources,
      now: this.#world.clock.now(),
    });
  }

  /** A code for new orders of a new user and new stock vehicles; none of them is shared yet. */
  async code(
    client: TestClient,
    { orders = 1, vehicles = 0, scopes = allScopes }: { orders?: number; vehicles?: number; scopes?: readonly Scope[] } = {},
  ): Promise<IssuedLinkCode> {
    const [user, prefix] = [newId('key'), newId('key')];
    const keys = (type: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${type}-${index}`);
    const [orderKeys, vehicleKeys] = [keys('order', orders), keys('vehicle', vehicles)];
    const known = { version: '1', historyComplete: true };
    await this.upsert(client.environment, [
      ...orderKeys.map((key) => ({ ...known, type: 'order' as const, key, user, data: someOrder })),
      ...vehicleKeys.map((key) => ({ ...known, type: 'vehicle' as const, key, data: someVehicle })),
    ]);
    return this.codeFor(client, { user, orders: orderKeys, vehicles: vehicleKeys, scopes });
  }

  /** A code for orders and vehicles that were handed in before. */
  async codeFor(
    client: TestClient,
    named: { user: string; orders?: readonly string[]; vehicles?: readonly string[]; scopes?: readonly Scope[] },
  ): Promise<IssuedLinkCode> {
    return createLinkCode(this.#world.em(), {
      actor: this.actor(client.environment),
      lookupKeys: this.#world.keyRing.lookup,
      integrationId: client.integrationId,
      orders: [],
      vehicles: [],
      scopes: allScopes,
      statisticsOptedIn: false,
      ...named,
      now: this.#world.clock.now(),
    });
  }

  /** Redeems a code without HTTP and its quotas. */
  async redeem(client: TestClient, code: string): Promise<Share | null> {
    const actor: ClientActor = {
      type: 'client',
      clientId: client.id,
      certificateId: newId('crt'),
      ip: '127.0.0.1',
      requestId: newId('req'),
    };
    const { keyRing, clock } = this.#world;
    const redeemed = await redeemLinkCode(this.#world.em(), { actor, client, lookupKeys: keyRing.lookup, code, now: clock.now() });
    if (!redeemed) return null;
    const ids = (type: string) => redeemed.resources.filter((resource) => resource.type === type).map(({ id }) => id);
    return { connectionId: redeemed.connectionId, orders: ids('order'), vehicles: ids('vehicle') };
  }

  /** A connection of a new user with new resources. */
  async share(client: TestClient, options: Parameters<Sharing['code']>[1] = {}): Promise<Share> {
    const share = await this.redeem(client, (await this.code(client, options)).code);
    if (!share) throw new Error('The code was not redeemable.');
    return share;
  }

  /** Revokes one resource; returns the revocation's ID. */
  async revokeResource(client: TestClient, resourceId: string): Promise<string> {
    const now = this.#world.clock.now();
    const revoked = await this.#world.em().transactional((tx) => revokeResource(tx, { clientNumber: client.number, resourceId, now }));
    return revoked?.revocationId ?? '';
  }

  /** Revokes a whole connection; returns the revocation's ID. */
  async revokeConnection(client: TestClient, connectionId: string): Promise<string> {
    const now = this.#world.clock.now();
    const revoked = await this.#world.em().transactional((tx) => revokeConnection(tx, { clientNumber: client.number, connectionId, now }));
    return revoked?.revocationId ?? '';
  }

  /** Opens both production gates for an integration, as the service's decision does. */
  async openGates(client: TestClient): Promise<void> {
    const { sql } = this.#world.fixtures;
    await sql`update integration set production_gate_open = true where id = ${client.integrationId}`;
    await sql`update service_gate set production_data_enabled = true`;
  }
}

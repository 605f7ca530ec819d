import { redeemLinkCode } from '../../../server/domain/sharing/link-code/redeemLinkCode.ts';
import type { PortalClient } from '../clients/portalClient.ts';
import type { TestClient } from './Fixtures.ts';
import { sampleOrder, sampleVehicle } from './samples.ts';
import type { World } from './World.ts';

type Resources = { orders?: readonly string[]; vehicles?: readonly string[] };
export type Redeemed = { connectionId: string; resources: { id: string; type: 'order' | 'vehicle' }[] };

/** Clients to share with, for programs that call the portal with their tokens. */
export class Tooling {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** An active integration with a production client and both gates open. */
  async productionClient(): Promise<TestClient> {
    const client = await this.#world.fixtures.client({ environment: 'production', status: 'active' });
    await this.#world.fixtures.sql`update integration set production_gate_open = true where id = ${client.integrationId}`;
    await this.#world.fixtures.sql`update service_gate set production_data_enabled = true`;
    return client;
  }

  /** Hands in orders of a user and stock vehicles at version 1. */
  async upsert(program: PortalClient, user: string, { orders = [], vehicles = [] }: Resources): Promise<void> {
    const known = { version: '1', historyComplete: true };
    const resources = [
      ...orders.map((key) => ({ ...known, type: 'order', key, user, data: sampleOrder })),
      ...vehicles.map((key) => ({ ...known, type: 'vehicle', key, data: sampleVehicle })),
    ];
    await program.must('upsertTrackedResources', { input: { resources } });
  }

  /** Hands in the resources and shares them through a code that the client redeems. */
  async share(program: PortalClient, client: TestClient, user: string, resources: Resources): Promise<Redeemed> {
    await this.upsert(program, user, resources);
    const input = { integrationId: client.integrationId, user, ...resources, scopes: await this.scopesOf(client), statisticsOptedIn: true };
    const { code } = await program.must<{ code: string }>('createLinkCode', { input });
    const redeemed = await this.redeem(client, code);
    if (!redeemed) throw new Error('The code was not redeemable.');
    return redeemed;
  }

  redeem(client: TestClient, code: string): Promise<Redeemed | null> {
    const { keyRing, clock } = this.#world;
    return redeemLinkCode(this.#world.em(), {
      actor: { type: 'client', clientId: client.id, certificateId: 'crt_test', ip: '127.0.0.1', requestId: 'req_test' },
      client,
      lookupKeys: keyRing.lookup,
      code,
      now: clock.now(),
    });
  }

  private async scopesOf({ number }: TestClient): Promise<string[]> {
    const [row] = await this.#world.fixtures.sql<{ scopes: string[] }[]>`select scopes from client where number = ${number}`;
    return row?.scopes ?? [];
  }
}

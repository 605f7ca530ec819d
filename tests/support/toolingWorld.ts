import { redeemLinkCode } from '../../server/domain/sharing/link-code/redeemLinkCode.ts';
import { Fixtures, type TestClient } from './fixtures.ts';
import { startPortalApplication, type PortalApplication } from './portalApplication.ts';
import type { PortalClient } from './portalClient.ts';
import { sampleOrder, sampleVehicle } from './trackingWorld.ts';

type Resources = { orders?: readonly string[]; vehicles?: readonly string[] };
export type Redeemed = { connectionId: string; resources: { id: string; type: 'order' | 'vehicle' }[] };

/** A portal with clients to share with, for programs that call it with their tokens. */
export class ToolingWorld {
  readonly application: PortalApplication;
  readonly fixtures: Fixtures;

  private constructor(application: PortalApplication) {
    this.application = application;
    this.fixtures = new Fixtures(application.databaseUrl);
  }

  static async open(): Promise<ToolingWorld> {
    return new ToolingWorld(await startPortalApplication());
  }

  async close(): Promise<void> {
    await this.fixtures.end();
    await this.application.stop();
  }

  /** An active integration with a production client and both gates open. */
  async productionClient(): Promise<TestClient> {
    const client = await this.fixtures.client({ environment: 'production', status: 'active' });
    await this.fixtures.sql`update integration set production_gate_open = true where id = ${client.integrationId}`;
    await this.fixtures.sql`update service_gate set production_data_enabled = true`;
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

  /** Hands the resources in and shares them by a code that the client redeems. */
  async share(program: PortalClient, client: TestClient, user: string, resources: Resources): Promise<Redeemed> {
    await this.upsert(program, user, resources);
    const input = { integrationId: client.integrationId, user, ...resources, scopes: await this.scopesOf(client), statisticsOptedIn: true };
    const { code } = await program.must<{ code: string }>('createLinkCode', { input });
    const redeemed = await this.redeem(client, code);
    if (!redeemed) throw new Error('The code was not redeemable.');
    return redeemed;
  }

  redeem(client: TestClient, code: string): Promise<Redeemed | null> {
    const { orm, keyRing, clock } = this.application;
    return redeemLinkCode(orm.em.fork(), {
      actor: { type: 'client', clientId: client.id, certificateId: 'crt_test', ip: '127.0.0.1', requestId: 'req_test' },
      client,
      lookupKey: keyRing.lookup,
      code,
      now: clock.now(),
    });
  }

  private async scopesOf({ no }: TestClient): Promise<string[]> {
    const [row] = await this.fixtures.sql<{ scopes: string[] }[]>`select scopes from client where no = ${no}`;
    return row?.scopes ?? [];
  }
}

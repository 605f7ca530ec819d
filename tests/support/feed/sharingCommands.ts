import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientActor, ServiceTokenActor } from '../../../server/domain/shared/actor.ts';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { allScopes, type Scope } from '../../../server/domain/shared/scopes.ts';
import { acknowledgeRevocation } from '../../../server/domain/sharing/deletion/acknowledgeRevocation.ts';
import { createLinkCode } from '../../../server/domain/sharing/link-code/createLinkCode.ts';
import { extendShare } from '../../../server/domain/sharing/consent/extendShare.ts';
import { narrowShare } from '../../../server/domain/sharing/consent/narrowShare.ts';
import { redeemLinkCode } from '../../../server/domain/sharing/link-code/redeemLinkCode.ts';
import { revokeShare } from '../../../server/domain/sharing/revocation/revokeShare.ts';
import { setStatisticsParticipation } from '../../../server/domain/sharing/consent/setStatisticsParticipation.ts';
import { withdrawTrackedResources } from '../../../server/domain/sharing/revocation/withdrawTrackedResources.ts';
import type { TestClient } from '../world/Fixtures.ts';
import { sampleOrder, sampleShipping, sampleVehicle } from '../world/samples.ts';
import type { World } from '../world/World.ts';
import { Tracking } from '../world/Tracking.ts';

type Consent = { scopes?: readonly Scope[]; statisticsOptedIn?: boolean };
type Named = { orders?: readonly string[]; vehicles?: readonly string[] };

/** A connection, with the keys and IDs of what it was made with, in the same order. */
export type TestShare = {
  user: string;
  connectionId: string;
  orders: { key: string; id: string }[];
  vehicles: { key: string; id: string }[];
};

/** The sharing commands as the tooling and operators' back ends call them, at a time that the test sets. */
export class SharingCommands {
  readonly #world: World;
  readonly #tracking: Tracking;
  now = new Date('2026-11-21T10:00:00.250Z');
  #serial = 0;

  constructor(world: World) {
    this.#world = world;
    this.#tracking = new Tracking(world);
  }

  get em() {
    return this.#world.em();
  }

  advance(milliseconds: number): void {
    this.now = new Date(this.now.getTime() + milliseconds);
  }

  tooling(environment: 'sandbox' | 'production' = 'sandbox'): ServiceTokenActor {
    return this.#tracking.actor(environment);
  }

  /** The arguments that every command of the tooling gets. */
  by(client: Pick<TestClient, 'environment'> = { environment: 'sandbox' }) {
    return { actor: this.tooling(client.environment), lookupKeys: this.#tracking.lookupKeys, now: this.now };
  }

  backEnd(client: TestClient): ClientActor {
    return { type: 'client', clientId: client.id, certificateId: 'crt_test', ip: '127.0.0.1', requestId: 'req_test' };
  }

  newUser(): string {
    return newId('key');
  }

  /** Hands in new orders of a user, with shipping data, and new stock vehicles; returns their keys. */
  async track(client: Pick<TestClient, 'environment'>, user: string, { orders = 1, vehicles = 0 } = {}) {
    const keys = (kind: string, count: number) => Array.from({ length: count }, () => `${kind}-${(this.#serial += 1)}`);
    const named = { orders: keys('order', orders), vehicles: keys('vehicle', vehicles) };
    const known = { version: '1', historyComplete: true };
    await this.#tracking.upsert(
      [
        ...named.orders.map((key) => ({ ...known, type: 'order' as const, key, user, data: { ...sampleOrder, shipping: sampleShipping } })),
        ...named.vehicles.map((key) => ({ ...known, type: 'vehicle' as const, key, data: sampleVehicle })),
      ],
      { environment: client.environment, now: this.now },
    );
    return named;
  }

  code(client: TestClient, user: string, { orders = [], vehicles = [], scopes = allScopes, statisticsOptedIn = false }: Named & Consent) {
    const input = { ...this.by(client), integrationId: client.integrationId, user, orders, vehicles, scopes, statisticsOptedIn };
    return createLinkCode(this.em, input);
  }

  redeem(client: TestClient, code: string) {
    return redeemLinkCode(this.em, { ...this.by(client), actor: this.backEnd(client), client, code });
  }

  /** A redeemed connection of new resources. */
  async share(
    client: TestClient,
    { user = this.newUser(), orders = 1, vehicles = 0, ...consent }: { user?: string; orders?: number; vehicles?: number } & Consent = {},
  ): Promise<TestShare> {
    const keys = await this.track(client, user, { orders, vehicles });
    const { code } = await this.code(client, user, { ...keys, ...consent });
    const redeemed = await this.redeem(client, code);
    if (!redeemed) throw new Error('The code was not redeemable.');
    const named = (type: 'order' | 'vehicle', list: readonly string[]) =>
      Promise.all(list.map(async (key) => ({ key, id: await this.idOf(client, redeemed.connectionId, { type, key }) })));
    return {
      user,
      connectionId: redeemed.connectionId,
      orders: await named('order', keys.orders),
      vehicles: await named('vehicle', keys.vehicles),
    };
  }

  /** The ID under which a connection shares, or last shared, a resource. */
  async idOf(client: TestClient, connectionId: string, resource: { type: 'order' | 'vehicle'; key: string }): Promise<string> {
    const tracked = await this.#tracking.stored(resource, client.environment);
    const [share] = await this.#world.fixtures.sql<{ id: string }[]>`
      select id from shared_resource where client_number = ${client.number} and connection_id = ${connectionId} and tracked_resource_id = ${tracked?.id ?? null}
       order by revocation_id is null desc, position desc limit 1`;
    return share?.id ?? '';
  }

  extend(client: TestClient, connectionId: string, { orders = [], vehicles = [], scopes = [] }: Named & { scopes?: readonly string[] }) {
    return extendShare(this.em, { ...this.by(client), connectionId, orders, vehicles, scopes });
  }

  narrow(client: TestClient, connectionId: string, { orders = [], vehicles = [], scopes = [] }: Named & { scopes?: readonly string[] }) {
    return narrowShare(this.em, { ...this.by(client), connectionId, orders, vehicles, scopes });
  }

  revoke(client: TestClient, connectionId: string, resource: { type: 'order' | 'vehicle'; key: string } | null = null) {
    return revokeShare(this.em, { ...this.by(client), connectionId, resource });
  }

  participate(client: TestClient, user: string, optedIn: boolean) {
    return setStatisticsParticipation(this.em, { ...this.by(client), integrationId: client.integrationId, user, optedIn });
  }

  withdraw(resources: readonly { type: 'order' | 'vehicle'; key: string }[], client?: TestClient) {
    return withdrawTrackedResources(this.em, { ...this.by(client), resources });
  }

  acknowledge(client: TestClient, revocationId: string, { key = newId('key'), completed = true, now = this.now } = {}) {
    const actor = this.backEnd(client);
    return acknowledgeRevocation(this.em, {
      actor,
      client,
      revocationId,
      idempotencyKey: key,
      deletionCompleted: completed,
      now,
    });
  }

  /** The client's feed in its order; a connection's own record has no type. */
  async feed(client: TestClient) {
    return this.#world.fixtures.sql<FeedRow[]>`
      select position::int as position, id, type, revision::int as revision, consented, revocation_id as revocation, updated_at as "updatedAt"
        from shared_resource where client_number = ${client.number}
       union all select position::int, id, null, null, null, revocation_id, null from connection where client_number = ${client.number} and position is not null
       order by position`;
  }

  /** The client's events in the order of their causes, without their own IDs and times. */
  async events(client: TestClient) {
    return this.#world.fixtures.sql<{ type: string; connection: string; resource: string | null; revocation: string | null }[]>`
      select type, connection_id as connection, resource_id as resource, revocation_id as revocation from webhook_event
       where client_number = ${client.number} order by occurred_at, type, resource_id`;
  }

  /** The audit trail of one subject. */
  async trail(subjectId: string) {
    return this.#world.fixtures.sql<{ action: string; actor: string; operator: string; integration: string; details: unknown }[]>`
      select action, actor_type as actor, operator_id as operator, integration_id as integration, details from audit_entry where subject_id = ${subjectId} order by id`;
  }

  /**
   * Runs a command while another transaction has done `first` but not committed, and returns whether the command had to wait for it. Once
   * it waits, the other transaction does `meanwhile`.
   */
  async behind<Result>(
    first: (tx: EntityManager) => Promise<unknown>,
    command: () => Promise<Result>,
    meanwhile?: (tx: EntityManager) => Promise<unknown>,
  ): Promise<{ waited: boolean; result: Result }> {
    let started: Promise<Result> | undefined;
    let waited = false;
    await this.em.transactional(async (tx) => {
      await first(tx);
      started = command();
      let settled = false;
      const settle = () => void (settled = true);
      started.then(settle, settle);
      while (!settled && !waited) {
        const waiting = await this.#world.fixtures.sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        waited = waiting.length > 0;
      }
      await meanwhile?.(tx);
    });
    return { waited, result: await started! };
  }

  /** Opens both production gates for an integration. */
  async openGates({ integrationId }: TestClient): Promise<void> {
    await this.#world.fixtures.sql`update integration set production_gate_open = true where id = ${integrationId}`;
    await this.#world.fixtures.sql`update service_gate set production_data_enabled = true`;
  }
}

type FeedRow = {
  position: number;
  id: string;
  type: 'order' | 'vehicle' | null;
  revision: number;
  consented: number;
  revocation: string | null;
  updatedAt: Date;
};

/** How a command refuses: its code, and the paths of the fields that it names. */
export async function refusalOf(command: Promise<unknown>): Promise<{ code: string; paths: string[]; message: string }> {
  const refusal = await command.then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal instanceof DomainError) {
    return { code: refusal.code, paths: refusal.fields.map(({ path }) => path), message: refusal.message };
  }
  throw new Error('The command did not refuse.', { cause: refusal });
}

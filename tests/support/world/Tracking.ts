import type { ServiceTokenActor } from '../../../server/domain/shared/actor.ts';
import type { LookupKeys } from '../../../server/domain/shared/keySet.ts';
import { sourceKey, userRef } from '../../../server/domain/shared/lookupKeys.ts';
import { allScopes, type Scope } from '../../../server/domain/shared/scopes.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import { issueLinkCode } from '../../../server/domain/sharing/link-code/issueLinkCode.ts';
import { redeemLinkCode } from '../../../server/domain/sharing/link-code/redeemLinkCode.ts';
import type { UpsertInput } from '../../../server/domain/tracking/judgeUpserts.ts';
import { upsertTrackedResources } from '../../../server/domain/tracking/upsertTrackedResources.ts';
import type { TestClient } from './Fixtures.ts';
import type { World } from './World.ts';

/** The order-tracking service's tooling and the users who share what it knows; the clock is the caller's argument. */
export class Tracking {
  readonly lookupKeys: LookupKeys;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    this.lookupKeys = world.keyRing.lookup;
  }

  actor(environment: 'sandbox' | 'production' = 'sandbox'): ServiceTokenActor {
    return { type: 'service_token', tokenId: 'svt_test', environment, ip: '127.0.0.1', requestId: 'req_test' };
  }

  userRef(user: string, environment: 'sandbox' | 'production' = 'sandbox'): Buffer {
    return userRef(this.lookupKeys, environment, user);
  }

  upsert(
    resources: readonly UpsertInput[],
    { now = new Date(), environment }: { now?: Date; environment?: 'sandbox' | 'production' } = {},
  ) {
    return upsertTrackedResources(this.#world.em(), { actor: this.actor(environment), lookupKeys: this.lookupKeys, resources, now });
  }

  /** The row that the service keeps for this order or vehicle. */
  async stored({ type, key }: Pick<UpsertInput, 'type' | 'key'>, environment: 'sandbox' | 'production' = 'sandbox') {
    const [row] = await this.#world.fixtures.sql<StoredResource[]>`
      select id, source_version as version, core, shipping, history_complete as "historyComplete", withdrawn_at as "withdrawnAt" from tracked_resource
       where environment = ${environment} and type = ${type} and source_key = ${sourceKey(this.lookupKeys, environment, type, key)}`;
    return row;
  }

  /**
   * A user shares these resources with a client through a link code. Returns what the redemption returns, or null. `pinned`: whether making
   * the code waits for updates under way, as it does in the service.
   */
  async redeem(
    client: TestClient,
    user: string,
    resources: readonly Pick<UpsertInput, 'type' | 'key'>[],
    { scopes = allScopes, now = new Date(), pinned = true }: { scopes?: readonly Scope[]; now?: Date; pinned?: boolean } = {},
  ) {
    const { lookupKeys } = this;
    const { environment } = client;
    const keys = resources.map(({ type, key }) => sourceKey(lookupKeys, environment, type, key));
    const { code } = await this.#world.em().transactional(async (tx) => {
      const rows = await sql<{ id: string }>(
        tx,
        `select id from tracked_resource where environment = $1 and source_key = any($2::bytea[]) order by id ${pinned ? 'for share' : ''}`,
        [environment, keys],
      );
      const trackedResourceIds = rows.map((row) => row.id);
      const consent = { scopes, statisticsOptedIn: false, profileVersion: 1 };
      return issueLinkCode(tx, { client, userRef: this.userRef(user, environment), trackedResourceIds, ...consent, lookupKeys, now });
    });
    return redeemLinkCode(this.#world.em(), {
      actor: { type: 'client', clientId: client.id, certificateId: 'crt_test', ip: '127.0.0.1', requestId: 'req_test' },
      client,
      lookupKeys,
      code,
      now,
    });
  }

  /** The same, with the IDs of the shared resources in the given order. */
  async share(...parameters: Parameters<Tracking['redeem']>): Promise<{ connectionId: string; ids: string[] }> {
    const [client, , resources] = parameters;
    const redeemed = await this.redeem(...parameters);
    if (!redeemed) throw new Error('The code was not redeemable.');
    const shares = await this.#world.fixtures.sql<{ id: string; tracked: string }[]>`
      select id, tracked_resource_id as tracked from shared_resource where client_number = ${client.number} and connection_id = ${redeemed.connectionId}`;
    const rows = await Promise.all(resources.map((resource) => this.stored(resource, client.environment)));
    return { connectionId: redeemed.connectionId, ids: rows.map((row) => shares.find((share) => share.tracked === row?.id)?.id ?? '') };
  }

  /** A share as it is in its client's feed. */
  async shareRow(client: TestClient, id: string) {
    const [row] = await this.#world.fixtures.sql<{ revision: string; position: string; updatedAt: Date }[]>`
      select revision, position, updated_at as "updatedAt" from shared_resource where client_number = ${client.number} and id = ${id}`;
    return row;
  }

  /** Everything in every table of the product, as one text. */
  async everything(): Promise<string> {
    const tables = await this.#world.fixtures.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`;
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await this.#world.fixtures.sql.unsafe<{ text: string }[]>(
        `select row_to_json(t)::text as text from "${name}" t order by 1`,
      );
      texts.push(`${name}\n${rows.map((row) => row.text).join('\n')}`);
    }
    return texts.join('\n');
  }
}

type StoredResource = {
  id: string;
  version: string;
  core: string;
  shipping: string | null;
  historyComplete: boolean;
  withdrawnAt: Date | null;
};

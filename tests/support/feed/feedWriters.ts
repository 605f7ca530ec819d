import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { raiseEpoch } from '../../../server/domain/feed/lockFeeds.ts';
import { allScopes, type Scope } from '../../../server/domain/shared/scopes.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import { eraseUser } from '../../../server/domain/sharing/revocation/eraseUser.ts';
import { extendShare } from '../../../server/domain/sharing/consent/extendShare.ts';
import { narrowShare } from '../../../server/domain/sharing/consent/narrowShare.ts';
import { revokeConnection } from '../../../server/domain/sharing/revocation/revokeConnection.ts';
import { revokeResource } from '../../../server/domain/sharing/revocation/revokeResource.ts';
import { withdrawTrackedResources } from '../../../server/domain/sharing/revocation/withdrawTrackedResources.ts';
import { clearSandbox } from '../../../server/domain/sandbox/corpus/clearSandbox.ts';
import { seededRandom, type Random } from '../../../server/domain/sandbox/generator/seededRandom.ts';
import { vehicleStatuses } from '../../../server/domain/tracking/allowlist.ts';
import type { UpsertInput } from '../../../server/domain/tracking/judgeUpserts.ts';
import { storeResults } from '../../../server/domain/webhook/delivery/storeResults.ts';
import { discardWaiting } from '../../../server/domain/outbox/discardDeliveries.ts';
import type { TestClient } from '../world/Fixtures.ts';
import { sampleOrder, sampleShipping, sampleVehicle } from '../world/samples.ts';
import type { World } from '../world/World.ts';
import { Tracking } from '../world/Tracking.ts';

const users = ['anna', 'bert', 'cleo', 'dora'] as const;
const ordersPerUser = 12;
const vehicles = Array.from({ length: 12 }, (_, index) => `vehicle-${index}`);
const codes = ['MKE', 'TLR2', 'PFB4', 'TOW1', 'WNT1'] as const;
/** A client always keeps one read scope, and narrowing a consent by one of these never ends it. */
const changeable: readonly Scope[] = ['shipping.read', 'vehicles.read', 'orders.history.read', 'vehicles.history.read', 'revocations.ack'];

const ordersOf = (user: string) => Array.from({ length: ordersPerUser }, (_, index) => `order-${user}-${index}`);

/** Makes every kind of change to feeds, at random, by the service's own commands. Refusals are counted by code; other errors are noted. */
export class FeedWriters {
  readonly counts: Record<string, number> = {};
  readonly errors: string[] = [];
  readonly #versions = new Map<string, number>();
  readonly #world: World;
  readonly #tracking: Tracking;
  readonly #clients: readonly TestClient[];
  #storing = Promise.resolve(true);

  constructor(world: World, clients: readonly TestClient[]) {
    this.#world = world;
    this.#tracking = new Tracking(world);
    this.#clients = clients;
  }

  /** Prepares resources, so that the first link codes have something to share. */
  async start(): Promise<void> {
    const random = seededRandom('start');
    const all = [
      ...users.flatMap((user) => ordersOf(user).map((key) => this.#order(random, user, key))),
      ...vehicles.map((key) => this.#vehicle(random, key)),
    ];
    await this.#tracking.upsert(all);
  }

  /** Makes one random change. */
  async write(random: Random): Promise<void> {
    const action = random.weighted(this.#actions);
    try {
      const done = await action.run(random);
      this.#count(done ? action.name : `${action.name} (nothing to do)`);
    } catch (error) {
      if (error instanceof DomainError) this.#count(`${action.name} (${error.code})`);
      else this.errors.push(`${action.name}: ${String(error)}`);
    }
  }

  readonly #actions: readonly { name: string; weight: number; run(random: Random): Promise<boolean> }[] = [
    { name: 'store results', weight: 30, run: (random) => this.#storeResults(random) },
    { name: 'upsert', weight: 48, run: (random) => this.#upsert(random) },
    { name: 'share', weight: 16, run: (random) => this.#share(random) },
    { name: 'revoke resource', weight: 9, run: (random) => this.#revokeResource(random) },
    { name: 'revoke connection', weight: 5, run: (random) => this.#revokeConnection(random) },
    { name: 'narrow', weight: 9, run: (random) => this.#narrow(random) },
    { name: 'extend', weight: 9, run: (random) => this.#extend(random) },
    { name: 'withdraw', weight: 2, run: (random) => this.#withdraw(random) },
    { name: 'erase user', weight: 1, run: (random) => this.#eraseUser(random) },
    { name: 'clear sandbox', weight: 1, run: (random) => this.#clearSandbox(random) },
    { name: 'change client scopes', weight: 3, run: (random) => this.#changeClientScopes(random) },
  ];

  /** What the one elected pump writes about attempts that have failed, while others change what these are about. */
  async #storeResults(random: Random): Promise<boolean> {
    const stored = this.#storing.then(() => this.#storeSome(random));
    this.#storing = stored.catch(() => false);
    return stored;
  }

  async #storeSome(random: Random): Promise<boolean> {
    const rows = await this.#world.rows<{ number: string; endpoint: number; attempts: number }>(
      `select number, endpoint_number as endpoint, attempts from webhook_delivery where state = 'pending' order by md5(number::text || $1) limit 100`,
      [String(random.between(0, 1_000))],
    );
    const now = Date.now();
    const attempt = { startedAt: now, dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1, address: null };
    const sent = { url: 'https://a.test', payloadMode: 'notification', revision: null, bodySha256: null } as const;
    await storeResults(
      (text, values) => this.#world.rows(text, values),
      rows.map(({ number, endpoint, attempts }) => ({
        number: Number(number),
        endpointNumber: endpoint,
        action: 'retryDelivery',
        attempts: attempts + 1,
        reason: null,
        nextAttemptAt: now,
        waitAsked: false,
        finishedAt: null,
        attempt: { ...attempt, ...sent, status: 503, error: null, response: null, keyId: 'test' },
      })),
    );
    return rows.length > 0;
  }

  async #upsert(random: Random): Promise<boolean> {
    const batch = new Map<string, UpsertInput>();
    for (let left = random.between(1, 15); left > 0; left -= 1) {
      const user = random.pick(users);
      const member = random.chance(0.8)
        ? this.#order(random, user, random.pick(ordersOf(user)))
        : this.#vehicle(random, random.pick(vehicles));
      batch.set(member.key, member);
    }
    const { created, updated } = await this.#tracking.upsert(random.shuffled([...batch.values()]));
    return created + updated > 0;
  }

  /** There are only a few states of each section, so that often only one section changes. */
  #order(random: Random, user: string, key: string): UpsertInput {
    const shipping = random.chance(0.7)
      ? { ...sampleShipping, vessel: random.pick(['Opal Sound', 'Jade Estuary', 'Amber Tideway']) }
      : null;
    const option_codes = random.pick([codes.slice(0, 2), codes]);
    const data = { ...sampleOrder, status: random.pick(['placed', 'built'] as const), option_codes, shipping };
    return { type: 'order', key, user, version: this.#version(random, key), historyComplete: random.chance(0.9), data };
  }

  #vehicle(random: Random, key: string): UpsertInput {
    const data = { ...sampleVehicle, status: random.pick(vehicleStatuses) };
    return { type: 'vehicle', key, version: this.#version(random, key), historyComplete: true, data };
  }

  /** Mostly the next version, sometimes an old one. */
  #version(random: Random, key: string): string {
    const last = this.#versions.get(key) ?? 0;
    if (last > 0 && random.chance(0.1)) return String(random.between(0, last));
    this.#versions.set(key, last + 1);
    return String(last + 1);
  }

  async #share(random: Random): Promise<boolean> {
    const { orders, vehicles: stock, user } = this.#choice(random);
    const resources = [
      ...orders.map((key) => ({ type: 'order' as const, key })),
      ...stock.map((key) => ({ type: 'vehicle' as const, key })),
    ];
    const scopes = allScopes.filter((scope) => !changeable.includes(scope) || random.chance(0.8));
    return (await this.#tracking.redeem(random.pick(this.#clients), user, resources, { scopes })) !== null;
  }

  #choice(random: Random): { user: string; orders: string[]; vehicles: string[] } {
    const user = random.pick(users);
    const orders = random.shuffled(ordersOf(user)).slice(0, random.between(1, 5));
    return { user, orders, vehicles: random.shuffled(vehicles).slice(0, random.between(0, 2)) };
  }

  async #revokeResource(random: Random): Promise<boolean> {
    const client = random.pick(this.#clients);
    const [share] = await sql<{ id: string }>(
      this.#world.em(),
      'select id from shared_resource where client_number = $1 and revocation_id is null order by random() limit 1',
      [client.number],
    );
    if (!share) return false;
    const act = { clientNumber: client.number, resourceId: share.id, now: new Date() };
    const revoked = await this.#world.em().transactional((tx) => revokeResource(tx, act));
    return revoked !== null && !revoked.alreadyRevoked;
  }

  async #revokeConnection(random: Random): Promise<boolean> {
    const connection = await this.#liveConnection(random);
    if (!connection) return false;
    const act = { clientNumber: connection.clientNumber, connectionId: connection.id, now: new Date() };
    const revoked = await this.#world.em().transactional((tx) => revokeConnection(tx, act));
    return revoked !== null && !revoked.alreadyRevoked;
  }

  async #narrow(random: Random): Promise<boolean> {
    const connection = await this.#liveConnection(random);
    if (!connection) return false;
    const scopes = random.shuffled(changeable).slice(0, random.between(1, 2));
    await narrowShare(this.#world.em(), { ...this.#tooling(), connectionId: connection.id, orders: [], vehicles: [], scopes });
    return true;
  }

  async #extend(random: Random): Promise<boolean> {
    const connection = await this.#liveConnection(random);
    if (!connection) return false;
    const user = connection.user;
    const orders = random.shuffled(ordersOf(user)).slice(0, random.between(0, 2));
    const scopes = random.shuffled(changeable).slice(0, random.between(0, 2));
    await extendShare(this.#world.em(), { ...this.#tooling(), connectionId: connection.id, orders, vehicles: [], scopes });
    return true;
  }

  async #withdraw(random: Random): Promise<boolean> {
    const { orders, vehicles: stock } = this.#choice(random);
    const resources = [
      ...orders.map((key) => ({ type: 'order' as const, key })),
      ...stock.map((key) => ({ type: 'vehicle' as const, key })),
    ];
    const { withdrawn } = await withdrawTrackedResources(this.#world.em(), { ...this.#tooling(), resources });
    return withdrawn > 0;
  }

  async #eraseUser(random: Random): Promise<boolean> {
    const { deletedOrders } = await eraseUser(this.#world.em(), { ...this.#tooling(), user: random.pick(users) });
    return deletedOrders > 0;
  }

  /** What a regenerated corpus begins with. */
  async #clearSandbox(random: Random): Promise<boolean> {
    const now = new Date();
    await this.#world.em().transactional(async (tx) => {
      const numbers = await clearSandbox(tx, random.pick(this.#clients).number);
      await discardWaiting(tx, { numbers, reason: 'sandbox_replaced', now });
    });
    return true;
  }

  #tooling() {
    return { actor: this.#tracking.actor(), lookupKeys: this.#tracking.lookupKeys, now: new Date() };
  }

  /** Does what revising a sandbox's profile does: locks the client's row first, then its feed, whose epoch rises. */
  async #changeClientScopes(random: Random): Promise<boolean> {
    const { number } = random.pick(this.#clients);
    const scopes = allScopes.filter((scope) => !changeable.includes(scope) || random.chance(0.75));
    await this.#world.em().transactional(async (tx) => {
      await sql(tx, 'select 1 from client where number = $1 for no key update', [number]);
      await raiseEpoch(tx, number, new Date());
      await sql(tx, 'update client set scopes = $2 where number = $1', [number, scopes]);
    });
    return true;
  }

  async #liveConnection(random: Random): Promise<{ clientNumber: number; id: string; user: string } | null> {
    const client = random.pick(this.#clients);
    const [row] = await sql<{ id: string; userRef: Buffer }>(
      this.#world.em(),
      'select id, user_ref as "userRef" from connection where client_number = $1 and revocation_id is null order by random() limit 1',
      [client.number],
    );
    const user = users.find((name) => row && this.#tracking.userRef(name).equals(row.userRef));
    return row && user ? { clientNumber: client.number, id: row.id, user } : null;
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

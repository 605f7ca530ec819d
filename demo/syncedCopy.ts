import {
  type Capabilities,
  type Feed,
  type OperatorClient,
  Problem,
  type Snapshot,
  type StatisticsGeneration,
  type Synced,
} from '../kit/src/index.ts';
import { memoryFeed } from '../kit/src/memory.ts';
import { expectThat, Surprise } from './Surprise.ts';

export type Resource = Snapshot;

/** docs/specification.md, “Test data”: what a sandbox contains if its scopes allow it, and the one tombstone that is kept. */
const corpus = { orders: 500, vehicles: 50, tombstones: 1 } as const;

type Changes = Synced & { readonly brought: readonly Resource[]; readonly gone: readonly string[] };

/** The operator's copy, which the kit keeps in memory, with what each sync has brought. */
export class SyncedCopy {
  readonly feed: Feed;
  readonly #client: OperatorClient;
  #brought: Resource[] = [];
  #gone: string[] = [];

  constructor(client: OperatorClient) {
    this.#client = client;
    this.feed = memoryFeed({
      upserted: (_memory, snapshot) => this.#brought.push(snapshot),
      ended: (_memory, { id }) => this.#gone.push(id),
    });
  }

  async sync(): Promise<Changes> {
    [this.#brought, this.#gone] = [[], []];
    const synced = await this.#client.sync(this.feed);
    return { ...synced, brought: this.#brought, gone: this.#gone };
  }
}

/** The first call of a session: who the certificate says that we are. */
export async function readCapabilities(
  client: OperatorClient,
  expected: { integrationId: string; clientId: string; scopes: readonly string[] },
): Promise<Capabilities> {
  const capabilities = await client.assertCapabilities();
  expectThat(
    capabilities.client_id === expected.clientId && capabilities.integration_id === expected.integrationId,
    'The capabilities belong to another client.',
  );
  expectThat(
    expected.scopes.toSorted().join() === capabilities.scopes.toSorted().join(),
    `The client does not have the scopes that were requested, but: ${capabilities.scopes.join(', ')}.`,
  );
  return capabilities;
}

export type FirstSync = {
  readonly orders: readonly Resource[];
  readonly vehicles: readonly Resource[];
  readonly tombstones: number;
  readonly pages: number;
};

/** The first sync of a sandbox, compared with what the scopes allow. */
export async function syncEverything(copy: SyncedCopy, scopes: readonly string[]): Promise<FirstSync> {
  const { brought, pages, recovered } = await copy.sync();
  const data = {
    orders: brought.filter(({ type }) => type === 'order'),
    vehicles: brought.filter(({ type }) => type === 'vehicle'),
    tombstones: (await copy.feed.dueDeletions()).length,
    pages,
  };
  const expected = {
    orders: scopes.includes('orders.read') ? corpus.orders : 0,
    vehicles: scopes.includes('vehicles.read') ? corpus.vehicles : 0,
  };
  expectThat(
    recovered &&
      data.orders.length === expected.orders &&
      data.vehicles.length === expected.vehicles &&
      data.tombstones === corpus.tombstones,
    `The sync brought ${summary(data)}; the demo expected ${expected.orders} orders, ${expected.vehicles} vehicles, ${corpus.tombstones} tombstone.`,
  );
  return data;
}

/** Syncs twice: the first finds an empty page, whose validator the second sends. */
export async function expectUnchanged(copy: SyncedCopy): Promise<void> {
  const [first, second] = [await copy.sync(), await copy.sync()];
  expectThat(first.pages === 1 && first.upserts === 0, 'The feed contains changes that the demo has not made.');
  expectThat(second.pages === 0, 'The sync with If-None-Match did not get 304.');
}

/** The figures of a sync in words. */
export function summary({ orders, vehicles, tombstones }: Omit<FirstSync, 'pages'>): string {
  return `${orders.length} orders, ${vehicles.length} vehicles, ${tombstones} ${tombstones === 1 ? 'tombstone' : 'tombstones'}`;
}

/** Reads one resource by its id. */
export async function readOne(client: OperatorClient, { id, type }: Pick<Resource, 'id' | 'type'>): Promise<Resource> {
  return (await (type === 'order' ? client.order(id) : client.vehicle(id))).value;
}

/** Reads one resource by its id. It must be the one that the sync brought, at the same revision. */
export async function readDetail(client: OperatorClient, synced: Resource): Promise<string> {
  const { id, revision, status } = await readOne(client, synced);
  expectThat(id === synced.id && revision === synced.revision, `${synced.id} differs from what the sync brought.`);
  return `${id}, revision ${revision}, ${status}`;
}

/** The latest generation of the statistics. No group may be smaller than the generation states. */
export async function readStatistics(client: OperatorClient): Promise<StatisticsGeneration> {
  const { value } = await client.statistics();
  expectThat(
    value.groups.every(({ count }) => count >= value.minimum_group_size),
    'A group in the statistics is below the minimum size.',
  );
  return value;
}

/** A call that must be refused with this status and code. Resolves to the refusal. */
export async function expectRefusal(call: Promise<unknown>, expected: { status: number; code: string }): Promise<Problem> {
  const refusal = await call.then(
    () => new Surprise(`The call was not refused with ${expected.status} ${expected.code}.`),
    (error: unknown) => error,
  );
  if (refusal instanceof Problem && refusal.status === expected.status && refusal.code === expected.code) return refusal;
  throw refusal;
}

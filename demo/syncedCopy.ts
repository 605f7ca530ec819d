import { z } from 'zod';
import type { MachineApiClient } from './MachineApiClient.ts';
import { expectThat } from './Surprise.ts';

const resource = z.looseObject({
  id: z.string(),
  type: z.enum(['order', 'vehicle']),
  revision: z.int().min(1),
  connection_id: z.string(),
  status: z.string(),
});
const page = z.object({
  upserts: z.array(resource),
  tombstones: z.array(z.looseObject({ revocation_id: z.string(), resource: z.looseObject({ id: z.string() }).optional() })),
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});
const capabilities = z.looseObject({
  environment: z.literal('sandbox'),
  client_id: z.string(),
  integration_id: z.string(),
  scopes: z.array(z.string()),
  quotas: z.looseObject({ requests_per_minute: z.int() }),
});

/** docs/specification.md, “Test data”: what a sandbox contains if its scopes allow it, and the one tombstone that is kept. */
const corpus = { orders: 500, vehicles: 50, tombstones: 1 } as const;
const recordsPerPage = 500;

export type Resource = z.infer<typeof resource>;
export type SyncedCopy = {
  readonly orders: readonly Resource[];
  readonly vehicles: readonly Resource[];
  readonly tombstones: number;
  readonly pages: number;
  /** The path and ETag of the last page, to ask for it again. */
  readonly last: { readonly path: string; readonly etag: string };
  /** Where the next sync continues. */
  readonly cursor: string;
};
export type Changes = z.infer<typeof page>;

/** The first call of a session: who the certificate says that we are. */
export async function readCapabilities(
  api: MachineApiClient,
  expected: { integrationId: string; clientId: string; scopes: readonly string[] },
) {
  const { body } = await api.read('/capabilities', capabilities, { conditional: false });
  expectThat(
    body.client_id === expected.clientId && body.integration_id === expected.integrationId,
    'The capabilities belong to another client.',
  );
  expectThat(
    [...expected.scopes].sort().join() === [...body.scopes].sort().join(),
    `The client does not have the scopes that were requested, but: ${body.scopes.join(', ')}.`,
  );
  return body;
}

/** Follows the feed from beginning to end, as an operator's initial sync does, and compares it with what the scopes allow. */
export async function syncEverything(api: MachineApiClient, scopes: readonly string[]): Promise<SyncedCopy> {
  const copy = new Map<string, Resource>();
  const revocations = new Set<string>();
  let path = '/sync';
  for (let pages = 1; pages <= 10; pages += 1) {
    const { body, etag } = await api.read(path, page);
    expectThat(body.upserts.length + body.tombstones.length <= recordsPerPage, `A page contains more than ${recordsPerPage} records.`);
    for (const upsert of body.upserts) copy.set(upsert.id, upsert);
    for (const tombstone of body.tombstones) {
      revocations.add(tombstone.revocation_id);
      if (tombstone.resource) copy.delete(tombstone.resource.id);
    }
    const synced = { copy, tombstones: revocations.size, pages, last: { path, etag }, cursor: body.next_cursor };
    if (!body.has_more) return checked(synced, scopes);
    path = `/sync?updated_since=${encodeURIComponent(body.next_cursor)}`;
  }
  expectThat(false, 'The feed did not end within ten pages.');
}

/** What is new since the cursor. In the demo, that is never more than one page. */
export async function syncChanges(api: MachineApiClient, cursor: string): Promise<Changes> {
  const { body } = await api.read(`/sync?updated_since=${encodeURIComponent(cursor)}`, page);
  expectThat(!body.has_more, 'The feed contains more changes than the demo made.');
  return body;
}

type Synced = { copy: ReadonlyMap<string, Resource>; tombstones: number; pages: number; last: SyncedCopy['last']; cursor: string };

function checked({ copy, tombstones, pages, last, cursor }: Synced, scopes: readonly string[]): SyncedCopy {
  const resources = [...copy.values()];
  const data = {
    orders: resources.filter(({ type }) => type === 'order'),
    vehicles: resources.filter(({ type }) => type === 'vehicle'),
    tombstones,
    pages,
    last,
    cursor,
  };
  const expected = {
    orders: scopes.includes('orders.read') ? corpus.orders : 0,
    vehicles: scopes.includes('vehicles.read') ? corpus.vehicles : 0,
  };
  expectThat(
    data.orders.length === expected.orders && data.vehicles.length === expected.vehicles && tombstones === corpus.tombstones,
    `The sync brought ${summary(data)}; the demo expected ${expected.orders} orders, ${expected.vehicles} vehicles, ${corpus.tombstones} tombstone.`,
  );
  return data;
}

/** The figures of a sync in words. */
export function summary({ orders, vehicles, tombstones }: Pick<SyncedCopy, 'orders' | 'vehicles' | 'tombstones'>): string {
  return `${orders.length} orders, ${vehicles.length} vehicles, ${tombstones} ${tombstones === 1 ? 'tombstone' : 'tombstones'}`;
}

/** Reads one resource by its id. It must be the one that the sync brought, at the same revision. */
export async function readDetail(api: MachineApiClient, synced: Resource): Promise<string> {
  const { body } = await api.read(`/${synced.type}s/${synced.id}`, resource);
  expectThat(body.id === synced.id && body.revision === synced.revision, `${synced.id} differs from what the sync brought.`);
  return `${body.id}, revision ${body.revision}, ${body.status}`;
}

const statistics = z.object({
  generation_id: z.string(),
  minimum_group_size: z.int().min(20),
  groups: z.array(z.looseObject({ market: z.string(), model: z.string(), status: z.string(), count: z.int() })),
});

/** The latest generation of the statistics. No group may be smaller than the generation states. */
export async function readStatistics(api: MachineApiClient): Promise<z.infer<typeof statistics>> {
  const { body } = await api.read('/statistics/orders', statistics);
  expectThat(
    body.groups.every(({ count }) => count >= body.minimum_group_size),
    'A group in the statistics is below the minimum size.',
  );
  return body;
}

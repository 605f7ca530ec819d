import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { takePositions } from '../../feed/lockFeeds.ts';
import { newId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { scopeBits, type Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';
import { orderStatistics, type OrderStatistics } from '../../statistics/orderStatistics.ts';
import { storeGeneration } from '../../statistics/storeGeneration.ts';
import {
  insertConnectionsSql,
  insertRevocationSql,
  insertSharedResourcesSql,
  insertTrackedChangesSql,
  insertTrackedResourcesSql,
  textSeparator,
} from './corpus.sql.ts';
import type { GeneratedCorpus, CorpusResource, CorpusUser } from '../generator/generateCorpus.ts';

/** Whose corpus it is, with the client's scopes. `now` is when it becomes visible. */
type CorpusOwner = {
  readonly clientNumber: number;
  readonly clientId: string;
  readonly generation: number;
  readonly scopes: readonly Scope[];
  readonly now: Date;
};

/**
 * Stores a corpus that was generated for the client's scopes, in the caller's transaction (READ COMMITTED): resources, history,
 * connections, the revocation, statistics, and last, under the feed's lock, the shares. The test users consent to exactly these scopes.
 */
export async function storeCorpus(tx: EntityManager, owner: CorpusOwner, corpus: GeneratedCorpus): Promise<void> {
  const userRefs = corpus.users.map((_, index) => keyOf(owner, 'user', index));
  if (!corpus.revoked) {
    await storeStatistics(tx, owner, statisticsOf(corpus, userRefs));
    return;
  }
  const resources = [...corpus.resources, corpus.revoked];
  const [ids, prepared] = await Promise.all([
    insertTrackedResources(tx, owner, resources, userRefs),
    // Node would otherwise only wait while the database works.
    setImmediate().then(() => prepare(corpus, resources, userRefs)),
  ]);
  await insertChanges(tx, resources, ids, prepared.changes);
  const connectionIds = await insertConnections(tx, owner, corpus.users, userRefs, new Set(resources.map(({ user }) => user)));
  const shares = resources.map((resource, index) => ({
    id: prepared.shareIds[index],
    connectionId: connectionIds.get(resource.user),
    revocationId: resource === corpus.revoked ? newId('rev') : null,
  }));
  const revoked = shares.at(-1);
  const deadline = new Date(owner.now.getTime() + limits.deletionDeadline);
  await sql(tx, insertRevocationSql, [owner.clientNumber, revoked?.revocationId, revoked?.id, revoked?.connectionId, owner.now, deadline]);
  await storeStatistics(tx, owner, prepared.statistics);

  const { base, epoch } = await takePositions(tx, owner.clientNumber, resources.length);
  await sql(tx, insertSharedResourcesSql, [
    owner.clientNumber,
    scopeBits(...owner.scopes),
    base,
    shares.map((share) => share.id),
    shares.map((share) => share.connectionId),
    ids,
    resources.map((resource) => resource.type),
    resources.map((resource) => resource.revision - epoch),
    resources.map((resource) => instant(resource.updatedAt)),
    shares.map((share) => share.revocationId),
  ]);
}

/** Everything that can be prepared without the database: the columns of the history, the shares' IDs and the statistics. */
function prepare(corpus: GeneratedCorpus, resources: readonly CorpusResource[], userRefs: readonly Buffer[]) {
  const items = resources.flatMap((resource) => resource.items);
  return {
    changes: [
      arrayLiteral(items.map((item) => item.sequence)),
      arrayLiteral(items.map((item) => item.section === 'shipping')),
      arrayLiteral(items.map((item) => item.occurredAt)),
      items.map((item) => JSON.stringify(item.changes)).join(textSeparator),
    ],
    shareIds: resources.map((resource) => newId(resource.type === 'order' ? 'ord' : 'veh')),
    statistics: statisticsOf(corpus, userRefs),
  };
}

/** The statistics that a generation over the stored rows would contain, without reading them back. */
function statisticsOf({ statisticsRows }: GeneratedCorpus, userRefs: readonly Buffer[]): OrderStatistics | null {
  const userOf = (row: { user: string }) => userRefs[Number(row.user)]?.toString('hex') ?? '';
  return statisticsRows && orderStatistics(statisticsRows.map((row) => ({ ...row, user: userOf(row) })));
}

async function storeStatistics(tx: EntityManager, { clientNumber, now }: CorpusOwner, statistics: OrderStatistics | null): Promise<void> {
  if (statistics) await storeGeneration(tx, { clientNumber, statistics, now });
}

/** Creates one connection for each user who shares something. Returns their IDs by the user's index. */
async function insertConnections(
  tx: EntityManager,
  owner: CorpusOwner,
  users: readonly CorpusUser[],
  userRefs: readonly Buffer[],
  sharing: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const connected = users.flatMap((user, index) => (sharing.has(index) ? [{ ...user, index, id: newId('con') }] : []));
  await sql(tx, insertConnectionsSql, [
    owner.clientNumber,
    owner.scopes,
    connected.map(({ id }) => id),
    connected.map(({ index }) => userRefs[index]),
    connected.map(({ optedIn }) => optedIn),
    connected.map(({ linkedAt }) => instant(linkedAt)),
  ]);
  return new Map(connected.map(({ index, id }) => [index, id]));
}

/** Returns the new rows' IDs in the order of the resources. */
async function insertTrackedResources(
  tx: EntityManager,
  owner: CorpusOwner,
  resources: readonly CorpusResource[],
  userRefs: readonly Buffer[],
): Promise<string[]> {
  const sourceKeys = resources.map((_, index) => keyOf(owner, 'resource', index));
  const rows = await sql<{ id: string; source_key: Buffer }>(tx, insertTrackedResourcesSql, [
    owner.clientNumber,
    resources.map((resource) => resource.type),
    sourceKeys,
    resources.map((resource) => resource.changedAt.length),
    // A stock vehicle belongs to nobody until it is sold.
    resources.map((resource) => (resource.type === 'order' ? userRefs[resource.user] : null)),
    resources.map((resource) => resource.projection.core).join(textSeparator),
    resources.map((resource) => resource.projection.shipping ?? '').join(textSeparator),
    resources.map((resource) => resource.historyComplete),
    resources.map((resource) => resource.items.at(-1)?.sequence ?? 0),
  ]);
  const byKey = new Map(rows.map((row) => [row.source_key.toString('hex'), row.id]));
  return sourceKeys.map((key) => byKey.get(key.toString('hex')) ?? '');
}

async function insertChanges(
  tx: EntityManager,
  resources: readonly CorpusResource[],
  ids: readonly string[],
  changes: readonly string[],
): Promise<void> {
  const idOfEach = resources.flatMap((resource, index) => resource.items.map(() => ids[index]));
  if (idOfEach.length === 0) return;
  await sql(tx, insertTrackedChangesSql, [arrayLiteral(idOfEach), ...changes]);
}

/** 32 bytes that no source key or user reference of the order-tracking service can equal, because those are keyed hashes. */
function keyOf({ clientId, generation }: CorpusOwner, kind: 'user' | 'resource', index: number): Buffer {
  return createHash('sha256').update(`synthetic ${kind} ${clientId} ${generation} ${index}`).digest();
}

/** An array as PostgreSQL reads it, without the quotes that numbers do not need. */
function arrayLiteral(values: readonly (string | number | boolean | undefined)[]): string {
  return `{${values.join(',')}}`;
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

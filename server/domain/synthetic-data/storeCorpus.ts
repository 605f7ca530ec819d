import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { allScopes, scopeBits } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { orderStatistics } from '../statistics/orderStatistics.ts';
import {
  insertConnectionsSql,
  insertRevocationSql,
  insertSharedResourcesSql,
  insertStatisticsGenerationSql,
  insertTrackedChangesSql,
  insertTrackedResourcesSql,
  takePositionsSql,
} from './corpus.sql.ts';
import type { SyntheticCorpus, SyntheticResource } from './generateCorpus.ts';

/** Whose corpus it is; `now` is when it becomes visible. */
export type CorpusOwner = { readonly clientNo: number; readonly clientId: string; readonly generation: number; readonly now: Date };

/**
 * Writes a whole corpus in the caller's transaction (READ COMMITTED): resources, history, connections, the revocation, statistics, and
 * last, under the feed's lock, the shares. All scopes are consented to; what is seen is decided at read time from the client's scopes.
 */
export async function storeCorpus(tx: EntityManager, owner: CorpusOwner, corpus: SyntheticCorpus): Promise<void> {
  const userRefs = corpus.users.map((_, index) => keyOf(owner, 'user', index));
  const resources = [...corpus.resources, corpus.revoked];
  const ids = await insertTrackedResources(tx, owner, resources, userRefs);
  await insertChanges(tx, resources, ids);

  const connectionIds = corpus.users.map(() => newId('con'));
  await sql(tx, insertConnectionsSql, [
    owner.clientNo,
    allScopes,
    connectionIds,
    userRefs,
    corpus.users.map((user) => user.optedIn),
    corpus.users.map((user) => instant(user.linkedAt)),
  ]);
  const shares = resources.map((resource) => ({
    id: newId(resource.type === 'order' ? 'ord' : 'veh'),
    connectionId: connectionIds[resource.user],
    revocationId: resource === corpus.revoked ? newId('rev') : null,
  }));
  const revoked = shares.at(-1);
  const deadline = new Date(owner.now.getTime() + limits.deletionDeadline);
  await sql(tx, insertRevocationSql, [owner.clientNo, revoked?.revocationId, revoked?.id, revoked?.connectionId, owner.now, deadline]);
  await publishStatistics(tx, owner, corpus);

  const [feed] = await sql<{ base: string }>(tx, takePositionsSql, [owner.clientNo, resources.length]);
  if (!feed) throw new Error(`Client ${owner.clientNo} has no feed.`);
  await sql(tx, insertSharedResourcesSql, [
    owner.clientNo,
    scopeBits(...allScopes),
    feed.base,
    shares.map((share) => share.id),
    shares.map((share) => share.connectionId),
    ids,
    resources.map((resource) => resource.type),
    resources.map((resource) => resource.revision),
    resources.map((resource) => instant(resource.updatedAt)),
    shares.map((share) => share.revocationId),
  ]);
}

/** The new rows' ids in the sequence of the resources. */
async function insertTrackedResources(
  tx: EntityManager,
  owner: CorpusOwner,
  resources: readonly SyntheticResource[],
  userRefs: readonly Buffer[],
): Promise<string[]> {
  const sourceKeys = resources.map((_, index) => keyOf(owner, 'resource', index));
  const rows = await sql<{ id: string; source_key: Buffer }>(tx, insertTrackedResourcesSql, [
    resources.map((resource) => resource.type),
    sourceKeys,
    resources.map((resource) => resource.changedAt.length),
    // A stock vehicle belongs to nobody until it is sold.
    resources.map((resource) => (resource.type === 'order' ? userRefs[resource.user] : null)),
    resources.map((resource) => resource.projection.core),
    resources.map((resource) => resource.projection.shipping),
    resources.map((resource) => resource.historyComplete),
    resources.map((resource) => resource.items.at(-1)?.sequence ?? 0),
  ]);
  const byKey = new Map(rows.map((row) => [row.source_key.toString('hex'), row.id]));
  return sourceKeys.map((key) => byKey.get(key.toString('hex')) ?? '');
}

async function insertChanges(tx: EntityManager, resources: readonly SyntheticResource[], ids: readonly string[]): Promise<void> {
  const items = resources.flatMap((resource, index) => resource.items.map((item) => ({ ...item, id: ids[index] })));
  await sql(tx, insertTrackedChangesSql, [
    items.map((item) => item.id),
    items.map((item) => item.sequence),
    items.map((item) => item.section),
    items.map((item) => instant(item.occurredAt)),
    items.map((item) => JSON.stringify(item.changes)),
  ]);
}

async function publishStatistics(tx: EntityManager, { clientNo, now }: CorpusOwner, { statisticsRows }: SyntheticCorpus): Promise<void> {
  const { groups, basis } = orderStatistics(statisticsRows);
  const today = now.toISOString().slice(0, 10);
  // Whole years, so that the period does not give away a single order's date.
  const period = [`${now.getUTCFullYear() - 4}-01-01`, today];
  await sql(tx, insertStatisticsGenerationSql, [
    clientNo,
    newId('gen'),
    now,
    ...period,
    limits.minimumGroupSize,
    JSON.stringify(groups),
    JSON.stringify(basis),
  ]);
}

/** 32 bytes that no source key or user reference of the order-tracking service can equal: those are keyed, these are of their own kind. */
function keyOf({ clientId, generation }: CorpusOwner, kind: 'user' | 'resource', index: number): Buffer {
  return createHash('sha256').update(`synthetic ${kind} ${clientId} ${generation} ${index}`).digest();
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

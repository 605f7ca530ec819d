import { noteLock, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { publish, type ChangedResource } from '../feed/publish.ts';
import type { ServiceTokenActor } from '../shared/actor.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import type { Environment } from '../shared/environment.ts';
import type { LookupKeys } from '../shared/keySet.ts';
import { inTurns, slicesOf } from '../shared/inTurns.ts';
import { limits } from '../shared/limits.ts';
import { sourceKey, userRef } from '../shared/lookupKeys.ts';
import { sql } from '../shared/sql.ts';
import type { ResourceType } from './allowlist.ts';
import type { Catalogue } from './catalogueTexts.ts';
import { historyItems, type NewHistoryItem } from './historyItems.ts';
import { judgeUpserts, type JudgedUpsert, type UpsertInput } from './judgeUpserts.ts';
import { lockBatches } from './lockBatches.ts';
import {
  findKnownKeysSql,
  insertChangesSql,
  insertNewSql,
  lockKnownSql,
  raiseVersionsSql,
  updateChangedSql,
} from './upsertTrackedResources.sql.ts';

type UpsertBatch = {
  readonly actor: ServiceTokenActor;
  readonly lookupKeys: LookupKeys;
  readonly resources: readonly UpsertInput[];
  /** The only values that fields from a catalogue may have; absent: any. */
  readonly catalogue?: Catalogue | undefined;
  readonly now: Date;
};

/** The result of a batch. `unchanged`: newer, but nothing that is stored differs. `ignored`: not newer than what is stored. */
type UpsertCounts = { readonly created: number; readonly updated: number; readonly unchanged: number; readonly ignored: number };

type Upsert = JudgedUpsert & { readonly path: string; readonly sourceKey: Buffer; readonly userRef: Buffer | null };

type LockedRow = {
  id: string;
  source_key: Buffer;
  source_version: string;
  user_ref: Buffer | null;
  core: string;
  shipping: string | null;
  history_complete: boolean;
  history_forgotten: boolean;
  last_sequence: string;
  withdrawn: boolean;
};

type Pair = { readonly upsert: Upsert; readonly row: LockedRow };

/** A stored resource's ID, its upsert, and the history that the upsert adds. */
type Change = { readonly id: string; readonly upsert: Upsert; readonly items: readonly NewHistoryItem[] };

/**
 * Stores what the order-tracking service knows about up to 1,000 orders and stock vehicles of its token's environment
 * (docs/specification.md, “Supplying resources”): their new projections and their history, and publishes them, all or nothing. Idempotent
 * by source key and version. A newer version brings a withdrawn resource back, shared with nobody. Waits for erasures in progress; what the
 * batch names of an erased user then starts again from nothing. Throws `invalid_request` with the path of whatever breaks a rule.
 */
export async function upsertTrackedResources(
  em: EntityManager,
  { actor, lookupKeys, resources, catalogue = {}, now }: UpsertBatch,
): Promise<UpsertCounts> {
  const { environment } = actor;
  const judged = await judgeUpserts(resources, catalogue, now);
  const upserts = await inTurns(judged, limits.rowsPerStatement, (upsert, index) => ({
    ...upsert,
    path: `resources[${index}]`,
    sourceKey: sourceKey(lookupKeys, environment, upsert.type, upsert.key),
    userRef: upsert.user === null ? null : userRef(lookupKeys, environment, upsert.user),
  }));
  return em.transactional((tx) => storeBatch(tx, environment, upserts, now));
}

async function storeBatch(tx: EntityManager, environment: Environment, upserts: readonly Upsert[], now: Date): Promise<UpsertCounts> {
  await lockBatches(tx, environment, 'shared');
  const created = await insertNew(tx, environment, upserts, now);
  const news = new Set(created.map(({ upsert }) => upsert));
  const known = upserts.filter((upsert) => !news.has(upsert));
  const locked = await lockKnown(tx, environment, known);
  refuseOtherUsers(locked);

  const newer = locked.filter(({ upsert, row }) => upsert.version > BigInt(row.source_version));
  const raised = newer.filter((pair) => !differs(pair));
  const changed = newer.filter(differs);
  const changes = await inTurns(changed, limits.resourcesPerTurn, ({ upsert, row }) => ({
    id: row.id,
    row,
    upsert,
    items: itemsOf(upsert, row, now),
  }));
  await raiseVersions(tx, raised);
  await updateChanged(tx, changes);
  await insertHistory(tx, [...created, ...changes]);
  await publish(tx, changed.map(changedSections), now);
  return { created: created.length, updated: changes.length, unchanged: raised.length, ignored: known.length - newer.length };
}

/** Inserts what is not stored yet. What another batch inserts at the same moment is left to the lock. */
async function insertNew(tx: EntityManager, environment: Environment, upserts: readonly Upsert[], now: Date): Promise<Change[]> {
  const rows = await sql<{ source_key: Buffer }>(tx, findKnownKeysSql, [environment, ...keyColumns(upserts)]);
  const known = new Set(rows.map((row) => row.source_key.toString('hex')));
  // All statements together insert in the order of the keys (`insertNewSql`).
  const fresh = upserts
    .filter((upsert) => !known.has(upsert.sourceKey.toString('hex')))
    .toSorted((one, other) => Buffer.compare(one.sourceKey, other.sourceKey));
  const unknown = await inTurns(fresh, limits.resourcesPerTurn, (upsert) => ({ upsert, items: itemsOf(upsert, null, now) }));
  const ids = new Map<string, string>();
  for (const slice of slicesOf(unknown, limits.rowsPerStatement))
    for (const row of await insertSlice(tx, environment, slice)) ids.set(row.source_key.toString('hex'), row.id);
  return unknown.flatMap(({ upsert, items }) => {
    const id = ids.get(upsert.sourceKey.toString('hex'));
    return id === undefined ? [] : [{ id, upsert, items }];
  });
}

function insertSlice(
  tx: EntityManager,
  environment: Environment,
  slice: readonly Omit<Change, 'id'>[],
): Promise<{ id: string; source_key: Buffer }[]> {
  const fresh = slice.map(({ upsert }) => upsert);
  noteLock(tx, 'trackedResource');
  return sql(tx, insertNewSql, [
    environment,
    ...keyColumns(fresh),
    fresh.map((upsert) => upsert.version),
    fresh.map((upsert) => upsert.userRef),
    fresh.map((upsert) => upsert.projection.core),
    fresh.map((upsert) => upsert.projection.shipping),
    fresh.map((upsert) => upsert.historyComplete),
    slice.map(({ items }) => items.at(-1)?.sequence ?? 0),
  ]);
}

async function lockKnown(tx: EntityManager, environment: Environment, known: readonly Upsert[]): Promise<Pair[]> {
  if (known.length === 0) return [];
  const rows = await takeLock<LockedRow>(tx, lockKnownSql, [environment, ...keyColumns(known)]);
  const byKey = new Map(rows.map((row) => [row.source_key.toString('hex'), row]));
  return known.map((upsert) => {
    const row = byKey.get(upsert.sourceKey.toString('hex'));
    if (!row) throw new Error('A resource that is on record was not found again: nothing but an erasure deletes one.');
    return { upsert, row };
  });
}

function refuseOtherUsers(locked: readonly Pair[]): void {
  const strangers = locked.filter(({ upsert, row }) => upsert.userRef?.toString('hex') !== row.user_ref?.toString('hex'));
  const message = 'The user of an order cannot change.';
  refuseInvalid(
    strangers.slice(0, limits.listedErrors).map(({ upsert: { path } }) => ({ path: `${path}.user`, message: `${path}.user: ${message}` })),
  );
}

/** Whether anything that is stored changes, besides the version. */
function differs(pair: Pair): boolean {
  const { core, shipping } = changedSections(pair);
  return core || shipping || pair.row.withdrawn;
}

/** `history_complete` is part of every snapshot, so a change of it counts as a change of the core. */
function changedSections({ upsert, row }: Pair): ChangedResource {
  const { projection } = upsert;
  return {
    trackedResourceId: row.id,
    core: projection.core !== row.core || hasWholeHistory({ upsert, row }) !== row.history_complete,
    shipping: projection.shipping !== row.shipping,
  };
}

/** What a withdrawal has deleted stays missing, whatever the order-tracking service knows. */
function hasWholeHistory({ upsert, row }: Pair): boolean {
  return upsert.historyComplete && !row.history_forgotten;
}

function itemsOf({ projection, path }: Upsert, row: LockedRow | null, now: Date): NewHistoryItem[] {
  const lastSequence = Number(row?.last_sequence ?? 0);
  return historyItems({ before: row, after: projection, lastSequence }, { recordedAt: now, path: `${path}.data` });
}

async function raiseVersions(tx: EntityManager, raised: readonly Pair[]): Promise<void> {
  if (raised.length === 0) return;
  await sql(tx, raiseVersionsSql, [raised.map(({ row }) => row.id), raised.map(({ upsert }) => upsert.version)]);
}

async function updateChanged(tx: EntityManager, changes: readonly (Change & { row: LockedRow })[]): Promise<void> {
  for (const slice of slicesOf(changes, limits.rowsPerStatement))
    await sql(tx, updateChangedSql, [
      slice.map(({ id }) => id),
      slice.map(({ upsert }) => upsert.version),
      slice.map(({ upsert }) => upsert.projection.core),
      slice.map(({ upsert }) => upsert.projection.shipping),
      slice.map(hasWholeHistory),
      slice.map(({ items, row }) => items.at(-1)?.sequence ?? row.last_sequence),
    ]);
}

async function insertHistory(tx: EntityManager, changes: readonly Change[]): Promise<void> {
  const items = changes.flatMap((change) => change.items.map((item) => ({ ...item, id: change.id, occurredAt: change.upsert.occurredAt })));
  for (const slice of slicesOf(items, limits.rowsPerStatement))
    await sql(tx, insertChangesSql, [
      slice.map((item) => item.id),
      slice.map((item) => item.sequence),
      slice.map((item) => item.section),
      slice.map((item) => item.occurredAt),
      slice.map((item) => item.changes),
    ]);
}

function keyColumns(upserts: readonly Upsert[]): [ResourceType[], Buffer[]] {
  return [upserts.map((upsert) => upsert.type), upserts.map((upsert) => upsert.sourceKey)];
}

import { noteLock, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { publish, type ChangedResource } from '../feed/publish.ts';
import type { ServiceTokenActor } from '../shared/actor.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import type { Environment } from '../shared/environment.ts';
import type { LookupKeys } from '../shared/keySet.ts';
import { limits } from '../shared/limits.ts';
import { sourceKey, userRef } from '../shared/lookupKeys.ts';
import { sql } from '../shared/sql.ts';
import type { ResourceType } from './allowlist.ts';
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
  readonly now: Date;
};

/** The result of a batch. `unchanged`: newer, but nothing that is stored differs. `ignored`: not newer than what is stored. */
export type UpsertCounts = { readonly created: number; readonly updated: number; readonly unchanged: number; readonly ignored: number };

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
export async function upsertTrackedResources(em: EntityManager, { actor, lookupKeys, resources, now }: UpsertBatch): Promise<UpsertCounts> {
  const { environment } = actor;
  const judged = await judgeUpserts(resources, now);
  const upserts = judged.map((upsert, index) => ({
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
  const changes = changed.map(({ upsert, row }) => ({ id: row.id, row, upsert, items: itemsOf(upsert, row, now) }));
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
  const unknown = upserts
    .filter((upsert) => !known.has(upsert.sourceKey.toString('hex')))
    .map((upsert) => ({ upsert, items: itemsOf(upsert, null, now) }));
  if (unknown.length === 0) return [];
  const fresh = unknown.map(({ upsert }) => upsert);
  noteLock(tx, 'trackedResource');
  const inserted = await sql<{ id: string; source_key: Buffer }>(tx, insertNewSql, [
    environment,
    ...keyColumns(fresh),
    fresh.map((upsert) => upsert.version),
    fresh.map((upsert) => upsert.userRef),
    fresh.map((upsert) => upsert.projection.core),
    fresh.map((upsert) => upsert.projection.shipping),
    fresh.map((upsert) => upsert.historyComplete),
    unknown.map(({ items }) => items.at(-1)?.sequence ?? 0),
  ]);
  const ids = new Map(inserted.map((row) => [row.source_key.toString('hex'), row.id]));
  return unknown.flatMap(({ upsert, items }) => {
    const id = ids.get(upsert.sourceKey.toString('hex'));
    return id === undefined ? [] : [{ id, upsert, items }];
  });
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
  if (changes.length === 0) return;
  await sql(tx, updateChangedSql, [
    changes.map(({ id }) => id),
    changes.map(({ upsert }) => upsert.version),
    changes.map(({ upsert }) => upsert.projection.core),
    changes.map(({ upsert }) => upsert.projection.shipping),
    changes.map(hasWholeHistory),
    changes.map(({ items, row }) => items.at(-1)?.sequence ?? row.last_sequence),
  ]);
}

async function insertHistory(tx: EntityManager, changes: readonly Change[]): Promise<void> {
  const items = changes.flatMap((change) => change.items.map((item) => ({ ...item, id: change.id, occurredAt: change.upsert.occurredAt })));
  if (items.length === 0) return;
  await sql(tx, insertChangesSql, [
    items.map((item) => item.id),
    items.map((item) => item.sequence),
    items.map((item) => item.section),
    items.map((item) => item.occurredAt),
    items.map((item) => item.changes),
  ]);
}

function keyColumns(upserts: readonly Upsert[]): [ResourceType[], Buffer[]] {
  return [upserts.map((upsert) => upsert.type), upserts.map((upsert) => upsert.sourceKey)];
}

import { locking, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { publish } from '../../feed/publish.ts';
import { sql } from '../../shared/sql.ts';
import type { SharingClient } from '../../sharing/sharingClient.ts';
import type { ResourceData, ResourceType, Shipping } from '../../tracking/allowlist.ts';
import type { Change } from '../../tracking/diff.ts';
import { historyItems } from '../../tracking/historyItems.ts';
import { project, type Projection } from '../../tracking/project.ts';
import { insertChangesSql, updateChangedSql } from '../../tracking/upsertTrackedResources.sql.ts';
import { allowedData, keepsHistoryItem } from '../generator/fixtureScopes.ts';

/** A stored resource of a sandbox corpus whose row is locked. */
export type Fixture = {
  readonly id: string;
  readonly type: ResourceType;
  readonly core: string;
  readonly shipping: string | null;
  readonly historyComplete: boolean;
  readonly lastSequence: string;
  readonly sourceVersion: string;
};

/** What a fixture becomes. */
export type FixtureChange = { readonly fixture: Fixture; readonly data: OrderOrVehicle };
type OrderOrVehicle = ResourceData[ResourceType];

/** A live share of a changed resource: its reported revision now, and whether the change has raised it. */
export type MovedShare = {
  readonly trackedResourceId: string;
  readonly resourceId: string;
  readonly connectionId: string;
  readonly type: ResourceType;
  readonly revision: number;
  readonly shown: boolean;
};

/** Another client's resources are not found. */
const lockFixturesSql = locking(
  'trackedResource',
  'no key update',
  (clause) => `
select id, type, core, shipping, history_complete as "historyComplete", last_sequence as "lastSequence", source_version as "sourceVersion"
  from tracked_resource where id = any($2::bigint[]) and synthetic_for = $1 and withdrawn_at is null order by id ${clause}`,
);

/** Index shared_resource_fan_out. */
const liveSharesSql = `
select s.tracked_resource_id as "trackedResourceId", s.id as "resourceId", s.connection_id as "connectionId", s.type, s.revision + f.epoch as revision
  from shared_resource s join client_feed f on f.client_number = s.client_number
 where s.tracked_resource_id = any($2::bigint[]) and s.client_number = $1 and s.revocation_id is null order by s.tracked_resource_id, s.id`;

/** Locks those of these resources that belong to the sandbox's corpus and are not withdrawn. */
export function lockFixtures(tx: EntityManager, clientNumber: number, ids: readonly string[]): Promise<Fixture[]> {
  return takeLock<Fixture>(tx, lockFixturesSql, [clientNumber, ids]);
}

/** The fixture's data in the form in which the order-tracking service would supply it. */
export function dataOf(fixture: Fixture): OrderOrVehicle {
  const core = JSON.parse(fixture.core) as OrderOrVehicle;
  return fixture.shipping === null ? core : Object.assign(core, { shipping: JSON.parse(fixture.shipping) as Shipping });
}

type ChangeFixtures = {
  readonly client: Pick<SharingClient, 'number' | 'scopes'>;
  readonly changes: readonly FixtureChange[];
  readonly now: Date;
};

/**
 * Stores changed fixtures in the same way as the tooling's upserts: through the allowlist, with their history, published to every share
 * that may see them. As in a corpus, only what the client's scopes allow is stored. Only the commit may follow. Errors: invalid_request
 * (data outside the allowlist).
 */
export async function changeFixtures(
  tx: EntityManager,
  { client: { number: clientNumber, scopes }, changes, now }: ChangeFixtures,
): Promise<MovedShare[]> {
  const written = changes.map(({ fixture, data }) => {
    const after = project(fixture.type, allowedData(scopes, data));
    const lastSequence = Number(fixture.lastSequence);
    const items = historyItems({ before: fixture, after, lastSequence }, { recordedAt: now, path: '' });
    const kept = items.filter((item) => keepsHistoryItem(scopes, fixture.type, JSON.parse(item.changes) as Change[]));
    return { fixture, after, items: kept };
  });
  const ids = written.map(({ fixture }) => fixture.id);
  const before = await sql<Row>(tx, liveSharesSql, [clientNumber, ids]);
  await sql(tx, updateChangedSql, [
    ids,
    written.map(({ fixture }) => String(BigInt(fixture.sourceVersion) + 1n)),
    written.map(({ after }) => after.core),
    written.map(({ after }) => after.shipping),
    written.map(({ fixture }) => fixture.historyComplete),
    written.map(({ fixture, items }) => items.at(-1)?.sequence ?? fixture.lastSequence),
  ]);
  const items = written.flatMap(({ fixture, items: own }) => own.map((item) => ({ ...item, id: fixture.id })));
  await sql(tx, insertChangesSql, [
    items.map((item) => item.id),
    items.map((item) => item.sequence),
    items.map((item) => item.section),
    items.map(() => now),
    items.map((item) => item.changes),
  ]);
  await publish(
    tx,
    written.map(({ fixture, after }) => changedSections(fixture, after)),
    now,
  );
  const revisions = new Map(before.map((row) => [row.resourceId, Number(row.revision)]));
  const after = await sql<Row>(tx, liveSharesSql, [clientNumber, ids]);
  return after.map((row) => ({ ...row, revision: Number(row.revision), shown: Number(row.revision) !== revisions.get(row.resourceId) }));
}

type Row = Omit<MovedShare, 'revision' | 'shown'> & { readonly revision: string };

function changedSections(before: Fixture, after: Projection) {
  return { trackedResourceId: before.id, core: before.core !== after.core, shipping: before.shipping !== after.shipping };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { changedAt, clientScopeBits, readBit } from '../feed/visibleSql.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { countErrors } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import type { ResourceType } from '../tracking/allowlist.ts';
import { ownSandbox } from './ownSandbox.ts';

export const syncRecordKinds = ['upsert', 'tombstone'] as const;

/** One record that a sync of a sandbox will return. */
export type SyncRecord = {
  readonly kind: (typeof syncRecordKinds)[number];
  /** Null: the tombstone of the connection itself. */
  readonly resourceId: string | null;
  readonly type: ResourceType | null;
  readonly connectionId: string;
  /** Only of upserts. */
  readonly revision: number | null;
  readonly status: string | null;
  /** Only of tombstones. */
  readonly revocationId: string | null;
  /** When the resource changed or was revoked. */
  readonly at: Date;
};

/** What the next sync of a sandbox client will return, continuing from where its last one ended. */
export type NextSync = {
  readonly clientNumber: number;
  /** When the client last synced, as far as that is on record; null: never. */
  readonly lastSyncAt: Date | null;
  /** The client has no cursor of this feed: it has never synced, or the feed has begun again since. Then the sync returns everything. */
  readonly fromBeginning: boolean;
  /** How many records there are, tombstones included. */
  readonly total: number;
  readonly tombstones: number;
  /** The latest of them in the feed's order, newest first. */
  readonly records: readonly SyncRecord[];
};

/** Reads primary keys. What a client has read is stored a second or two after the response. */
const placeSql = `
select f.epoch, (o.state->>'pageEnd')::bigint as position, (o.state->>'pageEpoch')::int as "pageEpoch",
       a.last_sync_at as "lastSyncAt"
  from client_feed f left join client_observation o on o.client_number = f.client_number left join client_activity a on a.client_number = f.client_number
 where f.client_number = $1`;

const feedSql = `select f.epoch, f.epoch_at, ${clientScopeBits} as bits from client_feed f join client c on c.number = f.client_number where f.client_number = $1::int`;

/** A tombstone, or a resource that the scopes show; the rest of the feed gives no record. */
const shownSql = `s.client_number = $1::int and s.position > $2::bigint and (s.revocation_id is not null or (s.consented & f.bits & ${readBit('s.type')}) <> 0)`;

/** Reads indexes shared_resource_feed and connection_tombstone backwards from the head; a sandbox has at most 5,000 shares. */
const recordsSql = `
with f as materialized (${feedSql}),
entry as materialized (
  (select s.position, s.id, s.type, s.connection_id, s.tracked_resource_id, s.revision + f.epoch as revision, ${changedAt('s', 'f')} as changed_at, s.revocation_id
     from shared_resource s cross join f where ${shownSql} order by s.position desc limit $3::int)
  union all
  (select position, null, null, id, null, null, null, revocation_id
     from connection where client_number = $1::int and position > $2::bigint order by position desc limit $3::int)
  order by position desc limit $3::int)
select case when e.revocation_id is null then 'upsert' else 'tombstone' end as kind, e.id as "resourceId", e.type, e.connection_id as "connectionId",
       case when e.revocation_id is null then e.revision end as revision, case when e.revocation_id is null then t.core::json->>'status' end as status,
       e.revocation_id as "revocationId",
       coalesce((select r.revoked_at from revocation r where r.client_number = $1::int and r.id = e.revocation_id), e.changed_at) as at
  from entry e left join tracked_resource t on t.id = e.tracked_resource_id
 order by e.position desc`;

const countSql = `
select count(*)::int as total, count(revocation_id)::int as tombstones
  from (select s.revocation_id from shared_resource s cross join (${feedSql}) f where ${shownSql}
        union all
        select revocation_id from connection where client_number = $1::int and position > $2::bigint) record`;

/**
 * What the next sync of the operator's own sandbox will return; at most `first` records are listed. Errors: not_found, invalid_request
 * (`first`).
 */
export async function sandboxNextSync(
  em: EntityManager,
  { actor, clientId, first }: { actor: OperatorActor; clientId: string; first: number },
): Promise<NextSync> {
  refuseInvalid(countErrors(first));
  const client = await ownSandbox(em, actor, clientId);
  const [place] = await sql<Place>(em, placeSql, [client.number]);
  const fromBeginning = place?.position == null || place.pageEpoch !== place.epoch;
  const position = fromBeginning ? 0 : Number(place.position);
  const rows = await sql<Row>(em, recordsSql, [client.number, position, first]);
  const [count] = await sql<{ total: number; tombstones: number }>(em, countSql, [client.number, position]);
  return {
    clientNumber: client.number,
    lastSyncAt: place?.lastSyncAt ?? null,
    fromBeginning,
    total: count?.total ?? 0,
    tombstones: count?.tombstones ?? 0,
    records: rows.map((row) => ({ ...row, revision: row.revision === null ? null : Number(row.revision) })),
  };
}

type Place = {
  readonly epoch: number;
  readonly position: string | null;
  readonly pageEpoch: number | null;
  readonly lastSyncAt: Date | null;
};
type Row = Omit<SyncRecord, 'revision'> & { readonly revision: string | null };

import { isDeepStrictEqual } from 'node:util';
import type postgres from 'postgres';
import { scopesOfBits, type Scope } from '../../../server/domain/shared/scopes.ts';
import type { FeedRecord, FeedState, FeedTombstone } from './feedReader.ts';

type ShareRow = {
  id: string;
  connectionId: string;
  type: 'order' | 'vehicle';
  consented: number;
  revision: string;
  epoch: number;
  updatedAt: Date;
  epochAt: Date | null;
  revocationId: string | null;
  clientScopes: Scope[];
  core: string | null;
  shipping: string | null;
  historyComplete: boolean | null;
};
type RevocationRow = { id: string; subjectType: string; subjectId: string; revokedAt: Date; deletionDeadlineAt: Date };

/** What a reader of this client's feed must hold, worked out from the tables without the feed's own statements. */
export async function feedTruth(sql: postgres.Sql, clientNumber: number): Promise<FeedState> {
  const shares = await sql<ShareRow[]>`
    select s.id, s.connection_id as "connectionId", s.type, s.consented, s.revision, f.epoch, s.updated_at as "updatedAt", f.epoch_at as "epochAt", s.revocation_id as "revocationId",
           c.scopes as "clientScopes", t.core, t.shipping, t.history_complete as "historyComplete"
      from shared_resource s join client c on c.number = s.client_number join client_feed f on f.client_number = c.number left join tracked_resource t on t.id = s.tracked_resource_id
     where s.client_number = ${clientNumber}`;
  const revocations = await sql<RevocationRow[]>`
    select id, subject_type as "subjectType", subject_id as "subjectId", revoked_at as "revokedAt", deletion_deadline_at as "deletionDeadlineAt"
      from revocation where client_number = ${clientNumber}`;
  const ended = await sql<{ id: string; revocationId: string }[]>`
    select id, revocation_id as "revocationId" from connection where client_number = ${clientNumber} and revocation_id is not null`;
  const byId = new Map(revocations.map((revocation) => [revocation.id, revocation]));
  const records = shares.filter((share) => share.revocationId === null).flatMap(visibleRecord);
  const tombstones = [
    ...shares.flatMap(({ id, type, connectionId, revocationId }) =>
      revocationId === null ? [] : [tombstone(byId.get(revocationId), connectionId, { id, type })],
    ),
    ...ended.map(({ id, revocationId }) => tombstone(byId.get(revocationId), id)),
  ];
  return {
    records: new Map(records.map((record) => [record.id, record])),
    tombstones: new Map(tombstones.map((entry) => [entry.resource?.id ?? entry.connection_id, entry])),
  };
}

function visibleRecord(share: ShareRow): FeedRecord[] {
  const scopes = scopesOfBits(share.consented).filter((scope) => share.clientScopes.includes(scope));
  if (!scopes.includes(share.type === 'order' ? 'orders.read' : 'vehicles.read')) return [];
  return [
    {
      id: share.id,
      type: share.type,
      revision: Number(share.revision) + share.epoch,
      updated_at: new Date(Math.max(share.updatedAt.getTime(), share.epochAt?.getTime() ?? 0)).toISOString(),
      connection_id: share.connectionId,
      scopes,
      history_complete: share.historyComplete,
      ...(JSON.parse(share.core ?? '') as object),
      ...(scopes.includes('shipping.read') && share.shipping !== null && { shipping: JSON.parse(share.shipping) as object }),
    },
  ];
}

function tombstone(revocation: RevocationRow | undefined, connectionId: string, resource?: { id: string; type: string }): FeedTombstone {
  if (!revocation) throw new Error('A tombstone without its revocation.');
  return {
    revocation_id: revocation.id,
    subject: { type: revocation.subjectType, id: revocation.subjectId },
    connection_id: connectionId,
    ...(resource && { resource }),
    revoked_at: revocation.revokedAt.toISOString(),
    deletion_deadline_at: revocation.deletionDeadlineAt.toISOString(),
  } as FeedTombstone;
}

/** Where a reader's copy differs from the truth, one line each. */
export function differences(copy: FeedState, truth: FeedState): string[] {
  return [...compare('record', copy.records, truth.records), ...compare('tombstone', copy.tombstones, truth.tombstones)];
}

function compare(kind: string, held: ReadonlyMap<string, unknown>, wanted: ReadonlyMap<string, unknown>): string[] {
  const missing = [...wanted.keys()].filter((id) => !held.has(id)).map((id) => `${kind} ${id} is missing`);
  const wrong = [...held.entries()].filter(([id, value]) => !isDeepStrictEqual(value, wanted.get(id)));
  return [
    ...missing,
    ...wrong.map(([id, value]) => `${kind} ${id} is ${JSON.stringify(value)} instead of ${JSON.stringify(wanted.get(id))}`),
  ];
}

/** From now on, notes the revision with which each share begins, as stored and as reported. */
export async function watchGrants(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    create table watched_grant (id text primary key, stored bigint not null, reported bigint not null);
    grant insert on watched_grant to public;
    create function watch_grant() returns trigger language plpgsql as $watch$
    begin
      insert into watched_grant select new.id, new.revision, new.revision + f.epoch from client_feed f where f.client_number = new.client_number;
      return null;
    end
    $watch$;
    create trigger watch_grant after insert on shared_resource for each row execute function watch_grant()`);
}

/** What is wrong with the feeds that are watched: positions taken twice or beyond the head, grants not at revision 1, revisions without their events, and deliveries that wait to tell of what has ended. */
export async function feedFaults(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ fault: string }[]>`
    with entry as (select client_number, position from shared_resource union all select client_number, position from connection where position is not null)
    select concat('position ', position, ' of client ', client_number, ' stands ', count(*), ' times') as fault from entry group by client_number, position having count(*) > 1
    union all
    select concat('position ', max(e.position), ' of client ', f.client_number, ' is beyond the head ', f.head) from entry e join client_feed f using (client_number)
     group by f.client_number, f.head having max(e.position) > f.head
    union all
    select concat(d.type, ' of ', d.resource_id, ' is still ', d.state) from webhook_delivery d left join shared_resource s on s.id = d.resource_id
     where d.state in ('pending', 'held') and d.resource_id is not null and (s.id is null or s.revocation_id is not null)
    union all
    select concat(id, ' was granted at revision ', reported) from watched_grant where reported <> 1
    union all
    select concat(s.id, ' has revision ', s.revision, ' after ', g.stored, ' and ', count(w.id), ' events') from shared_resource s
      left join watched_grant g using (id)
      left join webhook_event w on w.client_number = s.client_number and w.resource_id = s.id and w.type = 'resource.updated'
     group by s.client_number, s.id, s.revision, g.stored having count(w.id) is distinct from s.revision - g.stored`;
  return rows.map((row) => row.fault);
}

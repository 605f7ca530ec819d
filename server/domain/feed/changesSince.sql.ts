import { instant } from '../shared/instant.ts';
import { clientScopeBits, readBit, shippingBit } from './visibleSql.ts';

/** The columns of `changesSinceSql`, in binary format. */
export const pageColumn = {
  position: 0,
  id: 1,
  connectionId: 2,
  revision: 3,
  updatedAt: 4,
  scopes: 5,
  historyComplete: 6,
  core: 7,
  shipping: 8,
  tombstone: 9,
} as const;

const tombstone = `concat('{"revocation_id":"', r.id, '","subject":{"type":"', r.subject_type, '","id":"', r.subject_id, '"},"connection_id":"', e.connection_id,
            case when e.id is not null then concat('","resource":{"id":"', e.id, '","type":"', e.type, '"}') else '"' end,
            ',"revoked_at":"', ${instant('r.revoked_at')}, '","deletion_deadline_at":"', ${instant('r.deletion_deadline_at')}, '"}')`;

/**
 * A page of a client's feed after position `$2`, with at most `$3` entries (indexes shared_resource_feed and connection_tombstone), and
 * then one row of the same snapshot without a connection: it has the head as its position and the epoch as its revision. The inner limits
 * bound the scan even if everything is filtered: a live resource that the scopes hide gives a row without text and still moves the cursor.
 * Tombstones are never filtered. The revocation is looked up by key for each entry that has one. A plain join, planned before the first
 * revocations were counted, read all of a client's revocations for each entry (0.5 s instead of 5 ms), and a lateral join costs the entries
 * without a revocation a tenth of the page.
 */
export const changesSinceSql = `
with f as materialized (
  select f.head, f.epoch, f.epoch_at, ${clientScopeBits} as bits from client_feed f join client c on c.number = f.client_number where f.client_number = $1::int),
entry as materialized (
  (select position, id, connection_id, tracked_resource_id, type, consented, revision, updated_at, revocation_id
     from shared_resource where client_number = $1::int and position > $2::bigint order by position limit $3::int)
  union all
  (select position, null, id, null, 'connection', 0::smallint, 0, null, revocation_id
     from connection where client_number = $1::int and position > $2::bigint order by position limit $3::int)
  order by position limit $3::int)
(select e.position, e.id, e.connection_id, e.revision + (select epoch from f), greatest(e.updated_at, (select epoch_at from f)), e.consented & (select bits from f), t.history_complete,
        t.core, case when e.consented & (select bits from f) & ${shippingBit} <> 0 then t.shipping end,
        case when e.revocation_id is not null then
          (select ${tombstone} from revocation r where r.client_number = $1::int and r.id = e.revocation_id) end
   from entry e
   left join tracked_resource t on t.id = e.tracked_resource_id and e.revocation_id is null and (e.consented & (select bits from f) & ${readBit('e.type')}) <> 0
  order by e.position)
union all
select head, null, null, epoch, null, null, null, null, null, null from f`;

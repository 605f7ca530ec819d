import { clientScopeBits, instant, readBit, shippingBit } from './visibleSql.ts';

/**
 * A page of a client's feed after position `$2`, at most `$3` entries (indexes shared_resource_feed and connection_tombstone), and then
 * one row `end <head> <epoch>` of the same snapshot. The inner limits bound the scan even when everything is filtered: a live resource
 * that the scopes hide gives a row without text and still moves the cursor. Tombstones are never filtered. The small columns travel as
 * one, because each column of each row costs both sides more than its bytes. The revocation is looked up by `lateral … limit`: a plain
 * join, planned before the first revocations were counted, read all of a client's revocations for each entry (0.5 s instead of 5 ms).
 */
export const changesSinceSql = `
with f as materialized (
  select f.head, f.epoch, ${clientScopeBits} as bits from client_feed f join client c on c.no = f.client_no where f.client_no = $1::int),
entry as materialized (
  (select position, id, connection_id, tracked_resource_id, type, consented, revision, updated_at, revocation_id
     from shared_resource where client_no = $1::int and position > $2::bigint order by position limit $3::int)
  union all
  (select position, null, id, null, 'connection', 0::smallint, 0, null, revocation_id
     from connection where client_no = $1::int and position > $2::bigint order by position limit $3::int)
  order by position limit $3::int)
(select concat_ws(' ', e.position, e.id, e.connection_id, e.revision + (select epoch from f), e.consented & (select bits from f), t.history_complete, e.updated_at) as facts,
        t.core, case when e.consented & (select bits from f) & ${shippingBit} <> 0 then t.shipping end as shipping,
        case when r.id is not null then concat('{"revocation_id":"', r.id, '","subject":{"type":"', r.subject_type, '","id":"', r.subject_id,
          '"},"connection_id":"', e.connection_id, case when e.id is not null then concat('","resource":{"id":"', e.id, '","type":"', e.type, '"}') else '"' end,
          ',"revoked_at":"', ${instant('r.revoked_at')}, '","deletion_deadline_at":"', ${instant('r.deletion_deadline_at')}, '"}') end as tombstone
   from entry e
   left join tracked_resource t on t.id = e.tracked_resource_id and e.revocation_id is null and (e.consented & (select bits from f) & ${readBit('e.type')}) <> 0
   left join lateral (select * from revocation where client_no = $1::int and id = e.revocation_id limit 1) r on true
  order by e.position)
union all
select concat_ws(' ', 'end', head, epoch), null, null, null from f`;

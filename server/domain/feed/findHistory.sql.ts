import { instant } from '../shared/instant.ts';
import { scopeBits } from '../shared/scopes.ts';
import { clientScopeBits, readBit, shippingBit } from './visibleSql.ts';

/** SQL: the bit without which the history of a resource of this type cannot be read. */
function historyBit(type: string): string {
  return `case ${type} when 'order' then ${scopeBits('orders.history.read')} else ${scopeBits('vehicles.history.read')} end`;
}

/**
 * The visible history items of one shared resource after sequence `$4`, at most `$5`, in one snapshot with what decides about access: one
 * row for each item, or one row with nulls if there is none (primary keys of shared_resource and tracked_change, the latter read in order).
 * Items are filtered here and not later, so that “is there more” tells nothing about hidden ones. A section needs its own scope, and
 * shipping needs the order's scope as well, as in the snapshot. The revocation is looked up by `lateral … limit`, because PostgreSQL may
 * plan a plain join that reads all of a client's revocations.
 */
export const findHistorySql = `
with e as materialized (
  select s.type, s.tracked_resource_id, s.revocation_id, s.consented & ${clientScopeBits} as bits
    from shared_resource s join client c on c.number = s.client_number
   where s.client_number = $1::int and s.id = $2::text and s.type = $3::text)
select r.id as revocation_id, ${instant('r.deletion_deadline_at')} as deletion_deadline_at, (e.bits & ${historyBit('e.type')}) <> 0 as consented,
       t.history_complete, i.sequence::text as sequence, ${instant('i.occurred_at')} as occurred_at, i.changes
  from e
  left join lateral (select * from revocation where client_number = $1::int and id = e.revocation_id limit 1) r on true
  left join tracked_resource t on t.id = e.tracked_resource_id and e.revocation_id is null and (e.bits & ${historyBit('e.type')}) <> 0
  left join lateral (
    select h.sequence, h.occurred_at, h.changes from tracked_change h
     where h.tracked_resource_id = t.id and h.sequence > $4::bigint and h.changes <> '[]'
       and (e.bits & ${readBit('e.type')}) <> 0 and (h.section = 'core' or (h.section = 'shipping' and (e.bits & ${shippingBit}) <> 0))
     order by h.sequence limit $5::int) i on true
 order by i.sequence`;

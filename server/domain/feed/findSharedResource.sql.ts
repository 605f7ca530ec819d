import { instant } from '../shared/instant.ts';
import { changedAt, clientScopeBits, readBit, shippingBit } from './visibleSql.ts';

/**
 * One shared resource of a client with everything that the response needs, in one snapshot (primary key of shared_resource). The revocation
 * is looked up by `lateral … limit`, because PostgreSQL may plan a plain join that reads all of a client's revocations.
 */
export const findSharedResourceSql = `
with f as materialized (
  select f.epoch, f.epoch_at, ${clientScopeBits} as bits from client_feed f join client c on c.number = f.client_number where f.client_number = $1::int)
select e.connection_id, (e.revision + f.epoch)::text as revision, ${instant(changedAt('e', 'f'))} as updated_at, e.consented & f.bits as scopes, t.history_complete,
       r.id as revocation_id, ${instant('r.deletion_deadline_at')} as deletion_deadline_at, (e.consented & ${readBit('e.type')}) <> 0 as consented,
       t.core, case when e.consented & f.bits & ${shippingBit} <> 0 then t.shipping end as shipping
  from f join shared_resource e on e.client_number = $1::int and e.id = $2::text and e.type = $3::text
  left join tracked_resource t on t.id = e.tracked_resource_id and e.revocation_id is null and (e.consented & f.bits & ${readBit('e.type')}) <> 0
  left join lateral (select * from revocation where client_number = $1::int and id = e.revocation_id limit 1) r on true`;

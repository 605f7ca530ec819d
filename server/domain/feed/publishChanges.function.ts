import { readScopeSql } from '../shared/scopes.ts';
import { readBit, shippingBit } from './visibleSql.ts';

/**
 * Moves every share that may see a change to the next positions of its client's feed: first the clients and their shares (index
 * shared_resource_fan_out, the only statement that asks all clients), then client by client, in the order of their numbers, the feed's lock,
 * and in a statement after it the shares by their keys. A share sees what both its consent and the client's scopes allow: it always needs the
 * scope of its type, and for shipping also that scope.
 *
 * The caller has changed the resources and still locks them, so no share of them can come meanwhile.
 */
export const publishChanges = `
create or replace function publish_changes(p_tracked_resource_ids bigint[], p_core boolean[], p_shipping boolean[], p_now timestamptz)
returns table (client_number int, id text, connection_id text, type text) language plpgsql volatile as $$
#variable_conflict use_column
declare
  concerned record;
  base bigint;
begin
  for concerned in
    select s.client_number as client, array_agg(s.id) as ids, array_agg(c.core) as core, array_agg(c.shipping) as shipping
      from unnest(p_tracked_resource_ids, p_core, p_shipping) c(id, core, shipping)
      join shared_resource s on s.tracked_resource_id = c.id and s.revocation_id is null
     group by s.client_number order by s.client_number
  loop
    select f.head into strict base from client_feed f where f.client_number = concerned.client for update;
    return query
    with moved as materialized (
      select s.id, base + row_number() over (order by s.id) as position
        from unnest(concerned.ids, concerned.core, concerned.shipping) c(id, core, shipping)
        join shared_resource s on s.client_number = concerned.client and s.id = c.id
        join client k on k.number = concerned.client
       where s.revocation_id is null and (s.consented & ${readBit('s.type')}) <> 0
         and ${readScopeSql('s.type')} = any (k.scopes)
         and (c.core or (c.shipping and (s.consented & ${shippingBit}) <> 0 and 'shipping.read' = any (k.scopes)))),
    heads as (
      update client_feed f set head = base + m.count from (select count(*) as count from moved) m where f.client_number = concerned.client and m.count > 0)
    update shared_resource s set position = m.position, revision = s.revision + 1, updated_at = p_now
      from moved m where s.client_number = concerned.client and s.id = m.id
    returning s.client_number, s.id, s.connection_id, s.type;
  end loop;
end
$$;`;

import type { IdPrefix } from '../shared/ids.ts';
import { scopeBitsSql } from '../shared/scopes.ts';
import { word } from '../shared/functions/sqlText.ts';
import type { WebhookEventType } from '../outbox/eventTypes.ts';

/**
 * Shares pinned resources in a connection. Each gets a new ID at revision 1, the next position of the client's feed and its `resource.granted`
 * event. The caller holds the rows FOR SHARE, so that no update is missed, and then the feed. Returns the IDs, in the same order.
 */
export const shareResources = `
create or replace function share_resources(p_client_number int, p_connection_id text, p_scopes text[], p_tracked_resource_ids bigint[], p_types text[], p_now timestamptz)
returns text[] language plpgsql volatile as $$
declare
  total constant int := cardinality(p_types);
  feed record;
  ids text[];
begin
  select base, epoch into strict feed from take_positions(p_client_number, total);
  ids := array(select new_id(case u.type when 'order' then ${word('ord' satisfies IdPrefix)} else ${word('veh' satisfies IdPrefix)} end) from unnest(p_types) with ordinality u(type, n) order by u.n);
  insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, revision, position, updated_at)
  select p_client_number, u.id, p_connection_id, u.tracked_resource_id, u.type, ${scopeBitsSql('p_scopes')}, 1 - feed.epoch, feed.base + u.n, p_now
    from unnest(ids, p_tracked_resource_ids, p_types) with ordinality u(id, tracked_resource_id, type, n) order by u.n;
  perform store_events(p_now, array_fill(p_client_number, array[total]), array_fill(${word('resource.granted' satisfies WebhookEventType)}::text, array[total]),
    array_fill(p_connection_id, array[total]), ids, p_types, '{}', '{}');
  return ids;
end
$$;`;

import type { AuditAction } from '../../audit/auditActions.ts';
import type { CountedKind } from '../../evidence/evidenceKinds.ts';
import { whereFacts } from '../../integration/integrationStatus.ts';
import type { Actor } from '../../shared/actor.ts';
import type { IdPrefix } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { readScopeSql } from '../../shared/scopes.ts';
import { word } from '../../shared/functions/sqlText.ts';
import type { WebhookEventType } from '../../outbox/eventTypes.ts';
import { linkCodeLifecycle } from '../linkCodeStatus.ts';
import { sharingClientColumns, sharingClientFrom } from '../sharingClient.sql.ts';

const shares = whereFacts((facts) => facts.shares, { row: 'i', environment: 'k.environment' });

/**
 * Redeems a link code (docs/specification.md, “Redemption”) for the machine API, which can make no connection, share or event in any other way
 * and reads no code's HMAC: the caller shows what may be stored of a live code of this client. It judges the code (unique link_code
 * (environment, code_hmac)) and counts the attempt if it fails: on a live code of another client, or on a used one. Once the code is unusable,
 * nothing is counted any more. It is one statement whatever the code is, so that all refusals cost the same. Returns null whenever there is
 * nothing to redeem. What has been redeemed is in the trail and among the evidence. Its locks: link code, tracked resources, feed, evidence.
 */
export const redeemLinkCode = `
create or replace function redeem_link_code(p_environment text, p_hmacs bytea[], p_client_number integer, p_request_id text, p_ip inet, p_now timestamptz)
returns jsonb language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moment constant timestamptz := present_moment(p_now);
  code record;
  sharing record;
  pinned_ids bigint[];
  pinned_types text[];
  granted_ids text[];
  granted_scopes text[];
  changed text[];
  new_connection_id constant text := new_id(${word('con' satisfies IdPrefix)});
begin
  -- A code has one HMAC for each key that the ring has had.
  if cardinality(p_hmacs) > 32 then
    raise exception 'more than one code' using errcode = '42501';
  end if;
  with code as (
    select id, user_ref, profile_version, scopes, statistics_opted_in, client_number = p_client_number as own,
           ${linkCodeLifecycle.mayStart('redeemLinkCode', { now: 'moment' })} as fresh,
           ${linkCodeLifecycle.isIn(['redeemed'])} and failed_attempts < ${limits.failedAttemptsPerCode} as used
      from link_code where environment = p_environment and code_hmac = any(p_hmacs) for no key update),
  failed as (
    update link_code c set ${linkCodeLifecycle.sets('countFailedAttempt', { failedAttempts: 'c.failed_attempts + 1' })} from code k
     where c.id = k.id and (k.used or (k.fresh and not k.own)))
  select * into code from code;
  if not found or not (code.own and code.fresh) then
    return null;
  end if;

  -- Pins the resources for which the code was created, except for those that were withdrawn or have come to belong to another user since
  -- (primary keys of link_code_resource and tracked_resource). Shared resources belong to their client, not to the code's user.
  select array_agg(t.id order by t.id), array_agg(t.type order by t.id) into pinned_ids, pinned_types
    from (select t.id, t.type
            from link_code_resource r join link_code c on c.id = r.link_code_id join tracked_resource t on t.id = r.tracked_resource_id
           where r.link_code_id = code.id and t.withdrawn_at is null
             and (t.type = 'vehicle' or t.user_ref = c.user_ref or t.synthetic_for = c.client_number)
           order by t.id for share of t) t;
  perform 1 from client_feed where client_number = p_client_number for update;

  -- What the client may have at this moment, in a statement after the feed's lock, since scopes change only under it. Since the request was
  -- admitted, the integration may have been suspended or retired, or its gate closed. After a retirement, nobody would revoke the connection.
  select ${sharingClientColumns}, ${shares} as shares into sharing
    from ${sharingClientFrom} where k.number = p_client_number and k.environment = p_environment;
  if not found or not (sharing.shares and (p_environment = 'sandbox' or sharing."productionDataEnabled")) then
    return null;
  end if;
  granted_scopes := array(select s.scope from unnest(code.scopes) with ordinality s(scope, n) where s.scope = any (sharing."grantableScopes") order by s.n);
  select array_agg(u.id order by u.n), array_agg(u.type order by u.n) into pinned_ids, pinned_types
    from unnest(pinned_ids, pinned_types) with ordinality u(id, type, n) where ${readScopeSql('u.type')} = any (granted_scopes);
  if pinned_ids is null then
    return null;
  end if;

  update link_code set ${linkCodeLifecycle.sets('redeemLinkCode', { redeemedAt: 'moment', connectionId: 'new_connection_id' })} where id = code.id;
  insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
  values (p_client_number, new_connection_id, code.user_ref, code.profile_version, granted_scopes, code.statistics_opted_in, moment);
  -- The latest choice applies to the whole integration, so a second link neither hides a no nor loses a yes.
  changed := array(select c from set_participation(p_client_number, code.user_ref, code.statistics_opted_in) c order by c);
  perform store_events(moment, array[p_client_number], array[${word('connection.created' satisfies WebhookEventType)}], array[new_connection_id], '{}', '{}', '{}', '{}');
  granted_ids := share_resources(p_client_number, new_connection_id, granted_scopes, pinned_ids, pinned_types, moment);

  perform record_audit(moment, ${word('client' satisfies Actor['type'])}, sharing.id, p_request_id, p_ip, array[${word('link_code.redeemed' satisfies AuditAction)}], array['connection'],
    array[new_connection_id], array[sharing."operatorId"], array[sharing."integrationId"],
    array[json_build_object('linkCodeId', code.id, 'resources', cardinality(pinned_ids), 'scopes', array_to_string(granted_scopes, ' '))]);
  -- Not in the owner's trail, because who takes part in statistics is the user's own business.
  perform record_audit(moment, ${word('client' satisfies Actor['type'])}, sharing.id, p_request_id, p_ip, array[${word('statistics_participation.set' satisfies AuditAction)}], array['connection'],
    array[c], '{}', array[sharing."integrationId"], array[json_build_object('optedIn', code.statistics_opted_in)]) from unnest(changed) c;
  perform count_evidence(array[p_client_number], array[${word('link_code_redeemed' satisfies CountedKind)}], array[moment], array[moment], array[1::bigint]);

  return jsonb_build_object(
    'connectionId', new_connection_id,
    'resources', (select jsonb_agg(jsonb_build_object('id', u.id, 'type', u.type) order by u.n) from unnest(granted_ids, pinned_types) with ordinality u(id, type, n)));
end
$$;`;

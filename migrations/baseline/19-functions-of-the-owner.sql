-- What processes may do only in ways that the owner's functions judge themselves (docs/operating.md, “Roles”). These run with the owner's
-- rights, find nothing but the service's own tables, and are called by those whom server/database/roles/grants.ts names.

-- The moment that a process says it is now. Functions that judge for themselves by the time take it from here, because whoever has broken into
-- a process would otherwise say whatever time suits them. A process whose clock is further off is not ready anyway.
create function present_moment(p_claimed timestamptz) returns timestamptz language plpgsql stable as $$
begin
  if p_claimed between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute' then
    return p_claimed;
  end if;
  raise exception 'the clock of this process differs from the database''s by more than a minute' using errcode = 'OI002';
end
$$;

-- Whether something can have been observed: within the last week, for which the request log is kept, since a process writes later what it could
-- not write at once. PostgreSQL puts the comparison in the place of the call.
create function is_recent(p_at timestamptz) returns boolean language sql volatile as $$
  select p_at between clock_timestamp() - interval '7 days' and clock_timestamp() + interval '1 minute'
$$;

-- A moment that is over, at the latest the present one.
create function ended_moment(p_claimed timestamptz) returns timestamptz language sql volatile as $$
  select least(p_claimed, clock_timestamp())
$$;

-- A prefix and 26 characters of Crockford's base32 for 128 random bits, such as con_0a….
create function new_id(p_prefix text) returns text language sql volatile as $$
  select p_prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', substring(r.bits from 5 * n + 1 for 5)::int + 1, 1), '' order by n)
    from (select ('x' || substr(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'), 1, 32))::bit(128) || b'00' as bits) r,
         generate_series(0, 25) n
$$;

-- Adds to what a review is shown of sandbox clients. Nothing is ever taken away from it, and what no request can have shown is left out.
create function count_evidence(p_client_nos integer[], p_kinds text[], p_first timestamptz[], p_last timestamptz[], p_counts bigint[])
returns void language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into review_evidence (client_no, kind, first_at, last_at, count)
  select u.client_no, u.kind, u.first_at, u.last_at, u.count
    from unnest(p_client_nos, p_kinds, p_first, p_last, p_counts) u(client_no, kind, first_at, last_at, count)
    join client k on k.no = u.client_no and k.environment = 'sandbox'
   where u.count between 1 and 100000 and is_recent(u.first_at) and is_recent(u.last_at) and u.kind in (
     'capabilities_read', 'capabilities_not_read', 'cursor_followed', 'request_conditional', 'answer_unchanged', 'pause_honoured',
     'pause_disregarded', 'link_code_redeemed', 'tombstone_acknowledged', 'certificate_rotated')
   order by 1, 2
  on conflict (client_no, kind) do update set first_at = least(review_evidence.first_at, excluded.first_at),
    last_at = greatest(review_evidence.last_at, excluded.last_at), count = review_evidence.count + excluded.count
$$;

-- Removes the addresses from a deleted account's own lines of the trail and its back ends'. By audit_entry_actor and audit_entry_operator.
create function forget_addresses(p_operator_id text)
returns void language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from operator where id = p_operator_id and deleted_at is not null)
     or exists (select from passkey where operator_id = p_operator_id) or exists (select from portal_session where operator_id = p_operator_id) then
    raise exception 'the account has not been deleted' using errcode = '42501';
  end if;
  update audit_entry set ip = null
   where ip is not null and (actor_id = p_operator_id or (operator_id = p_operator_id and actor_type in ('anonymous', 'client')));
end
$$;

-- Removes one slice of what lets people in and has ended by p_until, for workers, who see none of it. Rows that are locked at this moment are
-- left for the next time. Returns how many rows there were.
create function remove_ended_credentials(p_table text, p_until timestamptz, p_most integer)
returns integer language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ended text;
  removed integer;
begin
  ended := case p_table
    when 'used_challenge' then 'expires_at <= $1 order by expires_at'
    when 'portal_session' then 'expires_at <= $1 order by expires_at'
    when 'verification_link' then 'expires_at <= $1 order by expires_at'
    when 'email_change' then 'expires_at <= $1 order by expires_at'
    -- Keys of lookups and cursors are read for ever, and so is the current key of each purpose.
    when 'key_ring_entry' then 'retired_at <= $1 and purpose in (''session'', ''verification_link'') order by retired_at'
  end;
  if ended is null then
    raise exception 'nothing of % ends', p_table using errcode = '42501';
  end if;
  execute format('delete from public.%1$I where ctid = any(array(select ctid from public.%1$I where %2$s limit $2 for update skip locked))', p_table, ended)
    using ended_moment(p_until), p_most;
  get diagnostics removed = row_count;
  return removed;
end
$$;

-- Redeems a link code (docs/specification.md, “Redemption”) for the machine API, which can make no connection, share or event in any other way
-- and reads no code's HMAC: whoever calls this shows what may be stored of a live code of this client. It judges the code (unique link_code
-- (environment, code_hmac)) and counts the attempt if it fails: on a live code of another client, or on a used one. After the fifth, nothing is
-- counted any more. It is one statement whatever the code is, so that all refusals cost the same. Returns null whenever there is nothing to
-- redeem. What has been redeemed is in the trail and among the evidence. Its locks: link code, tracked resources, feed, evidence.
create function redeem_link_code(p_environment text, p_hmacs bytea[], p_client_no integer, p_request_id text, p_ip inet, p_now timestamptz)
returns jsonb language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moment constant timestamptz := present_moment(p_now);
  bits constant text[] := '{orders.read,orders.history.read,vehicles.read,vehicles.history.read,shipping.read,statistics.orders.read,revocations.ack}';
  code record;
  sharing record;
  pinned_ids bigint[];
  pinned_types text[];
  granted_ids text[];
  granted_scopes text[];
  changed text[];
  feed record;
  new_connection_id constant text := new_id('con');
begin
  -- A code has one HMAC for each key that the ring has had.
  if cardinality(p_hmacs) > 32 then
    raise exception 'more than one code' using errcode = '42501';
  end if;
  with code as (
    select id, user_ref, profile_version, scopes, statistics_opted_in, client_no = p_client_no as own,
           (redeemed_at is null and cancelled_at is null and failed_attempts < 5 and expires_at > moment) as fresh,
           redeemed_at is not null and failed_attempts < 5 as used
      from link_code where environment = p_environment and code_hmac = any(p_hmacs) for no key update),
  failed as (
    update link_code c set failed_attempts = c.failed_attempts + 1 from code k
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
             and (t.type = 'vehicle' or t.user_ref = c.user_ref or t.synthetic_for = c.client_no)
           order by t.id for share of t) t;
  perform 1 from client_feed where client_no = p_client_no for update;

  -- What the client may have at this moment, in a statement after the feed's lock, since scopes change only under it. Since the request was
  -- admitted, the integration may have been suspended or retired, or its gate closed. After a retirement, nobody would revoke the connection.
  select k.id as client_id, i.id as integration_id, i.operator_id,
         f.shares and (k.environment = 'sandbox' or (i.production_gate_open and g.production_data_enabled)) as sharable,
         array(select s.scope from unnest(code.scopes) with ordinality s(scope, n) where s.scope = any (k.scopes) and s.scope = any (p.requested_scopes) order by s.n) as scopes
    into sharing
    from client k join integration i on i.id = k.integration_id cross join service_gate g
    join integration_status_facts f on f.status = i.status and f.environment = k.environment
    left join profile_version p on p.integration_id = i.id
     and p.version = case k.environment when 'production' then i.reviewed_profile_version else i.profile_version end
   where k.no = p_client_no and k.environment = p_environment;
  if not found or not sharing.sharable then
    return null;
  end if;
  granted_scopes := sharing.scopes;
  select array_agg(u.id order by u.n), array_agg(u.type order by u.n), array_agg(new_id(case u.type when 'order' then 'ord' else 'veh' end) order by u.n)
    into pinned_ids, pinned_types, granted_ids
    from unnest(pinned_ids, pinned_types) with ordinality u(id, type, n)
   where case u.type when 'order' then 'orders.read' else 'vehicles.read' end = any (granted_scopes);
  if pinned_ids is null then
    return null;
  end if;

  update link_code set redeemed_at = moment, connection_id = new_connection_id where id = code.id;
  insert into connection (client_no, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
  values (p_client_no, new_connection_id, code.user_ref, code.profile_version, granted_scopes, code.statistics_opted_in, moment);
  -- The latest choice applies to the whole integration, so a second link neither hides a no nor loses a yes. By connection_user.
  with choice as (
    update connection set statistics_opted_in = code.statistics_opted_in
     where client_no = p_client_no and user_ref = code.user_ref and revocation_id is null and statistics_opted_in <> code.statistics_opted_in returning id)
  select coalesce(array_agg(id order by id), '{}') into changed from choice;
  update client_feed set head = head + cardinality(pinned_ids) where client_no = p_client_no
  returning head - cardinality(pinned_ids) as base, epoch into feed;
  -- A revision is reported as the sum of the stored one and the epoch.
  insert into shared_resource (client_no, id, connection_id, tracked_resource_id, type, consented, revision, position, updated_at)
  select p_client_no, u.id, new_connection_id, u.tracked_resource_id, u.type,
         (select sum(1 << (array_position(bits, s) - 1)) from unnest(granted_scopes) s)::smallint, 1 - feed.epoch, feed.base + u.n, moment
    from unnest(granted_ids, pinned_ids, pinned_types) with ordinality u(id, tracked_resource_id, type, n) order by u.n;

  -- As emitEvent.ts does: each event that somebody subscribes to, with one delivery for each of these endpoints, within seven days.
  with subscription as materialized (
    select no, event_types from webhook_endpoint where client_no = p_client_no and first_proven_at is not null and status in ('registered', 'active', 'paused')),
  event as materialized (
    select new_id('evt') as id, e.type, e.resource_id, e.resource_type, e.n
      from (select 'connection.created' as type, null as resource_id, null as resource_type, 0 as n
            union all select 'resource.granted', u.id, u.type, u.n from unnest(granted_ids, pinned_types) with ordinality u(id, type, n)) e
     where exists (select from subscription where e.type = any (event_types))),
  stored as (
    insert into webhook_event (id, client_no, type, occurred_at, expires_at, connection_id, resource_id, resource_type)
    select id, p_client_no, type, moment, moment + interval '7 days', new_connection_id, resource_id, resource_type from event order by n),
  delivery as (
    insert into webhook_delivery (id, endpoint_no, event_id, type, next_attempt_at, window_ends_at, created_at, connection_id, resource_id)
    select new_id('dlv'), s.no, e.id, e.type, moment, moment + interval '7 days', moment,
           case e.type when 'resource.granted' then new_connection_id end, e.resource_id
      from event e join subscription s on e.type = any (s.event_types) order by e.n, s.no
    returning endpoint_no)
  select pg_notify('webhook_due', case when length(d.numbers) > 7900 then '' else d.numbers end) into feed
    from (select string_agg(distinct endpoint_no::text, ',') as numbers from delivery) d where d.numbers is not null;

  insert into audit_entry (occurred_at, actor_type, actor_id, request_id, ip, action, subject_type, subject_id, operator_id, integration_id, details)
  values (moment, 'client', sharing.client_id, left(p_request_id, 100), p_ip, 'link_code.redeemed', 'connection', new_connection_id, sharing.operator_id,
          sharing.integration_id, json_build_object('linkCodeId', code.id, 'resources', cardinality(pinned_ids), 'scopes', array_to_string(granted_scopes, ' ')));
  -- Not in the owner's trail, because who takes part in statistics is the user's own business.
  insert into audit_entry (occurred_at, actor_type, actor_id, request_id, ip, action, subject_type, subject_id, integration_id, details)
  select moment, 'client', sharing.client_id, left(p_request_id, 100), p_ip, 'statistics_participation.set', 'connection', c, sharing.integration_id,
         json_build_object('optedIn', code.statistics_opted_in) from unnest(changed) c;
  perform count_evidence(array[p_client_no], array['link_code_redeemed'], array[moment], array[moment], array[1::bigint]);

  return jsonb_build_object(
    'connectionId', new_connection_id,
    'resources', (select jsonb_agg(jsonb_build_object('id', u.id, 'type', u.type) order by u.n) from unnest(granted_ids, pinned_types) with ordinality u(id, type, n)));
end
$$;

-- Locks a revocation for its acknowledgement, so that what is read of it afterwards stays true.
create function lock_revocation(p_client_no integer, p_revocation_id text)
returns void language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select 1 from revocation where client_no = p_client_no and id = p_revocation_id for no key update
$$;

-- Stores that a client has deleted what a revocation names (docs/specification.md, “Acknowledgement”), once and before the deadline, with its
-- line in the trail and its evidence. Its locks: revocation, evidence.
create function acknowledge_revocation(p_client_no integer, p_revocation_id text, p_request_id text, p_ip inet, p_now timestamptz)
returns void language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moment constant timestamptz := present_moment(p_now);
begin
  update revocation set acknowledged_at = moment
   where client_no = p_client_no and id = p_revocation_id and acknowledged_at is null and (fixture or deletion_deadline_at > moment);
  if not found then
    raise exception 'this revocation cannot be acknowledged' using errcode = '42501';
  end if;
  insert into audit_entry (occurred_at, actor_type, actor_id, request_id, ip, action, subject_type, subject_id, operator_id, integration_id)
  select moment, 'client', k.id, left(p_request_id, 100), p_ip, 'revocation.acknowledged', 'revocation', p_revocation_id, i.operator_id, i.id
    from client k join integration i on i.id = k.integration_id where k.no = p_client_no;
  perform count_evidence(array[p_client_no], array['tombstone_acknowledged'], array[moment], array[moment], array[1::bigint]);
end
$$;

-- Locks a client for a renewal, so that what is read of it afterwards stays true.
create function lock_client_for_renewal(p_client_id text)
returns void language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select 1 from client where id = p_client_id for no key update
$$;

-- Stores the request for a certificate's successor (docs/specification.md, “Renewal without a person”) for the machine API, which can make no
-- certificate, job or mail in any other way. The process that calls it vouches for the caller's key, which the database cannot see; everything
-- else is judged here again: a certificate of this client that is usable and in the last third of its life, an integration that may have
-- certificates, a switch that its owner has turned on, and a free one of two slots. Its owner is told, whatever the process does next.
-- Returns the certificate's id, or null if both slots are taken.
create function request_renewal(
  p_client_id text, p_certificate_id text, p_csr_der bytea, p_public_key_der bytea, p_key_type text, p_request_id text, p_ip inet, p_now timestamptz)
returns text language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moment constant timestamptz := present_moment(p_now);
  caller record;
  free_slot smallint;
  new_certificate_id constant text := new_id('crt');
  new_mail_id constant text := new_id('mail');
  month text;
  name text;
  turn integer := 1;
begin
  perform lock_client_for_renewal(p_client_id);
  select k.no, k.environment, i.id as integration_id, i.operator_id, x.serial into caller
    from client k join integration i on i.id = k.integration_id join certificate x on x.client_no = k.no
    join integration_status_facts f on f.status = i.status and f.environment = k.environment
   where k.id = p_client_id and x.id = p_certificate_id and k.renewal_by_est and f.answers
     and x.status = 'issued' and x.usable_until > moment and x.not_before + (x.not_after - x.not_before) * 2 / 3 <= moment;
  if not found then
    raise exception 'this certificate cannot be renewed' using errcode = '42501';
  end if;

  update certificate set status = 'issued', slot = null where client_no = caller.no and slot is not null and status = 'issued' and usable_until <= moment;
  select s into free_slot from generate_series(1, 2) s
   where not exists (select from certificate where client_no = caller.no and slot = s) order by s limit 1;
  if free_slot is null then
    return null;
  end if;
  month := caller.environment || '-' || to_char(moment at time zone 'UTC', 'YYYY-MM');
  name := month;
  while exists (select from certificate where client_no = caller.no and status <> 'failed' and key_name = name) loop
    turn := turn + 1;
    name := month || '-' || turn;
  end loop;

  insert into certificate (id, client_no, slot, source, status, csr_der, public_key_der, key_type, requested_at, requested_by, key_name, renews)
  values (new_certificate_id, caller.no, free_slot, 'est', 'pending', p_csr_der, p_public_key_der, p_key_type, moment, caller.operator_id, name, p_certificate_id);
  perform graphile_worker.add_job('issueCertificate', payload => json_build_object('certificateId', new_certificate_id));
  insert into audit_entry (occurred_at, actor_type, actor_id, request_id, ip, action, subject_type, subject_id, operator_id, integration_id, details)
  values (moment, 'client', p_client_id, left(p_request_id, 100), p_ip, 'certificate.requested', 'certificate', new_certificate_id, caller.operator_id, caller.integration_id,
          json_build_object('environment', caller.environment, 'keyType', p_key_type, 'renews', p_certificate_id));
  insert into mail (id, kind, subject_id, operator_id, integration_id, details, created_at)
  values (new_mail_id, 'certificate_renewal', new_certificate_id, caller.operator_id, caller.integration_id,
          json_build_object('environment', caller.environment, 'commonName', 'svc:' || caller.environment || ':' || p_client_id,
            'certificateId', new_certificate_id, 'renewedSerial', caller.serial), moment);
  perform graphile_worker.add_job('sendMail', payload => json_build_object('mailId', new_mail_id));
  return new_certificate_id;
end
$$;

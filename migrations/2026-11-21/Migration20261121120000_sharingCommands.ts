import { Migration } from '@mikro-orm/migrations';

/** Link codes, acknowledgement keys, events, service tokens, usage and the request log; the sandbox that synthetic resources belong to. */
export class Migration20261121120000_sharingCommands extends Migration {
  override up(): void {
    this.addSql(`
      create table link_code (
        id text primary key,
        environment text not null check (environment in ('sandbox', 'production')),
        client_no int not null references client,
        code_hmac bytea not null,
        user_ref bytea not null,
        profile_version int not null,
        scopes text[] not null,
        statistics_opted_in boolean not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        redeemed_at timestamptz,
        cancelled_at timestamptz,
        failed_attempts smallint not null default 0,
        connection_id text,
        unique (environment, code_hmac)
      );
      create index link_code_client on link_code (client_no, created_at desc, id desc);
      create index link_code_user on link_code (environment, user_ref);
      create index link_code_expiry on link_code (expires_at);

      create table link_code_resource (
        link_code_id text not null references link_code on delete cascade,
        tracked_resource_id bigint not null references tracked_resource on delete cascade,
        primary key (link_code_id, tracked_resource_id)
      );
      create index link_code_resource_tracked on link_code_resource (tracked_resource_id);

      create table acknowledgement_key (
        client_no int not null references client,
        key text not null,
        revocation_id text not null,
        created_at timestamptz not null,
        primary key (client_no, key)
      );
      create index acknowledgement_key_age on acknowledgement_key (created_at);

      create table webhook_event (
        id text primary key,
        client_no int not null references client,
        type text not null check (type in ('connection.created', 'resource.granted', 'resource.updated', 'resource.revoked', 'connection.revoked',
          'statistics.updated', 'integration.suspended')),
        occurred_at timestamptz not null,
        expires_at timestamptz not null,
        connection_id text,
        resource_id text,
        resource_type text check (resource_type in ('order', 'vehicle')),
        revocation_id text,
        generation_id text
      );
      create index webhook_event_subject on webhook_event (client_no, connection_id, resource_id);
      create index webhook_event_expiry on webhook_event (expires_at);

      create table service_token (
        id text primary key,
        name text not null,
        environment text not null check (environment in ('sandbox', 'production')),
        token_hash bytea not null unique,
        permissions text[] not null,
        created_at timestamptz not null,
        created_by text references operator,
        expires_at timestamptz not null,
        last_used_at timestamptz,
        revoked_at timestamptz
      );

      create table usage_counter (
        client_no int not null references client,
        hour timestamptz not null,
        route text not null,
        status smallint not null,
        count int not null,
        primary key (client_no, hour, route, status)
      ) with (fillfactor = 60);
      create index usage_counter_hour on usage_counter (hour);

      create table client_activity (
        client_no int primary key references client,
        last_request_at timestamptz,
        last_sync_at timestamptz
      ) with (fillfactor = 40);

      -- No foreign key: rows arrive by the hundred, and clients are never removed.
      create table request_log (
        client_no int not null,
        occurred_at timestamptz not null,
        request_id text not null,
        method text not null,
        route text not null,
        status smallint not null,
        problem_code text,
        certificate_id text,
        serial text,
        duration_ms real not null,
        primary key (client_no, request_id)
      );
      create index request_log_class on request_log (client_no, (status / 100), occurred_at desc, request_id desc);
      create index request_log_route on request_log (client_no, route, (status / 100), occurred_at desc, request_id desc);
      create index request_log_age on request_log (occurred_at);

      create index revocation_acknowledged on revocation (client_no, revoked_at desc, id desc) where acknowledged_at is not null;
      create index shared_resource_revoked on shared_resource (client_no, revocation_id) where revocation_id is not null;
      create unique index connection_public_id on connection (id);
      -- Deleting a revocation looks up its connection.
      create index connection_revocation on connection (client_no, revocation_id) where revocation_id is not null;

      create table sandbox_actions (
        client_no int primary key references client,
        window_start timestamptz not null,
        count int not null
      ) with (fillfactor = 40);

      alter table audit_entry drop constraint audit_entry_actor_type_check,
        add constraint audit_entry_actor_type_check check (actor_type in ('anonymous', 'operator', 'service_token', 'client', 'system'));

      -- The values on which the shown figures rest and those of the latest publication are stored separately.
      update statistics_generation set basis = (
        select coalesce(json_object_agg(key, json_build_object('shown', value, 'latest', value)), '{}')::text from json_each(basis::json));

      alter table tracked_resource add column synthetic_for int references client;
      alter table tracked_resource add constraint tracked_resource_shipping check (type = 'order' or shipping is null);
      -- Changes that need another scope are kept apart from those that need the order's own.
      alter table tracked_change add constraint tracked_change_core check (section <> 'core' or strpos(changes, '"path":"shipping') = 0);
      update tracked_resource t set synthetic_for = s.client_no from shared_resource s where s.tracked_resource_id = t.id and t.environment = 'sandbox';
      create index tracked_resource_synthetic on tracked_resource (synthetic_for) where synthetic_for is not null;
      create index tracked_resource_user on tracked_resource (environment, user_ref) where user_ref is not null;
      -- Includes revoked shares, because deleting a tracked resource looks up all of them.
      drop index shared_resource_fan_out;
      create index shared_resource_fan_out on shared_resource (tracked_resource_id);

      -- Places of many clients at once; their rows are locked in one order, so that two processes never wait for each other in a circle.
      create function release_leases_v2(p_client_nos int[], p_finished timestamptz[]) returns void language plpgsql volatile as $release$
      begin
        perform set_config('synchronous_commit', 'off', true);
        perform 1 from client_quota where client_no = any (p_client_nos) order by client_no for no key update;
        update client_quota q set leases = array(
          select l from unnest(q.leases) l where not exists (
            select from unnest(p_client_nos, p_finished) f(client_no, lease) where f.client_no = q.client_no and f.lease = l))
         where q.client_no = any (p_client_nos);
      end
      $release$;
    `);
  }
}

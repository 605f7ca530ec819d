import { Migration } from '@mikro-orm/migrations';

/** Webhook endpoints, deliveries and their attempts. Events that were stored before there were endpoints could never reach anybody. */
export class Migration20261122233000_webhookDeliveries extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_endpoint (
        no int generated always as identity primary key,
        id text not null unique,
        integration_id text not null references integration,
        -- Tells the environment.
        client_no int not null references client,
        url text not null,
        payload_mode text not null check (payload_mode in ('notification', 'full_payload')),
        event_types text[] not null,
        description text not null,
        status text not null check (status in ('registered', 'active', 'paused', 'removed')),
        slot smallint,
        created_at timestamptz not null,
        created_by text not null references operator,
        -- Of the present URL. From the first proof on, events are stored for the endpoint.
        proven_at timestamptz,
        first_proven_at timestamptz,
        status_changed_at timestamptz not null,
        paused_by text check (paused_by in ('owner', 'administrator')),
        pause_reason text,
        removed_at timestamptz,
        failures_in_row smallint not null default 0,
        failing_since timestamptz,
        last_success_at timestamptz,
        unique (integration_id, slot),
        constraint webhook_endpoint_slot_check check (slot between 1 and 3),
        check ((status = 'removed') = (slot is null)),
        check ((status = 'removed') = (removed_at is not null)),
        check (status <> 'paused' or paused_by is not null),
        check (status not in ('active', 'paused') or (proven_at is not null and first_proven_at is not null)),
        check (cardinality(event_types) > 0)
      ) with (fillfactor = 70);
      create index webhook_endpoint_list on webhook_endpoint (integration_id, no);
      create index webhook_endpoint_client on webhook_endpoint (client_no) where status <> 'removed';

      delete from webhook_event;
      alter table webhook_event add column test boolean not null default false;
      drop index webhook_event_expiry;
      create index webhook_event_age on webhook_event (occurred_at);

      -- No foreign keys: rows arrive by the thousand, and nothing that they refer to is deleted before them.
      create table webhook_delivery (
        no bigint generated always as identity primary key,
        id text not null unique,
        endpoint_no int not null,
        event_id text not null,
        state text not null default 'pending' check (state in ('pending', 'held', 'delivered', 'dead', 'discarded')),
        attempts smallint not null default 0,
        next_attempt_at timestamptz,
        window_ends_at timestamptz not null,
        created_at timestamptz not null,
        -- Both only of what may be discarded with a subject: resource.granted and resource.updated.
        connection_id text,
        resource_id text,
        reason text,
        finished_at timestamptz,
        replay_of text
      ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
      create index webhook_delivery_due on webhook_delivery (endpoint_no, next_attempt_at, no) where state = 'pending';
      create index webhook_delivery_held on webhook_delivery (endpoint_no, reason, no) where state = 'held';
      create index webhook_delivery_dead on webhook_delivery (endpoint_no, no) where state = 'dead';
      create index webhook_delivery_window on webhook_delivery (window_ends_at) where state in ('pending', 'held');
      create index webhook_delivery_subject on webhook_delivery (connection_id, resource_id)
        where state in ('pending', 'held') and connection_id is not null;
      create index webhook_delivery_list on webhook_delivery (endpoint_no, no);
      create index webhook_delivery_age on webhook_delivery (created_at);

      create table webhook_attempt (
        delivery_no bigint not null,
        number smallint not null,
        endpoint_no int not null,
        started_at timestamptz not null,
        dns_us int,
        connect_us int,
        tls_us int,
        first_byte_us int,
        total_us int not null,
        address inet,
        status smallint,
        error text,
        response text,
        key_id text,
        primary key (delivery_no, number)
      );
      create index webhook_attempt_age on webhook_attempt (started_at);

      create table webhook_attempt_hour (
        endpoint_no int not null,
        hour timestamptz not null,
        outcome text not null check (outcome in ('delivered', 'retried', 'dead')),
        count int not null,
        durations int[] not null,
        primary key (endpoint_no, hour, outcome)
      ) with (fillfactor = 70);
      create index webhook_attempt_hour_age on webhook_attempt_hour (hour);
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What lists, replays and alerts of webhook deliveries need. */
export class Migration20261122235500_webhookHistory extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhook_delivery
        -- The event's, so that one index serves every filter of the list.
        add column type text,
        -- Since when a later delivery of the same event stands for this one.
        add column replayed_at timestamptz,
        -- A replay of what had been delivered.
        add column delivered_before boolean not null default false;
      update webhook_delivery d set type = e.type from webhook_event e where e.id = d.event_id;
      alter table webhook_delivery alter column type set not null;
      drop index webhook_delivery_list;
      create index webhook_delivery_list on webhook_delivery (endpoint_no, state, type, created_at, no);
      -- Few rows ever enter the next three.
      create index webhook_delivery_undelivered on webhook_delivery (endpoint_no, state, type, created_at, no)
        where state in ('dead', 'discarded') and replayed_at is null and not delivered_before;
      drop index webhook_delivery_dead;
      create index webhook_delivery_dead on webhook_delivery (endpoint_no, finished_at) where state = 'dead' and replayed_at is null;
      create index webhook_delivery_replay on webhook_delivery (event_id, endpoint_no) where replay_of is not null;
      -- The smallest that finds the deliveries of an event; it has to be written for every delivery.
      create index webhook_delivery_event on webhook_delivery using hash (event_id);
      create index webhook_event_resource on webhook_event (resource_id, occurred_at, id) where resource_id is not null;

      alter table webhook_endpoint add column dead_letters_told_at timestamptz;
      create index webhook_endpoint_failing on webhook_endpoint (failing_since, no) where failing_since is not null;
      create index webhook_endpoint_removed on webhook_endpoint (removed_at) where removed_at is not null;

      create table webhook_replay (
        id text primary key,
        endpoint_no int not null references webhook_endpoint,
        filter jsonb not null,
        until timestamptz not null,
        count int not null check (count > 0),
        replayed int not null default 0,
        ordered_by text not null references operator,
        ordered_at timestamptz not null,
        finished_at timestamptz
      );
      create index webhook_replay_latest on webhook_replay (endpoint_no, ordered_at, id);
      create index webhook_replay_age on webhook_replay (ordered_at);
    `);
  }
}

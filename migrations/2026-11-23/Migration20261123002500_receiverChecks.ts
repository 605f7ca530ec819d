import { Migration } from '@mikro-orm/migrations';

/** The last check of each endpoint's receiver, and signed samples until a worker has made them and their reader has them. */
export class Migration20261123002500_receiverChecks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_receiver_check (
        endpoint_no int primary key references webhook_endpoint on delete cascade,
        id text not null unique,
        requested_by text not null references operator,
        requested_at timestamptz not null,
        finished_at timestamptz,
        failure text,
        -- What was found the last time: for this address, and at this moment.
        url text,
        probed_at timestamptz,
        probes jsonb not null default '[]'
      );
      create table webhook_sample (
        id text primary key,
        endpoint_no int not null references webhook_endpoint on delete cascade,
        type text not null,
        url text not null,
        requested_by text not null references operator,
        requested_at timestamptz not null,
        -- What the event refers to.
        event jsonb not null,
        headers jsonb,
        body text
      );
      create index webhook_sample_age on webhook_sample (requested_at);
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Ownership challenges of webhook endpoints, each with its steps. */
export class Migration20261122234000_webhookChallenges extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_challenge (
        id text primary key,
        endpoint_no int not null,
        -- A change of the endpoint's URL makes the challenge void.
        url text not null,
        status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
        requested_at timestamptz not null,
        requested_by text not null references operator,
        finished_at timestamptz,
        failure text,
        steps jsonb not null default '[]',
        check ((status = 'pending') = (finished_at is null)),
        check ((status = 'failed') = (failure is not null))
      );
      create index webhook_challenge_latest on webhook_challenge (endpoint_no, requested_at desc, id desc);
      create index webhook_challenge_requested_at on webhook_challenge (requested_at);`);
  }
}

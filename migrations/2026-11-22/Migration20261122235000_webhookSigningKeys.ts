import { Migration } from '@mikro-orm/migrations';

/** The keys that sign deliveries: one that signs, one that is published and waits for its turn, and former ones, whose private part is gone. */
export class Migration20261122235000_webhookSigningKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_signing_key (
        id text primary key,
        public_key text not null,
        wrapped_key bytea,
        published_at timestamptz not null,
        signs_from timestamptz,
        retired_at timestamptz,
        constraint webhook_signing_key_turns_check check (retired_at is null or signs_from is not null),
        constraint webhook_signing_key_private_check check ((wrapped_key is null) = (retired_at is not null))
      );
      create unique index webhook_signing_key_current on webhook_signing_key ((1)) where signs_from is not null and retired_at is null;
      create unique index webhook_signing_key_next on webhook_signing_key ((1)) where signs_from is null;
      create index webhook_signing_key_retired on webhook_signing_key (retired_at);
    `);
  }
}

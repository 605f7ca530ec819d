import { Migration } from '@mikro-orm/migrations';

/** Issuing authorities that were requested from a root that is kept offline, and whose certificates have not been imported yet. */
export class Migration20261122203000_authorityRequests extends Migration {
  override up(): void {
    this.addSql(`
      create table issuing_authority_request (
        id text primary key,
        public_key_der bytea not null unique,
        wrapped_key bytea not null,
        created_at timestamptz not null
      );
    `);
  }
}

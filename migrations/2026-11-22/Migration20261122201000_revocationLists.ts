import { Migration } from '@mikro-orm/migrations';

/**
 * The current revocation list of each authority; its number is `certificate_authority.crl_number`. The indexes serve the certificates that
 * a list names: those that no list has named yet, and those whose validity had not ended at the list before.
 */
export class Migration20261122201000_revocationLists extends Migration {
  override up(): void {
    this.addSql(`
      create table certificate_revocation_list (
        authority_id text primary key references certificate_authority (id),
        der bytea not null,
        etag text not null,
        this_update timestamptz not null,
        next_update timestamptz not null check (next_update > this_update),
        revoked integer not null check (revoked >= 0)
      );
      -- Serials are random, so trying to compress them would only cost time.
      alter table certificate_revocation_list alter column der set storage external;
      create index certificate_unpublished on certificate (issuer_id) where status = 'revoked' and serial is not null and crl_published_at is null;
      create index certificate_revoked on certificate (issuer_id, not_after) where status = 'revoked' and crl_published_at is not null;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What a revocation list says of a certificate is in the index, because rows of certificates are wide and lie far apart. */
export class Migration20261122201001_revokedEntries extends Migration {
  override up(): void {
    this.addSql(`
      drop index certificate_revoked;
      create index certificate_revoked on certificate (issuer_id, not_after) include (serial, revoked_at, revocation_reason)
       where status = 'revoked' and crl_published_at is not null;
    `);
  }
}

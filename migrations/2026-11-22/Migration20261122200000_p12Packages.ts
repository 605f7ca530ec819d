import { Migration } from '@mikro-orm/migrations';

/** The package with a certificate's key, sealed to a claim token. Only one that is ready has bytes. */
export class Migration20261122200000_p12Packages extends Migration {
  override up(): void {
    this.addSql(`
      create table p12_package (
        certificate_id text primary key references certificate (id),
        status text not null default 'making'
          check (status in ('making', 'ready', 'claimed', 'expired', 'blocked', 'failed', 'revoked')),
        recipient_key bytea not null,
        claim_token_hmac bytea not null,
        sealed bytea,
        ready_at timestamptz,
        claim_until timestamptz,
        failed_attempts integer not null default 0,
        ended_at timestamptz,
        check ((status = 'ready') = (sealed is not null)),
        check ((ready_at is null) = (claim_until is null)),
        check (status not in ('ready', 'claimed', 'expired', 'blocked') or ready_at is not null),
        check ((status in ('making', 'ready')) = (ended_at is null))
      );
      create index p12_package_waiting on p12_package (claim_until) where status = 'ready';
    `);
  }
}

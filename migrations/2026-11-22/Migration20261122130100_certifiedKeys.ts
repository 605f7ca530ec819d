import { Migration } from '@mikro-orm/migrations';

/**
 * A key is certified once, whoever asks; only a failed issuance leaves it free. Until now a client could have its own former key certified
 * again: of such certificates the first one holds the key from here on, and the others are marked so that they stay as they are.
 */
export class Migration20261122130100_certifiedKeys extends Migration {
  override up(): void {
    this.addSql(`
      alter table certificate add column repeats_key boolean not null default false;
      update certificate x set repeats_key = true
        from (select id, row_number() over (partition by sha256(public_key_der) order by (status = 'pending'), requested_at, id) as turn
                from certificate where public_key_der is not null and status <> 'failed') k
       where x.id = k.id and k.turn > 1;
      drop index certificate_public_key;
      create unique index certificate_certified_key on certificate (sha256(public_key_der)) where status <> 'failed' and not repeats_key;
    `);
  }
}

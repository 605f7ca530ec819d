import { Migration } from '@mikro-orm/migrations';

/**
 * A key is certified once, whoever asks; it stays free only if issuing failed. Before this migration, a client could have its own former
 * key certified again. Of such certificates, the first now holds the key, and the others are marked, which exempts them from the index.
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

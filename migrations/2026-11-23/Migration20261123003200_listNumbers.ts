import { Migration } from '@mikro-orm/migrations';

/** The number of a revocation list with the list, because the next number may be raised before there is a next list; and an index to forget keys. */
export class Migration20261123003200_listNumbers extends Migration {
  override up(): void {
    this.addSql(`
      alter table certificate_revocation_list add column number bigint;
      update certificate_revocation_list l set number = a.crl_number from certificate_authority a where a.id = l.authority_id;
      create index key_ring_entry_retired on key_ring_entry (retired_at);
    `);
  }
}

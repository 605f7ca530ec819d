import { Migration } from '@mikro-orm/migrations';

/** Certificates of a client are read in pages: what holds one of its places first, then newest first. */
export class Migration20261121192000_certificatePages extends Migration {
  override up(): void {
    this.addSql(`
      drop index certificate_client;
      create index certificate_client on certificate (client_no, (slot is not null) desc, requested_at desc, id desc);
    `);
  }
}

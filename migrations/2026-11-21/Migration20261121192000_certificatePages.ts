import { Migration } from '@mikro-orm/migrations';

/** An index for the pages of a client's certificates: those that occupy a slot first, then the newest first. */
export class Migration20261121192000_certificatePages extends Migration {
  override up(): void {
    this.addSql(`
      drop index certificate_client;
      create index certificate_client on certificate (client_no, (slot is not null) desc, requested_at desc, id desc);
    `);
  }
}

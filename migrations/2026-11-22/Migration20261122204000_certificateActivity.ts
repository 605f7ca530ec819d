import { Migration } from '@mikro-orm/migrations';

/**
 * When a certificate was last used. The rows are narrow and apart from the certificates, because they are written every second, whereas a
 * certificate's row is wide, is read by admission and has many indexes.
 */
export class Migration20261122204000_certificateActivity extends Migration {
  override up(): void {
    this.addSql(`
      create table certificate_activity (
        certificate_id text primary key references certificate (id),
        last_used_at timestamptz not null
      ) with (fillfactor = 40);
    `);
  }
}

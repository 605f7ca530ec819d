import { Migration } from '@mikro-orm/migrations';

/** A withdrawn resource loses its history, so its history stays incomplete if the resource comes back. */
export class Migration20261121190000_forgottenHistory extends Migration {
  override up(): void {
    this.addSql(`
      alter table tracked_resource add column history_forgotten boolean not null default false;
      update tracked_resource set history_forgotten = true where withdrawn_at is not null;
    `);
  }
}

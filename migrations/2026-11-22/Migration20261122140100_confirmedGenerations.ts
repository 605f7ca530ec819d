import { Migration } from '@mikro-orm/migrations';

/** A fresh confirmation belongs to the cookie that came with its response. An older cookie of the same session is not confirmed. */
export class Migration20261122140100_confirmedGenerations extends Migration {
  override up(): void {
    this.addSql('alter table portal_session add column confirmed_generation int;');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** A fresh confirmation belongs to the cookie that its answer gave; an older one of the same session is not confirmed. */
export class Migration20261122140100_confirmedGenerations extends Migration {
  override up(): void {
    this.addSql('alter table portal_session add column confirmed_generation int;');
  }
}

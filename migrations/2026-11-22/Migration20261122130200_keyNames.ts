import { Migration } from '@mikro-orm/migrations';

/** Each key has its own file name. The command that the page showed before always wrote client.key, so existing keys get that name. */
export class Migration20261122130200_keyNames extends Migration {
  override up(): void {
    this.addSql("alter table certificate add column key_name text not null default 'client'");
  }
}

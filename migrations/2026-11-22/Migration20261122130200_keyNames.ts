import { Migration } from '@mikro-orm/migrations';

/** Each key has a file name of its own. The command shown until now wrote client.key every time, so that is what earlier ones are called. */
export class Migration20261122130200_keyNames extends Migration {
  override up(): void {
    this.addSql("alter table certificate add column key_name text not null default 'client'");
  }
}

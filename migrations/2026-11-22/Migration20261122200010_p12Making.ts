import { Migration } from '@mikro-orm/migrations';

/** For the clean-up of packages that no worker has finished. */
export class Migration20261122200010_p12Making extends Migration {
  override up(): void {
    this.addSql("create index p12_package_making on p12_package (certificate_id) where status = 'making'");
  }
}

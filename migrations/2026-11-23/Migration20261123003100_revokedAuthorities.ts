import { Migration } from '@mikro-orm/migrations';

/** Issuing authorities that their root has revoked. */
export class Migration20261123003100_revokedAuthorities extends Migration {
  override up(): void {
    this.addSql(`alter table certificate_authority add column revoked_at timestamptz;`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * A link keeps the network that asked for it, so that its confirmation gives the attempt back. The windows of attempts that anybody could
 * use up for somebody else are gone: by a folded address, and by the passkey that a response names.
 */
export class Migration20261122140000_linkNetworks extends Migration {
  override up(): void {
    this.addSql(`
      alter table verification_link add column network text;
      delete from attempt_window where kind in ('registration_address', 'sign_in_passkey');
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * A link stores the network that requested it, so that confirming it gives the attempt back. Two kinds of windows that anybody could use
 * up on somebody else's behalf are removed: those by folded address, and those by the passkey that a response names.
 */
export class Migration20261122140000_linkNetworks extends Migration {
  override up(): void {
    this.addSql(`
      alter table verification_link add column network text;
      delete from attempt_window where kind in ('registration_address', 'sign_in_passkey');
    `);
  }
}

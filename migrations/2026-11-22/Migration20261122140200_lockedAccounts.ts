import { Migration } from '@mikro-orm/migrations';

/** An administrator can lock an account. Until it is unlocked, nobody can sign in to it. */
export class Migration20261122140200_lockedAccounts extends Migration {
  override up(): void {
    this.addSql(`
      alter table operator add column locked_at timestamptz, add column lock_reason text,
        add check ((locked_at is null) = (lock_reason is null));
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Marks the deletions that an owner recorded in the portal. For earlier ones, the audit trail says so. */
export class Migration20261122152000_recordedByHand extends Migration {
  override up(): void {
    this.addSql(`
      alter table revocation add column recorded_by_hand boolean not null default false;
      update revocation r set recorded_by_hand = true
        from audit_entry a where a.action = 'revocation.deletion_recorded' and a.subject_id = r.id;
    `);
  }
}

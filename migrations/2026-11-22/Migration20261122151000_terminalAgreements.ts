import { Migration } from '@mikro-orm/migrations';

/** An agreement can be recorded on the server's terminal, where nobody has an account; the audit trail names the terminal. */
export class Migration20261122151000_terminalAgreements extends Migration {
  override up(): void {
    this.addSql(`
      alter table commercial_agreement alter column recorded_by drop not null;
      -- The status before the submission, unless another one is given.
      alter table review_submission alter column submitted_from set default 'sandbox';
    `);
  }
}

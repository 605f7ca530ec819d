import { Migration } from '@mikro-orm/migrations';

/** What an integration was when it was submitted: a withdrawal goes back to it. Once rejected, an integration is never in draft again. */
export class Migration20261122150000_submissionsBack extends Migration {
  override up(): void {
    this.addSql(`
      alter table review_submission add column submitted_from text not null default 'sandbox' check (submitted_from in ('sandbox', 'rejected'));
      update review_submission s set submitted_from = 'rejected'
       where exists (select from review_submission e where e.integration_id = s.integration_id and e.round < s.round and e.status = 'rejected');
      alter table review_submission alter column submitted_from drop default;
    `);
  }
}

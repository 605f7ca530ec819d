import { Migration } from '@mikro-orm/migrations';

/**
 * A submission stores the status that its integration had before, so that a withdrawal can restore it. An integration that was once
 * rejected never returns to `sandbox`.
 */
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

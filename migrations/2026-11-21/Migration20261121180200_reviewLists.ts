import { Migration } from '@mikro-orm/migrations';

/** Indexes for reviewers' lists: the queue by whose turn it is, and all reports of a change of business model. */
export class Migration20261121180200_reviewLists extends Migration {
  override up(): void {
    this.addSql(`
      create index review_submission_turn on review_submission (status, waiting_for, waiting_since, id);
      create index review_submission_reviewer_turn on review_submission (reviewer_id, status, waiting_for, waiting_since, id)
        where reviewer_id is not null;
      create index review_submission_untaken_turn on review_submission (status, waiting_for, waiting_since, id) where reviewer_id is null;
      create index business_model_report_newest on business_model_report (reported_at desc, id desc);
    `);
  }
}

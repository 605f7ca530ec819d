import { Migration } from '@mikro-orm/migrations';

/** Indexes for searching failed jobs by their payloads, and the mails that wait for one of them. */
export class Migration20261122154000_jobSubjects extends Migration {
  override up(): void {
    this.addSql(`
      -- The members of a payload as words to search for, such as {clientNo:12} or {mailId:mail_…}.
      create function svc_job_subjects(payload json) returns text[] language sql immutable parallel safe as $$
        select coalesce(array_agg(key || ':' || value), '{}') from json_each_text(case json_typeof(payload) when 'object' then payload else '{}' end)
      $$;
      create index svc_jobs_failed_subjects on graphile_worker._private_jobs using gin (svc_job_subjects(payload)) where last_error is not null;
      create index mail_unsent_operator on mail (operator_id) where sent_at is null and operator_id is not null;
      create index mail_unsent_integration on mail (integration_id) where sent_at is null and integration_id is not null;
    `);
  }
}

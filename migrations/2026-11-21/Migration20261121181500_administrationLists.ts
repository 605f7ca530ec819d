import { Migration } from '@mikro-orm/migrations';

/** Indexes for the filters and sort orders of administrators' lists. */
export class Migration20261121181500_administrationLists extends Migration {
  override up(): void {
    this.addSql(`
      create index audit_entry_subject_action on audit_entry (subject_id, action, occurred_at desc, id desc);
      create index revocation_acknowledged_deadline on revocation (client_no, deletion_deadline_at, id) where acknowledged_at is not null;
      create index integration_gate on integration (status, production_gate_open, created_at desc, id desc);
      create index service_token_environment on service_token (environment, created_at desc, id desc);
      create index service_token_good on service_token (expires_at, id) where revoked_at is null;
      create index service_token_environment_good on service_token (environment, expires_at, id) where revoked_at is null;
      -- On the queue's own table: jobs that have failed at least once, by kind and by state. The list uses the same expression for the state.
      create index svc_jobs_failed_task on graphile_worker._private_jobs (task_id, id desc) where last_error is not null;
      create index svc_jobs_failed_state on graphile_worker._private_jobs (
        (case when locked_at is not null then 'running' when attempts < max_attempts then 'retrying' else 'failed' end), id desc) where last_error is not null;
      create index svc_jobs_failed_task_state on graphile_worker._private_jobs (
        task_id, (case when locked_at is not null then 'running' when attempts < max_attempts then 'retrying' else 'failed' end), id desc) where last_error is not null;
    `);
  }
}

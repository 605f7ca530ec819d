-- On the table of the job queue, which graphile-worker has made before: indexes for the administrators' list of jobs that have failed at
-- least once, so that these need not be searched for among all that wait.

-- The list uses the same expression for the state.
create index svc_jobs_failed on graphile_worker._private_jobs (id desc) where last_error is not null;
create index svc_jobs_failed_task on graphile_worker._private_jobs (task_id, id desc) where last_error is not null;
create index svc_jobs_failed_state on graphile_worker._private_jobs (
  (case when locked_at is not null then 'running' when attempts < max_attempts then 'retrying' else 'failed' end), id desc) where last_error is not null;
create index svc_jobs_failed_task_state on graphile_worker._private_jobs (
  task_id, (case when locked_at is not null then 'running' when attempts < max_attempts then 'retrying' else 'failed' end), id desc) where last_error is not null;

-- The members of a payload as words to search for, such as {clientNumber:12} or {mailId:mail_…}.
create function svc_job_subjects(payload json) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(key || ':' || value), '{}') from json_each_text(case json_typeof(payload) when 'object' then payload else '{}' end)
$$;
create index svc_jobs_failed_subjects on graphile_worker._private_jobs using gin (svc_job_subjects(payload)) where last_error is not null;

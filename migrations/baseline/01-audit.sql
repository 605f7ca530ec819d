-- The append-only trail of who did what.

create function refuse_change() returns trigger language plpgsql as $refuse$
begin
  raise exception '% is append-only', tg_table_name;
end
$refuse$;

-- Lines stay as they are, with one exception: when an account is deleted, its lines lose their source address.
create function refuse_all_but_forgetting_ip() returns trigger language plpgsql as $refuse$
begin
  if new.ip is null and to_jsonb(new) - 'ip' = to_jsonb(old) - 'ip' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end
$refuse$;

-- A month of lines is a partition (18-partitions), which is dropped once it has been exported. A line always has a place: without a partition
-- of its month it goes to the default one.
create table audit_entry (
  id bigint generated always as identity,
  occurred_at timestamptz not null check (isfinite(occurred_at)),
  actor_type text not null check (actor_type in ('anonymous', 'operator', 'service_token', 'client', 'system')),
  actor_id text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  operator_id text,
  integration_id text,
  request_id text,
  ip inet,
  details json not null default '{}',
  -- Also the order of the whole trail.
  primary key (occurred_at, id)
) partition by range (occurred_at);
create table audit_entry_default partition of audit_entry default;

create trigger audit_entry_append_only before delete on audit_entry for each row execute function refuse_change();
-- Partitions do not inherit this one: each has its own (`make_partitions_of`).
create trigger audit_entry_never_emptied before truncate on audit_entry for each statement execute function refuse_change();
create trigger audit_entry_never_emptied before truncate on audit_entry_default for each statement execute function refuse_change();
create trigger audit_entry_only_forgets before update on audit_entry for each row execute function refuse_all_but_forgetting_ip();

-- The trail is read newest first: all of it, or filtered by actor, subject, integration or operator, and in each case by action. Owners read
-- theirs, and their integrations', by action at any time, so these have an index of their own for it. Actors and subjects are looked up by
-- administrators, for whom the action at the end of the index tells the lines apart without reading them.
create index audit_entry_action on audit_entry (action, occurred_at desc, id desc);
create index audit_entry_subject on audit_entry (subject_id, occurred_at desc, id desc, action);
create index audit_entry_actor on audit_entry (actor_id, occurred_at desc, id desc, action) where actor_id is not null;
create index audit_entry_operator on audit_entry (operator_id, occurred_at desc, id desc) where operator_id is not null;
create index audit_entry_operator_action on audit_entry (operator_id, action, occurred_at desc, id desc) where operator_id is not null;
create index audit_entry_integration on audit_entry (integration_id, occurred_at desc, id desc) where integration_id is not null;
create index audit_entry_integration_action on audit_entry (integration_id, action, occurred_at desc, id desc) where integration_id is not null;

-- Months that the terminal has exported, with the SHA-256 of the file. Only a month whose export is here may be dropped.
create table audit_export (
  month text primary key check (month ~ '^\d{4}-\d{2}$'),
  entries bigint not null,
  sha256 text not null,
  exported_at timestamptz not null,
  dropped_at timestamptz
);

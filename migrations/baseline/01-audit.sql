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

create table audit_entry (
  id bigint generated always as identity primary key,
  occurred_at timestamptz not null,
  actor_type text not null check (actor_type in ('anonymous', 'operator', 'service_token', 'client', 'system')),
  actor_id text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  operator_id text,
  integration_id text,
  request_id text,
  ip inet,
  details json not null default '{}'
);

create trigger audit_entry_append_only before delete or truncate on audit_entry for each statement execute function refuse_change();
create trigger audit_entry_only_forgets before update on audit_entry for each row execute function refuse_all_but_forgetting_ip();

-- The trail is read newest first: all of it, or filtered by actor, subject, integration or operator, and in each case by action.
create index audit_entry_occurred on audit_entry (occurred_at desc, id desc);
create index audit_entry_action on audit_entry (action, occurred_at desc, id desc);
create index audit_entry_subject on audit_entry (subject_id, occurred_at desc, id desc);
create index audit_entry_subject_action on audit_entry (subject_id, action, occurred_at desc, id desc);
create index audit_entry_actor on audit_entry (actor_id, occurred_at desc, id desc) where actor_id is not null;
create index audit_entry_actor_action on audit_entry (actor_id, action, occurred_at desc, id desc) where actor_id is not null;
create index audit_entry_operator on audit_entry (operator_id, occurred_at desc, id desc) where operator_id is not null;
create index audit_entry_operator_action on audit_entry (operator_id, action, occurred_at desc, id desc) where operator_id is not null;
create index audit_entry_integration on audit_entry (integration_id, occurred_at desc, id desc) where integration_id is not null;
create index audit_entry_integration_action on audit_entry (integration_id, action, occurred_at desc, id desc) where integration_id is not null;

-- The production gate of the whole service, in its only row. Those of integrations are columns of `integration`.

create table service_gate (
  id boolean primary key default true check (id),
  production_data_enabled boolean not null,
  reason text not null,
  changed_at timestamptz not null,
  changed_by text references operator
);

insert into service_gate (production_data_enabled, reason, changed_at)
values (false, 'Closed during the sandbox rollout.', date_trunc('milliseconds', now()));

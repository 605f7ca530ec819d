-- Reports of changed business models, and commercial agreements.

create table business_model_report (
  id text primary key,
  operator_id text not null references operator,
  integration_id text not null references integration,
  description text not null,
  reported_at timestamptz not null
);
create index business_model_report_integration on business_model_report (integration_id, reported_at desc, id desc);
create index business_model_report_newest on business_model_report (reported_at desc, id desc);

create table commercial_agreement (
  id text primary key,
  integration_id text not null references integration,
  reference text not null,
  summary text not null,
  valid_from date not null,
  valid_until date,
  recorded_at timestamptz not null,
  -- Absent if it was recorded on the server's terminal, where nobody has an account; the audit trail names the terminal.
  recorded_by text references operator,
  withdrawn_at timestamptz,
  withdrawal_reason text,
  check (valid_until >= valid_from),
  check ((withdrawn_at is null) = (withdrawal_reason is null))
);
create index commercial_agreement_integration on commercial_agreement (integration_id, recorded_at desc, id desc);

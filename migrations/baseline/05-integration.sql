-- Terms and their acceptances, integrations with the versions of their profiles, and logos.

create table terms_version (
  version int primary key,
  title text not null,
  markdown text not null,
  published_at timestamptz not null,
  published_by text references operator
);

create table terms_acceptance (
  operator_id text not null references operator,
  terms_version int not null references terms_version,
  accepted_at timestamptz not null,
  -- Deleting the account removes it.
  ip inet,
  non_commercial boolean not null check (non_commercial),
  attribution boolean not null check (attribution),
  primary key (operator_id, terms_version)
);

create table integration (
  id text primary key,
  operator_id text not null references operator,
  slug text not null unique,
  status text not null check (status in ('sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended', 'retired')),
  status_reason text,
  status_changed_at timestamptz,
  profile_version int not null,
  reviewed_profile_version int,
  production_gate_open boolean not null default false,
  production_gate_reason text,
  production_gate_changed_at timestamptz,
  created_at timestamptz not null,
  -- As last judged: what administrators narrow and count by. Pages that show how an integration is judge it themselves.
  health text not null default 'new' check (health in ('new', 'settingUp', 'healthy', 'attention', 'failing', 'suspended', 'retired'))
);
create index integration_operator on integration (operator_id, created_at desc, id desc);
create index integration_created on integration (created_at desc, id desc);
create index integration_status on integration (status, created_at desc, id desc);
create index integration_gate on integration (status, production_gate_open, created_at desc, id desc);
create index integration_health on integration (health, created_at desc, id desc);
create index integration_health_slug on integration (health, slug text_pattern_ops);
create index integration_slug on integration (slug text_pattern_ops);
create index integration_status_slug on integration (status, slug text_pattern_ops);
create index integration_slug_words on integration using gin (slug gin_trgm_ops);

-- When the health of all integrations was last judged, in its only row.
create table health_judgement (
  id boolean primary key default true check (id),
  judged_at timestamptz not null
);

create table logo (
  id text primary key,
  integration_id text not null references integration,
  source_format text not null check (source_format in ('png', 'jpeg', 'webp')),
  source_sha256 bytea not null,
  width int not null check (width between 256 and 2048),
  height int not null check (height between 256 and 2048),
  rendition_256 bytea not null,
  rendition_512 bytea not null,
  created_at timestamptz not null,
  created_by text not null references operator
);
create index logo_integration on logo (integration_id);

create table profile_version (
  integration_id text not null references integration,
  version int not null,
  public_name text not null,
  public_description text not null,
  purpose text not null,
  legal_operator_name text not null,
  country text not null,
  support_email text not null,
  website_url text not null,
  privacy_policy_url text not null,
  terms_of_service_url text not null,
  order_linking_url text not null,
  donation_url text,
  logo_id text references logo,
  requested_scopes text[] not null,
  polling_cadence_minutes int not null,
  webhook_model text not null check (webhook_model in ('none', 'notification', 'full_payload')),
  minor_revision boolean not null default false,
  terms_version int not null references terms_version,
  attribution_accepted_at timestamptz not null,
  non_commercial_accepted_at timestamptz,
  created_at timestamptz not null,
  created_by text not null references operator,
  primary key (integration_id, version)
);
create index profile_version_logo on profile_version (logo_id) where logo_id is not null;
create index profile_version_minor on profile_version (created_at desc, integration_id desc, version desc) where minor_revision;
create index profile_version_name_words on profile_version using gin (folded(public_name) gin_trgm_ops);

-- An integration and its first version name each other, and are stored together.
alter table integration add foreign key (id, profile_version) references profile_version (integration_id, version) deferrable initially deferred;
alter table integration add foreign key (id, reviewed_profile_version) references profile_version (integration_id, version);

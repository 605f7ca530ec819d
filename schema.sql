-- The schema of the database after all migrations, for reading: emitted by `npm run schema`, never edited and never run.
-- The tables of the job queue (graphile-worker), the list of migrations that have run, and partitions of days and months are left out.

create extension pg_trgm;

create table account_reset (
  id text not null,
  operator_id text not null,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  reason text not null,
  proof text not null,
  approved_by text,
  approved_at timestamp with time zone,
  due_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  done_at timestamp with time zone,
  constraint account_reset_pkey PRIMARY KEY (id),
  constraint account_reset_check CHECK ((approved_by IS NULL) = (approved_at IS NULL) AND (approved_at IS NULL) = (due_at IS NULL)),
  constraint account_reset_check1 CHECK (approved_by <> requested_by),
  constraint account_reset_check2 CHECK (operator_id <> requested_by AND operator_id <> approved_by),
  constraint account_reset_check3 CHECK (due_at >= (approved_at + '72:00:00'::interval)),
  constraint account_reset_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES operator(id),
  constraint account_reset_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint account_reset_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES operator(id)
);
CREATE INDEX account_reset_due ON account_reset USING btree (due_at) WHERE cancelled_at IS NULL AND done_at IS NULL;
CREATE UNIQUE INDEX account_reset_open ON account_reset USING btree (operator_id) WHERE cancelled_at IS NULL AND done_at IS NULL;

create table acknowledgement_key (
  client_number integer not null,
  key text not null,
  revocation_id text not null,
  created_at timestamp with time zone not null,
  constraint acknowledgement_key_pkey PRIMARY KEY (client_number, key),
  constraint acknowledgement_key_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
);
CREATE INDEX acknowledgement_key_age ON acknowledgement_key USING btree (created_at);

create table attempt_window (
  kind text not null,
  source text not null,
  window_start timestamp with time zone not null,
  count integer not null,
  constraint attempt_window_pkey PRIMARY KEY (kind, source)
) with (fillfactor=40);
CREATE INDEX attempt_window_start ON attempt_window USING btree (window_start);

create table audit_entry (
  id bigint generated always as identity not null,
  occurred_at timestamp with time zone not null,
  actor_type text not null,
  actor_id text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  operator_id text,
  integration_id text,
  request_id text,
  ip inet,
  details json default '{}'::json not null,
  constraint audit_entry_pkey PRIMARY KEY (occurred_at, id),
  constraint audit_entry_actor_type_check CHECK (actor_type = ANY (ARRAY['anonymous'::text, 'operator'::text, 'service_token'::text, 'client'::text, 'system'::text])),
  constraint audit_entry_occurred_at_check CHECK (isfinite(occurred_at))
) partition by RANGE (occurred_at);
CREATE INDEX audit_entry_action ON audit_entry USING btree (action, occurred_at DESC, id DESC);
CREATE INDEX audit_entry_actor ON audit_entry USING btree (actor_id, occurred_at DESC, id DESC, action) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_entry_integration ON audit_entry USING btree (integration_id, occurred_at DESC, id DESC) WHERE integration_id IS NOT NULL;
CREATE INDEX audit_entry_integration_action ON audit_entry USING btree (integration_id, action, occurred_at DESC, id DESC) WHERE integration_id IS NOT NULL;
CREATE INDEX audit_entry_operator ON audit_entry USING btree (operator_id, occurred_at DESC, id DESC) WHERE operator_id IS NOT NULL;
CREATE INDEX audit_entry_operator_action ON audit_entry USING btree (operator_id, action, occurred_at DESC, id DESC) WHERE operator_id IS NOT NULL;
CREATE INDEX audit_entry_subject ON audit_entry USING btree (subject_id, occurred_at DESC, id DESC, action);
CREATE TRIGGER audit_entry_append_only BEFORE DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_never_emptied BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_only_forgets BEFORE UPDATE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_all_but_forgetting_ip();

create table audit_entry_default partition of audit_entry DEFAULT;
CREATE TRIGGER audit_entry_never_emptied BEFORE TRUNCATE ON audit_entry_default FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_export (
  month text not null,
  entries bigint not null,
  sha256 text not null,
  exported_at timestamp with time zone not null,
  dropped_at timestamp with time zone,
  constraint audit_export_pkey PRIMARY KEY (month),
  constraint audit_export_month_check CHECK (month ~ '^\d{4}-\d{2}$'::text)
);

create table business_model_report (
  id text not null,
  operator_id text not null,
  integration_id text not null,
  description text not null,
  reported_at timestamp with time zone not null,
  constraint business_model_report_pkey PRIMARY KEY (id),
  constraint business_model_report_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id),
  constraint business_model_report_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX business_model_report_integration ON business_model_report USING btree (integration_id, reported_at DESC, id DESC);
CREATE INDEX business_model_report_newest ON business_model_report USING btree (reported_at DESC, id DESC);

create table certificate (
  id text not null,
  client_number integer not null,
  slot smallint,
  source text not null,
  status text not null,
  csr_der bytea,
  public_key_der bytea,
  key_type text not null,
  key_name text default 'client'::text not null,
  renews text,
  issuer_id text,
  serial text,
  fingerprint_sha256 text,
  pem text,
  requested_at timestamp with time zone not null,
  requested_by text not null,
  issued_at timestamp with time zone,
  not_before timestamp with time zone,
  not_after timestamp with time zone,
  usable_until timestamp with time zone,
  failure text,
  revoked_at timestamp with time zone,
  revocation_reason text,
  crl_published_at timestamp with time zone,
  constraint certificate_pkey PRIMARY KEY (id),
  constraint certificate_client_number_slot_key UNIQUE (client_number, slot),
  constraint certificate_fingerprint_sha256_key UNIQUE (fingerprint_sha256),
  constraint certificate_issuer_id_serial_key UNIQUE (issuer_id, serial),
  constraint certificate_check CHECK (status <> 'issued'::text OR fingerprint_sha256 IS NOT NULL AND usable_until IS NOT NULL AND serial IS NOT NULL AND pem IS NOT NULL),
  constraint certificate_check1 CHECK ((status = 'revoked'::text) = (revoked_at IS NOT NULL)),
  constraint certificate_revocation_reason_check CHECK (revocation_reason = ANY (ARRAY['superseded'::text, 'key_compromise'::text, 'cessation_of_operation'::text, 'unspecified'::text])),
  constraint certificate_slot_check CHECK (slot = ANY (ARRAY[1, 2])),
  constraint certificate_source_check CHECK (source = ANY (ARRAY['csr'::text, 'p12'::text, 'est'::text])),
  constraint certificate_status_check CHECK (status = ANY (ARRAY['pending'::text, 'issued'::text, 'failed'::text, 'revoked'::text])),
  constraint certificate_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number),
  constraint certificate_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES certificate_authority(id),
  constraint certificate_renews_fkey FOREIGN KEY (renews) REFERENCES certificate(id),
  constraint certificate_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES operator(id)
);
CREATE UNIQUE INDEX certificate_certified_key ON certificate USING btree (sha256(public_key_der)) WHERE status <> 'failed'::text;
CREATE INDEX certificate_client ON certificate USING btree (client_number, (slot IS NOT NULL) DESC, requested_at DESC, id DESC);
CREATE INDEX certificate_expiry ON certificate USING btree (usable_until) WHERE status = 'issued'::text;
CREATE INDEX certificate_listed ON certificate USING btree (status, source, COALESCE(issuer_id, ''::text), requested_at DESC, id DESC);
CREATE INDEX certificate_listed_end ON certificate USING btree (source, COALESCE(issuer_id, ''::text), COALESCE(usable_until, 'infinity'::timestamp with time zone), id) WHERE status = 'issued'::text;
CREATE INDEX certificate_renews ON certificate USING btree (renews) WHERE renews IS NOT NULL;
CREATE INDEX certificate_revoked ON certificate USING btree (issuer_id, not_after) INCLUDE (serial, revoked_at, revocation_reason) WHERE status = 'revoked'::text AND crl_published_at IS NOT NULL;
CREATE INDEX certificate_serial ON certificate USING btree (serial);
CREATE INDEX certificate_unpublished ON certificate USING btree (issuer_id) WHERE status = 'revoked'::text AND serial IS NOT NULL AND crl_published_at IS NULL;

create table certificate_activity (
  certificate_id text not null,
  last_used_at timestamp with time zone not null,
  constraint certificate_activity_pkey PRIMARY KEY (certificate_id),
  constraint certificate_activity_last_used_at_check CHECK (isfinite(last_used_at)),
  constraint certificate_activity_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificate(id)
) with (fillfactor=40);

create table certificate_authority (
  id text not null,
  kind text not null,
  issuer_id text,
  certificate_pem text not null,
  wrapped_key bytea,
  has_key boolean generated always as (wrapped_key IS NOT NULL) stored not null,
  crl_number bigint default 0 not null,
  not_after timestamp with time zone not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint certificate_authority_pkey PRIMARY KEY (id),
  constraint certificate_authority_kind_check CHECK (kind = ANY (ARRAY['root'::text, 'issuing'::text])),
  constraint certificate_authority_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES certificate_authority(id)
);
CREATE UNIQUE INDEX certificate_authority_current ON certificate_authority USING btree (kind) WHERE retired_at IS NULL;

create table certificate_revocation_list (
  authority_id text not null,
  number bigint,
  der bytea not null,
  etag text not null,
  this_update timestamp with time zone not null,
  next_update timestamp with time zone not null,
  revoked integer not null,
  constraint certificate_revocation_list_pkey PRIMARY KEY (authority_id),
  constraint certificate_revocation_list_check CHECK (next_update > this_update),
  constraint certificate_revocation_list_revoked_check CHECK (revoked >= 0),
  constraint certificate_revocation_list_authority_id_fkey FOREIGN KEY (authority_id) REFERENCES certificate_authority(id)
);

create table client (
  number integer generated always as identity not null,
  id text not null,
  integration_id text not null,
  environment text not null,
  scopes text[] not null,
  renewal_by_est boolean default false not null,
  override_values integer[],
  override_ends timestamp with time zone[],
  created_at timestamp with time zone not null,
  constraint client_pkey PRIMARY KEY (number),
  constraint client_id_key UNIQUE (id),
  constraint client_integration_id_environment_key UNIQUE (integration_id, environment),
  constraint client_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint client_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id)
);

create table client_activity (
  client_number integer not null,
  last_request_at timestamp with time zone,
  last_sync_at timestamp with time zone,
  constraint client_activity_pkey PRIMARY KEY (client_number),
  constraint client_activity_last_request_at_check CHECK (isfinite(last_request_at)),
  constraint client_activity_last_sync_at_check CHECK (isfinite(last_sync_at)),
  constraint client_activity_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
) with (fillfactor=40);

create table client_feed (
  client_number integer not null,
  head bigint default 0 not null,
  epoch integer default 0 not null,
  epoch_at timestamp with time zone,
  constraint client_feed_pkey PRIMARY KEY (client_number),
  constraint client_feed_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
) with (fillfactor=50);

create table client_observation (
  client_number integer not null,
  state json not null,
  constraint client_observation_pkey PRIMARY KEY (client_number),
  constraint client_observation_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
) with (fillfactor=60);

create table client_quota (
  client_number integer not null,
  hour_start timestamp with time zone default '-infinity'::timestamp with time zone not null,
  hour_count integer default 0 not null,
  minute_start timestamp with time zone default '-infinity'::timestamp with time zone not null,
  minute_count integer default 0 not null,
  statistics_start timestamp with time zone default '-infinity'::timestamp with time zone not null,
  statistics_count integer default 0 not null,
  redeem_start timestamp with time zone default '-infinity'::timestamp with time zone not null,
  redeem_count integer default 0 not null,
  est_start timestamp with time zone default '-infinity'::timestamp with time zone not null,
  est_count integer default 0 not null,
  leases timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  constraint client_quota_pkey PRIMARY KEY (client_number),
  constraint client_quota_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
) with (fillfactor=40);

create table commercial_agreement (
  id text not null,
  integration_id text not null,
  reference text not null,
  summary text not null,
  valid_from date not null,
  valid_until date,
  recorded_at timestamp with time zone not null,
  recorded_by text,
  withdrawn_at timestamp with time zone,
  withdrawal_reason text,
  constraint commercial_agreement_pkey PRIMARY KEY (id),
  constraint commercial_agreement_check CHECK (valid_until >= valid_from),
  constraint commercial_agreement_check1 CHECK ((withdrawn_at IS NULL) = (withdrawal_reason IS NULL)),
  constraint commercial_agreement_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id),
  constraint commercial_agreement_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES operator(id)
);
CREATE INDEX commercial_agreement_integration ON commercial_agreement USING btree (integration_id, recorded_at DESC, id DESC);

create table connection (
  client_number integer not null,
  id text not null,
  user_ref bytea not null,
  profile_version integer not null,
  scopes text[] not null,
  statistics_opted_in boolean not null,
  created_at timestamp with time zone not null,
  revocation_id text,
  "position" bigint,
  constraint connection_pkey PRIMARY KEY (client_number, id),
  constraint connection_check CHECK ((revocation_id IS NULL) = ("position" IS NULL)),
  constraint connection_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number),
  constraint connection_client_number_revocation_id_fkey FOREIGN KEY (client_number, revocation_id) REFERENCES revocation(client_number, id)
);
CREATE INDEX connection_created ON connection USING btree (client_number, created_at DESC, id DESC);
CREATE INDEX connection_public_id ON connection USING hash (id);
CREATE INDEX connection_revocation ON connection USING btree (client_number, revocation_id) WHERE revocation_id IS NOT NULL;
CREATE UNIQUE INDEX connection_tombstone ON connection USING btree (client_number, "position") WHERE "position" IS NOT NULL;
CREATE INDEX connection_user ON connection USING btree (user_ref);

create table development_mail (
  id text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  received_at timestamp with time zone not null,
  constraint development_mail_pkey PRIMARY KEY (id)
);
CREATE INDEX development_mail_received ON development_mail USING btree (received_at);

create table email_change (
  id text not null,
  operator_id text not null,
  new_email text not null,
  new_email_key text not null,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  current_confirmed_at timestamp with time zone,
  new_confirmed_at timestamp with time zone,
  completed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  constraint email_change_pkey PRIMARY KEY (id),
  constraint email_change_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX email_change_expiry ON email_change USING btree (expires_at);
CREATE UNIQUE INDEX email_change_open ON email_change USING btree (operator_id) WHERE completed_at IS NULL AND cancelled_at IS NULL;

create table health_judgement (
  id boolean default true not null,
  judged_at timestamp with time zone not null,
  constraint health_judgement_pkey PRIMARY KEY (id),
  constraint health_judgement_id_check CHECK (id)
);

create table integration (
  id text not null,
  operator_id text not null,
  slug text not null,
  status text not null,
  status_reason text,
  status_changed_at timestamp with time zone,
  profile_version integer not null,
  reviewed_profile_version integer,
  production_gate_open boolean default false not null,
  production_gate_reason text,
  production_gate_changed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  health text default 'new'::text not null,
  constraint integration_pkey PRIMARY KEY (id),
  constraint integration_slug_key UNIQUE (slug),
  constraint integration_health_check CHECK (health = ANY (ARRAY['new'::text, 'settingUp'::text, 'healthy'::text, 'attention'::text, 'failing'::text, 'suspended'::text, 'retired'::text])),
  constraint integration_status_check CHECK (status = ANY (ARRAY['sandbox'::text, 'submitted'::text, 'rejected'::text, 'approved'::text, 'active'::text, 'suspended'::text, 'retired'::text])),
  constraint integration_id_profile_version_fkey FOREIGN KEY (id, profile_version) REFERENCES profile_version(integration_id, version) DEFERRABLE INITIALLY DEFERRED,
  constraint integration_id_reviewed_profile_version_fkey FOREIGN KEY (id, reviewed_profile_version) REFERENCES profile_version(integration_id, version),
  constraint integration_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX integration_created ON integration USING btree (created_at DESC, id DESC);
CREATE INDEX integration_gate ON integration USING btree (status, production_gate_open, created_at DESC, id DESC);
CREATE INDEX integration_health ON integration USING btree (health, created_at DESC, id DESC);
CREATE INDEX integration_health_slug ON integration USING btree (health, slug text_pattern_ops);
CREATE INDEX integration_operator ON integration USING btree (operator_id, created_at DESC, id DESC);
CREATE INDEX integration_slug ON integration USING btree (slug text_pattern_ops);
CREATE INDEX integration_slug_words ON integration USING gin (slug gin_trgm_ops);
CREATE INDEX integration_status ON integration USING btree (status, created_at DESC, id DESC);
CREATE INDEX integration_status_slug ON integration USING btree (status, slug text_pattern_ops);

create table issuing_authority_request (
  id text not null,
  public_key_der bytea not null,
  wrapped_key bytea not null,
  created_at timestamp with time zone not null,
  constraint issuing_authority_request_pkey PRIMARY KEY (id),
  constraint issuing_authority_request_public_key_der_key UNIQUE (public_key_der)
);

create table key_ring_entry (
  id text not null,
  purpose text not null,
  wrapped bytea not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint key_ring_entry_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX key_ring_entry_current ON key_ring_entry USING btree (purpose) WHERE retired_at IS NULL;
CREATE INDEX key_ring_entry_retired ON key_ring_entry USING btree (retired_at);

create table link_code (
  id text not null,
  environment text not null,
  client_number integer not null,
  code_hmac bytea not null,
  user_ref bytea not null,
  profile_version integer not null,
  scopes text[] not null,
  statistics_opted_in boolean not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  redeemed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  failed_attempts smallint default 0 not null,
  connection_id text,
  constraint link_code_pkey PRIMARY KEY (id),
  constraint link_code_environment_code_hmac_key UNIQUE (environment, code_hmac),
  constraint link_code_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint link_code_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
);
CREATE INDEX link_code_client ON link_code USING btree (client_number, created_at DESC, id DESC);
CREATE INDEX link_code_expiry ON link_code USING btree (expires_at);
CREATE INDEX link_code_user ON link_code USING btree (environment, user_ref);

create table link_code_resource (
  link_code_id text not null,
  tracked_resource_id bigint not null,
  constraint link_code_resource_pkey PRIMARY KEY (link_code_id, tracked_resource_id),
  constraint link_code_resource_link_code_id_fkey FOREIGN KEY (link_code_id) REFERENCES link_code(id) ON DELETE CASCADE,
  constraint link_code_resource_tracked_resource_id_fkey FOREIGN KEY (tracked_resource_id) REFERENCES tracked_resource(id) ON DELETE CASCADE
);
CREATE INDEX link_code_resource_tracked ON link_code_resource USING btree (tracked_resource_id);

create table logo (
  id text not null,
  integration_id text not null,
  source_format text not null,
  source_sha256 bytea not null,
  width integer not null,
  height integer not null,
  rendition_256 bytea not null,
  rendition_512 bytea not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint logo_pkey PRIMARY KEY (id),
  constraint logo_height_check CHECK (height >= 256 AND height <= 2048),
  constraint logo_source_format_check CHECK (source_format = ANY (ARRAY['png'::text, 'jpeg'::text, 'webp'::text])),
  constraint logo_width_check CHECK (width >= 256 AND width <= 2048),
  constraint logo_created_by_fkey FOREIGN KEY (created_by) REFERENCES operator(id),
  constraint logo_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id)
);
CREATE INDEX logo_integration ON logo USING btree (integration_id);

create table mail (
  id text not null,
  kind text not null,
  subject_id text not null,
  operator_id text,
  integration_id text,
  recipient text,
  details json default '{}'::json not null,
  created_at timestamp with time zone not null,
  attempted_at timestamp with time zone,
  handovers integer default 0 not null,
  sent_at timestamp with time zone,
  refused_at timestamp with time zone,
  refused_with text,
  read_at timestamp with time zone,
  constraint mail_pkey PRIMARY KEY (id),
  constraint mail_kind_subject_id_key UNIQUE (kind, subject_id),
  constraint mail_check CHECK ((refused_at IS NULL) = (refused_with IS NULL)),
  constraint mail_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id),
  constraint mail_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX mail_created ON mail USING btree (created_at);
CREATE INDEX mail_operator ON mail USING btree (operator_id, created_at DESC, id DESC) WHERE operator_id IS NOT NULL;
CREATE INDEX mail_recipient ON mail USING btree (created_at) WHERE recipient IS NOT NULL;
CREATE INDEX mail_unread ON mail USING btree (operator_id, created_at DESC, id DESC) WHERE operator_id IS NOT NULL AND read_at IS NULL;
CREATE INDEX mail_unsent_integration ON mail USING btree (integration_id) WHERE sent_at IS NULL AND integration_id IS NOT NULL;
CREATE INDEX mail_unsent_operator ON mail USING btree (operator_id) WHERE sent_at IS NULL AND operator_id IS NOT NULL;

create table operator (
  id text not null,
  email text,
  email_key text,
  user_handle bytea,
  roles text[] default '{}'::text[] not null,
  muted_notifications text[] default '{}'::text[] not null,
  single_keys boolean default true not null,
  created_at timestamp with time zone not null,
  locked_at timestamp with time zone,
  lock_reason text,
  deleted_at timestamp with time zone,
  constraint operator_pkey PRIMARY KEY (id),
  constraint operator_email_key_key UNIQUE (email_key),
  constraint operator_user_handle_key UNIQUE (user_handle),
  constraint operator_check CHECK ((locked_at IS NULL) = (lock_reason IS NULL)),
  constraint operator_deleted_check CHECK ((deleted_at IS NULL) = (email IS NOT NULL))
);
CREATE INDEX operator_address_words ON operator USING gin (email_key gin_trgm_ops);
CREATE INDEX operator_created ON operator USING btree (created_at DESC, id DESC);
CREATE INDEX operator_email ON operator USING btree (email_key text_pattern_ops);
CREATE INDEX operator_roles ON operator USING gin (roles) WHERE roles <> '{}'::text[];

create table p12_package (
  certificate_id text not null,
  status text default 'making'::text not null,
  recipient_key bytea not null,
  claim_token_hmac bytea not null,
  sealed bytea,
  ready_at timestamp with time zone,
  claim_until timestamp with time zone,
  failed_attempts integer default 0 not null,
  ended_at timestamp with time zone,
  constraint p12_package_pkey PRIMARY KEY (certificate_id),
  constraint p12_package_check CHECK ((status = 'ready'::text) = (sealed IS NOT NULL)),
  constraint p12_package_check1 CHECK ((ready_at IS NULL) = (claim_until IS NULL)),
  constraint p12_package_check2 CHECK ((status <> ALL (ARRAY['ready'::text, 'claimed'::text, 'expired'::text, 'blocked'::text])) OR ready_at IS NOT NULL),
  constraint p12_package_check3 CHECK ((status = ANY (ARRAY['making'::text, 'ready'::text])) = (ended_at IS NULL)),
  constraint p12_package_status_check CHECK (status = ANY (ARRAY['making'::text, 'ready'::text, 'claimed'::text, 'expired'::text, 'blocked'::text, 'failed'::text, 'revoked'::text])),
  constraint p12_package_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificate(id)
);
CREATE INDEX p12_package_making ON p12_package USING btree (certificate_id) WHERE status = 'making'::text;
CREATE INDEX p12_package_waiting ON p12_package USING btree (claim_until) WHERE status = 'ready'::text;

create table page_check (
  integration_id text not null,
  profile_version integer not null,
  id text not null,
  review_url text,
  requested_at timestamp with time zone not null,
  begun_at timestamp with time zone,
  finished_at timestamp with time zone,
  checked_at timestamp with time zone,
  pages jsonb default '[]'::jsonb not null,
  constraint page_check_pkey PRIMARY KEY (integration_id, profile_version),
  constraint page_check_id_key UNIQUE (id),
  constraint page_check_integration_id_profile_version_fkey FOREIGN KEY (integration_id, profile_version) REFERENCES profile_version(integration_id, version)
);
CREATE INDEX page_check_requested_at ON page_check USING btree (requested_at);

create table passkey (
  id text not null,
  operator_id text not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  device_type text not null,
  backed_up boolean not null,
  aaguid text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_device_type_check CHECK (device_type = ANY (ARRAY['singleDevice'::text, 'multiDevice'::text])),
  constraint passkey_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX passkey_operator ON passkey USING btree (operator_id);

create table portal_session (
  id text not null,
  kind text not null,
  operator_id text,
  email text not null,
  generation integer default 0 not null,
  generation_confirmed_at timestamp with time zone,
  rotated_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_until timestamp with time zone,
  confirmed_generation integer,
  ended_at timestamp with time zone,
  end_reason text,
  ip inet not null,
  user_agent text not null,
  constraint portal_session_pkey PRIMARY KEY (id),
  constraint portal_session_check CHECK (kind = 'enrolment'::text OR operator_id IS NOT NULL),
  constraint portal_session_kind_check CHECK (kind = ANY (ARRAY['enrolment'::text, 'recovery'::text, 'full'::text])),
  constraint portal_session_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX portal_session_expiry ON portal_session USING btree (expires_at);
CREATE INDEX portal_session_operator ON portal_session USING btree (operator_id) WHERE ended_at IS NULL;

create table profile_version (
  integration_id text not null,
  version integer not null,
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
  logo_id text,
  requested_scopes text[] not null,
  polling_cadence_minutes integer not null,
  webhook_model text not null,
  minor_revision boolean default false not null,
  terms_version integer not null,
  attribution_accepted_at timestamp with time zone not null,
  non_commercial_accepted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  known_columns text[] default ARRAY['integration_id'::text, 'version'::text, 'public_name'::text, 'public_description'::text, 'purpose'::text, 'legal_operator_name'::text, 'country'::text, 'support_email'::text, 'website_url'::text, 'privacy_policy_url'::text, 'terms_of_service_url'::text, 'order_linking_url'::text, 'donation_url'::text, 'logo_id'::text, 'requested_scopes'::text, 'polling_cadence_minutes'::text, 'webhook_model'::text, 'minor_revision'::text, 'terms_version'::text, 'attribution_accepted_at'::text, 'non_commercial_accepted_at'::text, 'created_at'::text, 'created_by'::text, 'known_columns'::text] not null,
  constraint profile_version_pkey PRIMARY KEY (integration_id, version),
  constraint profile_version_webhook_model_check CHECK (webhook_model = ANY (ARRAY['none'::text, 'notification'::text, 'full_payload'::text])),
  constraint profile_version_created_by_fkey FOREIGN KEY (created_by) REFERENCES operator(id),
  constraint profile_version_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id),
  constraint profile_version_logo_id_fkey FOREIGN KEY (logo_id) REFERENCES logo(id),
  constraint profile_version_terms_version_fkey FOREIGN KEY (terms_version) REFERENCES terms_version(version)
);
CREATE INDEX profile_version_logo ON profile_version USING btree (logo_id) WHERE logo_id IS NOT NULL;
CREATE INDEX profile_version_minor ON profile_version USING btree (created_at DESC, integration_id DESC, version DESC) WHERE minor_revision;
CREATE INDEX profile_version_name_words ON profile_version USING gin (folded(public_name) gin_trgm_ops);
CREATE TRIGGER profile_version_keeps_unknown BEFORE INSERT ON profile_version FOR EACH ROW EXECUTE FUNCTION keep_unknown_columns();

create table quota_override (
  id bigint generated always as identity not null,
  client_number integer not null,
  quota text not null,
  value integer not null,
  reason text not null,
  created_at timestamp with time zone not null,
  created_by text,
  expires_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint quota_override_pkey PRIMARY KEY (id),
  constraint quota_override_quota_check CHECK (quota = ANY (ARRAY['requests_per_hour'::text, 'requests_per_minute'::text, 'concurrent_requests'::text, 'statistics_requests_per_hour'::text, 'link_code_redemptions_per_hour'::text, 'link_code_redemptions_per_ip_per_15_minutes'::text, 'est_requests_per_hour'::text, 'polling_interval_seconds'::text])),
  constraint quota_override_value_check CHECK (value > 0),
  constraint quota_override_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number),
  constraint quota_override_created_by_fkey FOREIGN KEY (created_by) REFERENCES operator(id)
);
CREATE UNIQUE INDEX quota_override_current ON quota_override USING btree (client_number, quota) WHERE withdrawn_at IS NULL;
CREATE TRIGGER quota_override_copied AFTER INSERT OR DELETE OR UPDATE ON quota_override FOR EACH ROW EXECUTE FUNCTION copy_overrides();

create table recovery_code (
  code_hmac bytea not null,
  operator_id text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (code_hmac),
  constraint recovery_code_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX recovery_code_operator ON recovery_code USING btree (operator_id);

create table redeem_source (
  source text not null,
  window_start timestamp with time zone not null,
  count integer not null,
  constraint redeem_source_pkey PRIMARY KEY (source)
) with (fillfactor=40);
CREATE INDEX redeem_source_window ON redeem_source USING btree (window_start);

create table request_log (
  client_number integer not null,
  occurred_at timestamp with time zone not null,
  request_id text not null,
  method text not null,
  route text not null,
  status smallint not null,
  problem_code text,
  certificate_id text,
  serial text,
  duration_ms real not null,
  constraint request_log_pkey PRIMARY KEY (request_id, client_number, occurred_at),
  constraint request_log_duration_ms_check CHECK (duration_ms >= 0::double precision AND duration_ms < 'Infinity'::real),
  constraint request_log_occurred_at_check CHECK (isfinite(occurred_at))
) partition by RANGE (occurred_at);
CREATE INDEX request_log_class ON request_log USING btree (client_number, (status / 100), occurred_at DESC, request_id DESC);
CREATE INDEX request_log_problem ON request_log USING btree (client_number, problem_code, occurred_at DESC, request_id DESC) WHERE problem_code IS NOT NULL;
CREATE INDEX request_log_route ON request_log USING btree (client_number, route, (status / 100::smallint), occurred_at DESC, request_id DESC);

create table request_log_default partition of request_log DEFAULT;
CREATE INDEX request_log_default_age ON request_log_default USING btree (occurred_at);

create table review_draft (
  submission_id text not null,
  reviewer_id text not null,
  part text not null,
  met boolean,
  note text not null,
  version integer generated always as identity not null,
  saved_at timestamp with time zone not null,
  constraint review_draft_pkey PRIMARY KEY (submission_id, reviewer_id, part),
  constraint review_draft_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES operator(id),
  constraint review_draft_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES review_submission(id)
);
CREATE INDEX review_draft_age ON review_draft USING btree (saved_at);

create table review_evidence (
  client_number integer not null,
  kind text not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  count bigint not null,
  constraint review_evidence_pkey PRIMARY KEY (client_number, kind),
  constraint review_evidence_first_at_check CHECK (isfinite(first_at)),
  constraint review_evidence_last_at_check CHECK (isfinite(last_at)),
  constraint review_evidence_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
) with (fillfactor=60);

create table review_message (
  id bigint generated always as identity not null,
  submission_id text not null,
  author_id text not null,
  author_role text not null,
  body text not null,
  written_at timestamp with time zone not null,
  constraint review_message_pkey PRIMARY KEY (id),
  constraint review_message_author_role_check CHECK (author_role = ANY (ARRAY['operator'::text, 'reviewer'::text])),
  constraint review_message_author_id_fkey FOREIGN KEY (author_id) REFERENCES operator(id),
  constraint review_message_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES review_submission(id)
);
CREATE INDEX review_message_submission ON review_message USING btree (submission_id, id);

create table review_submission (
  id text not null,
  integration_id text not null,
  operator_id text not null,
  round integer not null,
  profile_version integer not null,
  scopes text[] not null,
  terms_version integer not null,
  review_url text not null,
  statement json not null,
  status text not null,
  submitted_at timestamp with time zone not null,
  submitted_from text default 'sandbox'::text not null,
  waiting_for text not null,
  waiting_since timestamp with time zone not null,
  reviewer_id text,
  taken_at timestamp with time zone,
  decided_at timestamp with time zone,
  decided_by text,
  decision_notes text,
  checks jsonb,
  constraint review_submission_pkey PRIMARY KEY (id),
  constraint review_submission_integration_id_round_key UNIQUE (integration_id, round),
  constraint review_submission_check CHECK ((status = 'submitted'::text) = (decided_at IS NULL)),
  constraint review_submission_status_check CHECK (status = ANY (ARRAY['submitted'::text, 'rejected'::text, 'approved'::text, 'withdrawn'::text])),
  constraint review_submission_submitted_from_check CHECK (submitted_from = ANY (ARRAY['sandbox'::text, 'rejected'::text])),
  constraint review_submission_waiting_for_check CHECK (waiting_for = ANY (ARRAY['reviewer'::text, 'operator'::text])),
  constraint review_submission_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operator(id),
  constraint review_submission_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id),
  constraint review_submission_integration_id_profile_version_fkey FOREIGN KEY (integration_id, profile_version) REFERENCES profile_version(integration_id, version),
  constraint review_submission_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint review_submission_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES operator(id),
  constraint review_submission_terms_version_fkey FOREIGN KEY (terms_version) REFERENCES terms_version(version)
);
CREATE INDEX review_submission_decided ON review_submission USING btree (decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX review_submission_ended ON review_submission USING btree (waiting_since, id) WHERE status <> 'submitted'::text;
CREATE UNIQUE INDEX review_submission_open ON review_submission USING btree (integration_id) WHERE status = 'submitted'::text;
CREATE INDEX review_submission_reviewer_turn ON review_submission USING btree (reviewer_id, status, waiting_for, waiting_since, id) WHERE reviewer_id IS NOT NULL;
CREATE INDEX review_submission_status ON review_submission USING btree (status, waiting_since, id);
CREATE INDEX review_submission_turn ON review_submission USING btree (status, waiting_for, waiting_since, id);
CREATE INDEX review_submission_untaken_turn ON review_submission USING btree (status, waiting_for, waiting_since, id) WHERE reviewer_id IS NULL;

create table review_verdict (
  submission_id text not null,
  item text not null,
  met boolean not null,
  note text not null,
  reviewer_id text not null,
  given_at timestamp with time zone not null,
  constraint review_verdict_pkey PRIMARY KEY (submission_id, item),
  constraint review_verdict_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES operator(id),
  constraint review_verdict_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES review_submission(id)
);
CREATE INDEX review_verdict_notes ON review_verdict USING btree (reviewer_id, given_at) WHERE NOT met;

create table review_visit (
  submission_id text not null,
  reviewer_id text not null,
  opened_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  links text[] not null,
  constraint review_visit_pkey PRIMARY KEY (submission_id, reviewer_id),
  constraint review_visit_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES operator(id),
  constraint review_visit_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES review_submission(id)
);
CREATE INDEX review_visit_age ON review_visit USING btree (seen_at);

create table revocation (
  client_number integer not null,
  id text not null,
  subject_type text not null,
  subject_id text not null,
  connection_id text not null,
  revoked_at timestamp with time zone not null,
  deletion_deadline_at timestamp with time zone not null,
  acknowledged_at timestamp with time zone,
  acknowledged_late boolean default false not null,
  recorded_by_hand boolean default false not null,
  warned_at timestamp with time zone,
  enforced_at timestamp with time zone,
  fixture boolean default false not null,
  constraint revocation_pkey PRIMARY KEY (client_number, id),
  constraint revocation_subject_type_check CHECK (subject_type = ANY (ARRAY['resource'::text, 'connection'::text])),
  constraint revocation_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
);
CREATE INDEX revocation_acknowledged ON revocation USING btree (client_number, revoked_at DESC, id DESC) WHERE acknowledged_at IS NOT NULL;
CREATE INDEX revocation_acknowledged_deadline ON revocation USING btree (client_number, deletion_deadline_at, id) WHERE acknowledged_at IS NOT NULL;
CREATE INDEX revocation_deadline ON revocation USING btree (deletion_deadline_at) WHERE acknowledged_at IS NULL;
CREATE INDEX revocation_newest ON revocation USING btree (client_number, revoked_at DESC, id DESC) WHERE acknowledged_at IS NULL;
CREATE INDEX revocation_outstanding ON revocation USING btree (client_number, deletion_deadline_at) WHERE acknowledged_at IS NULL;
CREATE TRIGGER revocation_stays_acknowledged BEFORE UPDATE OF acknowledged_at ON revocation FOR EACH ROW WHEN (old.acknowledged_at IS NOT NULL AND new.acknowledged_at IS DISTINCT FROM old.acknowledged_at) EXECUTE FUNCTION refuse_taking_back();

create table sandbox_actions (
  client_number integer not null,
  window_start timestamp with time zone not null,
  count integer not null,
  constraint sandbox_actions_pkey PRIMARY KEY (client_number),
  constraint sandbox_actions_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
) with (fillfactor=40);

create table sandbox_corpus (
  client_number integer not null,
  generation integer not null,
  requested_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ready_at timestamp with time zone,
  failed_at timestamp with time zone,
  constraint sandbox_corpus_pkey PRIMARY KEY (client_number, generation),
  constraint sandbox_corpus_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
);

create table service_gate (
  id boolean default true not null,
  production_data_enabled boolean not null,
  reason text not null,
  changed_at timestamp with time zone not null,
  changed_by text,
  constraint service_gate_pkey PRIMARY KEY (id),
  constraint service_gate_id_check CHECK (id),
  constraint service_gate_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES operator(id)
);

create table service_token (
  id text not null,
  name text not null,
  environment text not null,
  token_hash bytea not null,
  permissions text[] not null,
  created_at timestamp with time zone not null,
  created_by text,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint service_token_pkey PRIMARY KEY (id),
  constraint service_token_token_hash_key UNIQUE (token_hash),
  constraint service_token_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint service_token_created_by_fkey FOREIGN KEY (created_by) REFERENCES operator(id)
);
CREATE INDEX service_token_created ON service_token USING btree (created_at DESC, id DESC);
CREATE INDEX service_token_environment ON service_token USING btree (environment, created_at DESC, id DESC);
CREATE INDEX service_token_environment_good ON service_token USING btree (environment, expires_at, id) WHERE revoked_at IS NULL;
CREATE INDEX service_token_good ON service_token USING btree (expires_at, id) WHERE revoked_at IS NULL;
CREATE INDEX service_token_words ON service_token USING gin (folded(name) gin_trgm_ops);

create table shared_resource (
  client_number integer not null,
  id text not null,
  connection_id text not null,
  tracked_resource_id bigint,
  type text not null,
  consented smallint not null,
  revision bigint default 1 not null,
  "position" bigint not null,
  updated_at timestamp with time zone not null,
  revocation_id text,
  constraint shared_resource_pkey PRIMARY KEY (client_number, id),
  constraint shared_resource_type_check CHECK (type = ANY (ARRAY['order'::text, 'vehicle'::text])),
  constraint shared_resource_client_number_connection_id_fkey FOREIGN KEY (client_number, connection_id) REFERENCES connection(client_number, id),
  constraint shared_resource_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number),
  constraint shared_resource_client_number_revocation_id_fkey FOREIGN KEY (client_number, revocation_id) REFERENCES revocation(client_number, id),
  constraint shared_resource_tracked_resource_id_fkey FOREIGN KEY (tracked_resource_id) REFERENCES tracked_resource(id) ON DELETE SET NULL
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX shared_resource_fan_out ON shared_resource USING btree (tracked_resource_id);
CREATE UNIQUE INDEX shared_resource_feed ON shared_resource USING btree (client_number, "position");
CREATE UNIQUE INDEX shared_resource_live ON shared_resource USING btree (client_number, connection_id, tracked_resource_id) WHERE revocation_id IS NULL;
CREATE INDEX shared_resource_revoked ON shared_resource USING btree (client_number, revocation_id) WHERE revocation_id IS NOT NULL;

create table statistics_generation (
  client_number integer not null,
  id text not null,
  published_at timestamp with time zone not null,
  period_from date not null,
  period_to date not null,
  minimum_group_size integer not null,
  groups text not null,
  basis text not null,
  constraint statistics_generation_pkey PRIMARY KEY (client_number, id),
  constraint statistics_generation_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
);
CREATE INDEX statistics_generation_latest ON statistics_generation USING btree (client_number, published_at DESC);

create table submission_draft (
  integration_id text not null,
  profile_version integer not null,
  review_url text not null,
  confirmations jsonb not null,
  version integer generated always as identity not null,
  saved_at timestamp with time zone not null,
  constraint submission_draft_pkey PRIMARY KEY (integration_id),
  constraint submission_draft_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id)
);
CREATE INDEX submission_draft_saved_at ON submission_draft USING btree (saved_at);

create table terms_acceptance (
  operator_id text not null,
  terms_version integer not null,
  accepted_at timestamp with time zone not null,
  ip inet,
  non_commercial boolean not null,
  attribution boolean not null,
  constraint terms_acceptance_pkey PRIMARY KEY (operator_id, terms_version),
  constraint terms_acceptance_attribution_check CHECK (attribution),
  constraint terms_acceptance_non_commercial_check CHECK (non_commercial),
  constraint terms_acceptance_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint terms_acceptance_terms_version_fkey FOREIGN KEY (terms_version) REFERENCES terms_version(version)
);

create table terms_version (
  version integer not null,
  title text not null,
  markdown text not null,
  published_at timestamp with time zone not null,
  published_by text,
  constraint terms_version_pkey PRIMARY KEY (version),
  constraint terms_version_published_by_fkey FOREIGN KEY (published_by) REFERENCES operator(id)
);

create table tracked_change (
  tracked_resource_id bigint not null,
  sequence bigint not null,
  section text not null,
  occurred_at timestamp with time zone not null,
  changes text not null,
  constraint tracked_change_pkey PRIMARY KEY (tracked_resource_id, sequence),
  constraint tracked_change_core CHECK (section <> 'core'::text OR strpos(changes, '"path":"shipping'::text) = 0),
  constraint tracked_change_section_check CHECK (section = ANY (ARRAY['core'::text, 'shipping'::text])),
  constraint tracked_change_tracked_resource_id_fkey FOREIGN KEY (tracked_resource_id) REFERENCES tracked_resource(id) ON DELETE CASCADE
);

create table tracked_resource (
  id bigint generated always as identity not null,
  environment text not null,
  type text not null,
  source_key bytea not null,
  source_version bigint not null,
  user_ref bytea,
  synthetic_for integer,
  core text not null,
  shipping text,
  last_sequence bigint default 0 not null,
  history_complete boolean not null,
  history_forgotten boolean default false not null,
  withdrawn_at timestamp with time zone,
  constraint tracked_resource_pkey PRIMARY KEY (id),
  constraint tracked_resource_environment_type_source_key_key UNIQUE (environment, type, source_key),
  constraint tracked_resource_check CHECK ((octet_length(core) + COALESCE(octet_length(shipping), 0)) <= 16000),
  constraint tracked_resource_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint tracked_resource_shipping CHECK (type = 'order'::text OR shipping IS NULL),
  constraint tracked_resource_type_check CHECK (type = ANY (ARRAY['order'::text, 'vehicle'::text])),
  constraint tracked_resource_synthetic_for_fkey FOREIGN KEY (synthetic_for) REFERENCES client(number)
) with (fillfactor=85, autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX tracked_resource_synthetic ON tracked_resource USING btree (synthetic_for) WHERE synthetic_for IS NOT NULL;
CREATE INDEX tracked_resource_user ON tracked_resource USING btree (environment, user_ref) WHERE user_ref IS NOT NULL;

create table usage_counter (
  client_number integer not null,
  hour timestamp with time zone not null,
  route text not null,
  status smallint not null,
  count integer not null,
  constraint usage_counter_pkey PRIMARY KEY (client_number, hour, route, status),
  constraint usage_counter_count_check CHECK (count > 0),
  constraint usage_counter_hour_check CHECK (isfinite(hour)),
  constraint usage_counter_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
) with (fillfactor=60);
CREATE INDEX usage_counter_hour ON usage_counter USING btree (hour);

create table used_challenge (
  challenge_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint used_challenge_pkey PRIMARY KEY (challenge_hash)
);
CREATE INDEX used_challenge_expiry ON used_challenge USING btree (expires_at);

create table verification_link (
  id text not null,
  purpose text not null,
  token_hash bytea not null,
  email text not null,
  email_key text not null,
  operator_id text,
  email_change_id text,
  ip inet not null,
  network text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  consumed_at timestamp with time zone,
  browser_hash bytea,
  code_tries integer default 0 not null,
  code_used_at timestamp with time zone,
  session_id text,
  constraint verification_link_pkey PRIMARY KEY (id),
  constraint verification_link_token_hash_key UNIQUE (token_hash),
  constraint verification_link_purpose_check CHECK (purpose = ANY (ARRAY['registration'::text, 'email_change_current'::text, 'email_change_new'::text])),
  constraint verification_link_email_change_id_fkey FOREIGN KEY (email_change_id) REFERENCES email_change(id) ON DELETE CASCADE,
  constraint verification_link_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX verification_link_address ON verification_link USING btree (email_key, created_at);
CREATE INDEX verification_link_browser ON verification_link USING btree (browser_hash) WHERE browser_hash IS NOT NULL;
CREATE INDEX verification_link_email_change ON verification_link USING btree (email_change_id) WHERE email_change_id IS NOT NULL;
CREATE INDEX verification_link_expiry ON verification_link USING btree (expires_at);
CREATE INDEX verification_link_ip ON verification_link USING btree (ip, created_at);

create table webhook_attempt (
  delivery_number bigint not null,
  number smallint not null,
  endpoint_number integer not null,
  started_at timestamp with time zone not null,
  dns_us integer,
  connect_us integer,
  tls_us integer,
  first_byte_us integer,
  total_us integer not null,
  address inet,
  status smallint,
  error text,
  response text,
  key_id text,
  url text,
  payload_mode text,
  revision bigint,
  body_sha256 text,
  constraint webhook_attempt_pkey PRIMARY KEY (delivery_number, number),
  constraint webhook_attempt_payload_mode_check CHECK (payload_mode = ANY (ARRAY['notification'::text, 'full_payload'::text]))
);
CREATE INDEX webhook_attempt_age ON webhook_attempt USING btree (started_at);

create table webhook_attempt_hour (
  endpoint_number integer not null,
  hour timestamp with time zone not null,
  outcome text not null,
  count integer not null,
  durations integer[] not null,
  constraint webhook_attempt_hour_pkey PRIMARY KEY (endpoint_number, hour, outcome),
  constraint webhook_attempt_hour_outcome_check CHECK (outcome = ANY (ARRAY['delivered'::text, 'retried'::text, 'dead'::text]))
) with (fillfactor=70);
CREATE INDEX webhook_attempt_hour_age ON webhook_attempt_hour USING btree (hour);

create table webhook_challenge (
  id text not null,
  endpoint_number integer not null,
  url text not null,
  status text default 'pending'::text not null,
  requested_at timestamp with time zone not null,
  requested_by text not null,
  begun_at timestamp with time zone,
  finished_at timestamp with time zone,
  failure text,
  steps jsonb default '[]'::jsonb not null,
  constraint webhook_challenge_pkey PRIMARY KEY (id),
  constraint webhook_challenge_check CHECK ((status = 'pending'::text) = (finished_at IS NULL)),
  constraint webhook_challenge_check1 CHECK ((status = 'failed'::text) = (failure IS NOT NULL)),
  constraint webhook_challenge_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])),
  constraint webhook_challenge_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES operator(id)
);
CREATE INDEX webhook_challenge_latest ON webhook_challenge USING btree (endpoint_number, requested_at DESC, id DESC);
CREATE INDEX webhook_challenge_requested_at ON webhook_challenge USING btree (requested_at);

create table webhook_delivery (
  number bigint generated always as identity not null,
  id text not null,
  endpoint_number integer not null,
  event_id text not null,
  type text not null,
  test boolean default false not null,
  state text default 'pending'::text not null,
  reason text,
  attempts smallint default 0 not null,
  next_attempt_at timestamp with time zone,
  wait_asked boolean default false not null,
  window_ends_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  connection_id text,
  resource_id text,
  replay_of text,
  replayed_at timestamp with time zone,
  delivered_before boolean default false not null,
  constraint webhook_delivery_pkey PRIMARY KEY (number),
  constraint webhook_delivery_id_key UNIQUE (id),
  constraint webhook_delivery_state_check CHECK (state = ANY (ARRAY['pending'::text, 'held'::text, 'delivered'::text, 'dead'::text, 'discarded'::text]))
) with (fillfactor=90, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX webhook_delivery_dead ON webhook_delivery USING btree (endpoint_number, finished_at) WHERE state = 'dead'::text AND replayed_at IS NULL;
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (endpoint_number, next_attempt_at, number) WHERE state = 'pending'::text;
CREATE INDEX webhook_delivery_event ON webhook_delivery USING hash (event_id);
CREATE INDEX webhook_delivery_held ON webhook_delivery USING btree (endpoint_number, reason, number) WHERE state = 'held'::text;
CREATE INDEX webhook_delivery_list ON webhook_delivery USING btree (endpoint_number, state, type, created_at, number);
CREATE INDEX webhook_delivery_replay ON webhook_delivery USING btree (event_id, endpoint_number) WHERE replay_of IS NOT NULL;
CREATE INDEX webhook_delivery_subject ON webhook_delivery USING btree (connection_id, resource_id) WHERE (state = ANY (ARRAY['pending'::text, 'held'::text])) AND connection_id IS NOT NULL;
CREATE INDEX webhook_delivery_undelivered ON webhook_delivery USING btree (endpoint_number, state, type, created_at, number) WHERE (state = ANY (ARRAY['dead'::text, 'discarded'::text])) AND replayed_at IS NULL AND NOT delivered_before;
CREATE INDEX webhook_delivery_window ON webhook_delivery USING btree (window_ends_at) WHERE state = ANY (ARRAY['pending'::text, 'held'::text]);

create table webhook_endpoint (
  number integer generated always as identity not null,
  id text not null,
  integration_id text not null,
  client_number integer not null,
  url text not null,
  payload_mode text not null,
  event_types text[] not null,
  description text not null,
  status text not null,
  status_changed_at timestamp with time zone not null,
  slot smallint,
  created_at timestamp with time zone not null,
  created_by text not null,
  proven_at timestamp with time zone,
  first_proven_at timestamp with time zone,
  paused_by text,
  pause_reason text,
  removed_at timestamp with time zone,
  failures_in_row smallint default 0 not null,
  failing_since timestamp with time zone,
  last_success_at timestamp with time zone,
  dead_letters_told_at timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (number),
  constraint webhook_endpoint_id_key UNIQUE (id),
  constraint webhook_endpoint_integration_id_slot_key UNIQUE (integration_id, slot),
  constraint webhook_endpoint_check CHECK ((status = 'removed'::text) = (slot IS NULL)),
  constraint webhook_endpoint_check1 CHECK ((status = 'removed'::text) = (removed_at IS NOT NULL)),
  constraint webhook_endpoint_check2 CHECK (status <> 'paused'::text OR paused_by IS NOT NULL),
  constraint webhook_endpoint_check3 CHECK ((status <> ALL (ARRAY['active'::text, 'paused'::text])) OR proven_at IS NOT NULL AND first_proven_at IS NOT NULL),
  constraint webhook_endpoint_event_types_check CHECK (cardinality(event_types) > 0),
  constraint webhook_endpoint_paused_by_check CHECK (paused_by = ANY (ARRAY['owner'::text, 'administrator'::text])),
  constraint webhook_endpoint_payload_mode_check CHECK (payload_mode = ANY (ARRAY['notification'::text, 'full_payload'::text])),
  constraint webhook_endpoint_slot_check CHECK (slot >= 1 AND slot <= 3),
  constraint webhook_endpoint_status_check CHECK (status = ANY (ARRAY['registered'::text, 'active'::text, 'paused'::text, 'removed'::text])),
  constraint webhook_endpoint_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number),
  constraint webhook_endpoint_created_by_fkey FOREIGN KEY (created_by) REFERENCES operator(id),
  constraint webhook_endpoint_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id)
) with (fillfactor=70);
CREATE INDEX webhook_endpoint_client ON webhook_endpoint USING btree (client_number) WHERE status <> 'removed'::text;
CREATE INDEX webhook_endpoint_failing ON webhook_endpoint USING btree (failing_since, number) WHERE failing_since IS NOT NULL AND status = 'active'::text;
CREATE INDEX webhook_endpoint_list ON webhook_endpoint USING btree (integration_id, number);
CREATE INDEX webhook_endpoint_paused ON webhook_endpoint USING btree (status_changed_at, number) WHERE status = 'paused'::text AND paused_by = 'administrator'::text;
CREATE INDEX webhook_endpoint_removed ON webhook_endpoint USING btree (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX webhook_endpoint_url ON webhook_endpoint USING hash (url);

create table webhook_event (
  id text not null,
  client_number integer not null,
  type text not null,
  occurred_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  connection_id text,
  resource_id text,
  resource_type text,
  revocation_id text,
  generation_id text,
  test boolean default false not null,
  constraint webhook_event_pkey PRIMARY KEY (id),
  constraint webhook_event_resource_type_check CHECK (resource_type = ANY (ARRAY['order'::text, 'vehicle'::text])),
  constraint webhook_event_type_check CHECK (type = ANY (ARRAY['connection.created'::text, 'resource.granted'::text, 'resource.updated'::text, 'resource.revoked'::text, 'connection.revoked'::text, 'statistics.updated'::text, 'integration.suspended'::text])),
  constraint webhook_event_client_number_fkey FOREIGN KEY (client_number) REFERENCES client(number)
);
CREATE INDEX webhook_event_age ON webhook_event USING btree (occurred_at);
CREATE INDEX webhook_event_resource ON webhook_event USING btree (resource_id, occurred_at, id) WHERE resource_id IS NOT NULL;
CREATE INDEX webhook_event_subject ON webhook_event USING btree (client_number, connection_id, resource_id);

create table webhook_receiver_check (
  endpoint_number integer not null,
  id text not null,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  begun_at timestamp with time zone,
  finished_at timestamp with time zone,
  failure text,
  url text,
  probed_at timestamp with time zone,
  probes jsonb default '[]'::jsonb not null,
  constraint webhook_receiver_check_pkey PRIMARY KEY (endpoint_number),
  constraint webhook_receiver_check_id_key UNIQUE (id),
  constraint webhook_receiver_check_endpoint_number_fkey FOREIGN KEY (endpoint_number) REFERENCES webhook_endpoint(number) ON DELETE CASCADE,
  constraint webhook_receiver_check_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES operator(id)
);

create table webhook_replay (
  id text not null,
  endpoint_number integer not null,
  deliveries bigint[] not null,
  count integer not null,
  replayed integer default 0 not null,
  ordered_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint webhook_replay_pkey PRIMARY KEY (id),
  constraint webhook_replay_count_check CHECK (count > 0),
  constraint webhook_replay_endpoint_number_fkey FOREIGN KEY (endpoint_number) REFERENCES webhook_endpoint(number) ON DELETE CASCADE
);
CREATE INDEX webhook_replay_age ON webhook_replay USING btree (ordered_at);
CREATE INDEX webhook_replay_latest ON webhook_replay USING btree (endpoint_number, ordered_at, id);

create table webhook_sample (
  id text not null,
  endpoint_number integer not null,
  type text not null,
  url text not null,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  event jsonb not null,
  headers jsonb,
  body text,
  constraint webhook_sample_pkey PRIMARY KEY (id),
  constraint webhook_sample_endpoint_number_fkey FOREIGN KEY (endpoint_number) REFERENCES webhook_endpoint(number) ON DELETE CASCADE,
  constraint webhook_sample_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES operator(id)
);
CREATE INDEX webhook_sample_age ON webhook_sample USING btree (requested_at);

create table webhook_signing_key (
  id text not null,
  public_key text not null,
  wrapped_key bytea,
  published_at timestamp with time zone not null,
  signs_from timestamp with time zone,
  retired_at timestamp with time zone,
  constraint webhook_signing_key_pkey PRIMARY KEY (id),
  constraint webhook_signing_key_private_check CHECK ((wrapped_key IS NULL) = (retired_at IS NOT NULL)),
  constraint webhook_signing_key_turns_check CHECK (retired_at IS NULL OR signs_from IS NOT NULL)
);
CREATE UNIQUE INDEX webhook_signing_key_current ON webhook_signing_key USING btree ((1)) WHERE signs_from IS NOT NULL AND retired_at IS NULL;
CREATE UNIQUE INDEX webhook_signing_key_next ON webhook_signing_key USING btree ((1)) WHERE signs_from IS NULL;
CREATE INDEX webhook_signing_key_retired ON webhook_signing_key USING btree (retired_at);

CREATE OR REPLACE FUNCTION public.acknowledge_revocation(p_client_number integer, p_revocation_id text, p_request_id text, p_ip inet, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  moment constant timestamptz := present_moment(p_now);
begin
  update revocation set acknowledged_at = moment
   where client_number = p_client_number and id = p_revocation_id and acknowledged_at is null and (fixture or deletion_deadline_at > moment::timestamptz);
  if not found then
    raise exception 'this revocation cannot be acknowledged' using errcode = '42501';
  end if;
  perform record_audit(moment, 'client', k.id, p_request_id, p_ip, array['revocation.acknowledged'], array['revocation'],
      array[p_revocation_id], array[i.operator_id], array[i.id], '{}')
     from client k join integration i on i.id = k.integration_id where k.number = p_client_number;
  perform count_evidence(array[p_client_number], array['tombstone_acknowledged'], array[moment], array[moment], array[1::bigint]);
end
$function$
;

CREATE OR REPLACE FUNCTION public.copy_overrides()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Waits here for other changes to this client's overrides, so that the next statement sees what they have committed.
  perform 1 from client where number in (new.client_number, old.client_number) order by number for no key update;
  update client k set (override_values, override_ends) = (
    select case when count(o.id) > 0 then array_agg(o.value order by q.place) end,
           case when count(o.id) > 0 then array_agg(case when o.id is not null then coalesce(o.expires_at, 'infinity') end order by q.place) end
      from unnest(quota_order()) with ordinality q (name, place)
      left join quota_override o on o.client_number = k.number and o.quota = q.name and o.withdrawn_at is null)
   where k.number in (new.client_number, old.client_number);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_evidence(p_client_numbers integer[], p_kinds text[], p_first timestamp with time zone[], p_last timestamp with time zone[], p_counts bigint[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into review_evidence (client_number, kind, first_at, last_at, count)
  select u.client_number, u.kind, u.first_at, u.last_at, u.count
    from unnest(p_client_numbers, p_kinds, p_first, p_last, p_counts) u(client_number, kind, first_at, last_at, count)
    join client k on k.number = u.client_number and k.environment = 'sandbox'
   where u.count between 1 and 100000 and is_recent(u.first_at) and is_recent(u.last_at) and u.kind = any (array['capabilities_read', 'capabilities_not_read', 'cursor_followed', 'request_conditional', 'answer_unchanged', 'pause_honoured', 'pause_disregarded', 'link_code_redeemed', 'tombstone_acknowledged', 'certificate_rotated'])
   order by 1, 2
  on conflict (client_number, kind) do update set first_at = least(review_evidence.first_at, excluded.first_at),
    last_at = greatest(review_evidence.last_at, excluded.last_at), count = review_evidence.count + excluded.count
$function$
;

CREATE OR REPLACE FUNCTION public.drop_request_log_days(p_until timestamp with time zone, p_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '500ms'
AS $function$
declare
  v_until constant timestamptz := least(p_until, clock_timestamp() - interval '604800 seconds');
  v_partition text;
  v_dropped int := 0;
begin
  for v_partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'request_log'::regclass and c.relname ~ '_\d{8}$' and to_date(right(c.relname, 8), 'YYYYMMDD') + interval '1 day' <= v_until
     order by c.relname limit p_most
  loop
    execute format('drop table %I', v_partition);
    v_dropped := v_dropped + 1;
  end loop;
  return v_dropped;
end
$function$
;

CREATE OR REPLACE FUNCTION public.ended_moment(p_claimed timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$
  select least(p_claimed, clock_timestamp())
$function$
;

CREATE OR REPLACE FUNCTION public.folded(words text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower((NORMALIZE(words, NFC) COLLATE pg_c_utf8))
;

CREATE OR REPLACE FUNCTION public.forget_addresses(p_operator_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from operator where id = p_operator_id and deleted_at is not null)
     or exists (select from passkey where operator_id = p_operator_id) or exists (select from portal_session where operator_id = p_operator_id) then
    raise exception 'the account has not been deleted' using errcode = '42501';
  end if;
  update audit_entry set ip = null
   where ip is not null and (actor_id = p_operator_id or (operator_id = p_operator_id and actor_type in ('anonymous', 'client')));
end
$function$
;

CREATE OR REPLACE FUNCTION public.is_recent(p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select p_at between clock_timestamp() - interval '604800 seconds' and clock_timestamp() + interval '1 minute'
$function$
;

CREATE OR REPLACE FUNCTION public.keep_unknown_columns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  unknown jsonb;
begin
  select jsonb_object_agg(c.key, c.value) into unknown
    from profile_version p cross join jsonb_each(to_jsonb(p)) c
   where p.integration_id = new.integration_id and p.version = new.version - 1 and c.key <> all (new.known_columns);
  return case when unknown is null then new else jsonb_populate_record(new, unknown) end;
end
$function$
;

CREATE OR REPLACE FUNCTION public.live_leases(p_leases timestamp with time zone[], p_finished timestamp with time zone[], p_now timestamp with time zone)
 RETURNS timestamp with time zone[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  return array(select l from unnest(p_leases) l where l > p_now and l <> all (p_finished));
end
$function$
;

CREATE OR REPLACE FUNCTION public.lock_client_for_renewal(p_client_id text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select 1 from client where id = p_client_id for no key update
$function$
;

CREATE OR REPLACE FUNCTION public.lock_revocation(p_client_number integer, p_revocation_id text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select 1 from revocation where client_number = p_client_number and id = p_revocation_id for no key update
$function$
;

CREATE OR REPLACE FUNCTION public.make_partitions(p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select make_partitions_of('request_log', 'day', near_moment(p_now), '14 days', 'autovacuum_vacuum_insert_threshold = -1');
  select make_partitions_of('audit_entry', 'month', near_moment(p_now), '3 months', 'autovacuum_vacuum_insert_scale_factor = 0.05');
$function$
;

CREATE OR REPLACE FUNCTION public.make_partitions_of(p_table text, p_unit text, p_now timestamp with time zone, p_ahead interval, p_options text)
 RETURNS void
 LANGUAGE plpgsql
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '500ms'
AS $function$
declare
  v_default constant text := p_table || '_default';
  v_bound constant text := v_default || '_bound';
  v_from timestamptz;
  v_until timestamptz;
  v_partition text;
  v_taken boolean;
  v_bounded boolean := false;
begin
  -- A second caller finds them made.
  execute format('lock table only %I in share update exclusive mode', p_table);
  for v_from in select generate_series(date_trunc(p_unit, p_now), p_now + p_ahead, ('1 ' || p_unit)::interval) loop
    v_until := v_from + ('1 ' || p_unit)::interval;
    v_partition := p_table || to_char(v_from, case p_unit when 'day' then '_YYYYMMDD' else '_YYYYMM' end);
    continue when to_regclass(v_partition) is not null;
    execute format('select exists (select from %I where occurred_at >= $1 and occurred_at < $2)', v_default) into v_taken using v_from, v_until;
    continue when v_taken;
    -- With this constraint, the default partition is read once instead of once for each new partition.
    if not v_bounded then
      execute format('select coalesce(max(occurred_at) < $1, false) from %I', v_default) into v_bounded using v_from;
      if v_bounded then
        execute format('alter table %I add constraint %I check (occurred_at < %L)', v_default, v_bound, v_from);
      end if;
    end if;
    execute format('create table %I (like %I including defaults including constraints including storage) with (%s)', v_partition, p_table, p_options);
    -- What refuses to empty the whole table refuses to empty a part of it.
    if p_table = 'audit_entry' then
      execute format('create trigger audit_entry_never_emptied before truncate on %I for each statement execute function refuse_change()', v_partition);
    end if;
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, v_partition, v_from, v_until);
  end loop;
  if v_bounded then
    execute format('alter table %I drop constraint %I', v_default, v_bound);
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.near_moment(p_claimed timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$
  select greatest(least(p_claimed, clock_timestamp() + interval '1 day'), clock_timestamp() - interval '8 days')
$function$
;

CREATE OR REPLACE FUNCTION public.new_id(p_prefix text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  random constant bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  return p_prefix || '_' || convert_from(substr(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(set_byte(random, 0, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 0) & 31)), 1, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 1) & 31)), 2, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 2) & 31)), 3, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 3) & 31)), 4, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 4) & 31)), 5, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 5) & 31)), 6, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 6) & 31)), 7, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 7) & 31)), 8, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 8) & 31)), 9, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 9) & 31)), 10, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 10) & 31)), 11, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 11) & 31)), 12, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 12) & 31)), 13, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 13) & 31)), 14, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 14) & 31)), 15, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 15) & 31)), 16, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 16) & 31)), 17, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 17) & 31)), 18, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 18) & 31)), 19, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 19) & 31)), 20, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 20) & 31)), 21, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 21) & 31)), 22, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 22) & 31)), 23, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 23) & 31)), 24, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 24) & 31)), 25, get_byte('0123456789abcdefghjkmnpqrstvwxyz'::bytea, get_byte(random, 25) & 28)), 1, 26), 'UTF8');
end
$function$
;

CREATE OR REPLACE FUNCTION public.next_key_name(p_client_number integer, p_environment text, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  month constant text := p_environment || '-' || to_char(p_now at time zone 'UTC', 'YYYY-MM');
  name text := month;
  turn int := 1;
begin
  while exists (select from certificate where client_number = p_client_number and status in ('pending', 'issued', 'revoked') and key_name = name) loop
    turn := turn + 1;
    name := month || '-' || turn;
  end loop;
  return name;
end
$function$
;

CREATE OR REPLACE FUNCTION public.place_certificate(p_client_number integer, p_source text, p_csr_der bytea, p_public_key_der bytea, p_key_type text, p_requested_at timestamp with time zone, p_requested_by text, p_renews text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  free_slot smallint;
  new_certificate_id constant text := new_id('crt');
begin
  update certificate set status = 'issued', slot = null where client_number = p_client_number and slot is not null and status = 'issued' and usable_until <= p_requested_at;
  select s into free_slot from generate_series(1, 2) s
   where not exists (select from certificate where client_number = p_client_number and slot = s) order by s limit 1;
  if free_slot is null then
    return null;
  end if;
  insert into certificate (id, client_number, source, csr_der, key_type, key_name, renews, status, slot, public_key_der, requested_at, requested_by)
  select new_certificate_id, k.number, p_source, p_csr_der, p_key_type, next_key_name(k.number, k.environment, p_requested_at), p_renews, 'pending', free_slot, p_public_key_der, p_requested_at, p_requested_by
    from client k where k.number = p_client_number;
  return new_certificate_id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.present_moment(p_claimed timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if p_claimed between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute' then
    return p_claimed;
  end if;
  raise exception 'the clock of this process differs from the database''s by more than a minute' using errcode = 'OI002';
end
$function$
;

CREATE OR REPLACE FUNCTION public.queue_mail(p_kind text, p_subject_id text, p_operator_id text, p_integration_id text, p_details json, p_now timestamp with time zone, p_trace text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  mail_id text;
begin
  insert into mail (id, kind, subject_id, operator_id, integration_id, details, recipient, created_at)
  values (new_id('mail'), p_kind, p_subject_id, p_operator_id, p_integration_id, p_details,
          case when p_kind = 'account_deleted' then (select email from operator where id = p_operator_id) end, p_now)
  on conflict (kind, subject_id) do nothing returning id into mail_id;
  if found then
    perform graphile_worker.add_job('sendMail', payload => json_strip_nulls(json_build_object('mailId', mail_id, '_trace', p_trace)));
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.quota_order()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select array['requests_per_hour', 'requests_per_minute', 'concurrent_requests', 'statistics_requests_per_hour', 'link_code_redemptions_per_hour', 'link_code_redemptions_per_ip_per_15_minutes', 'est_requests_per_hour', 'polling_interval_seconds']
$function$
;

CREATE OR REPLACE FUNCTION public.record_audit(p_at timestamp with time zone, p_actor_type text, p_actor_id text, p_request_id text, p_ip inet, p_actions text[], p_subject_types text[], p_subject_ids text[], p_operator_ids text[], p_integration_ids text[], p_details json[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into audit_entry (occurred_at, actor_type, actor_id, request_id, ip, action, subject_type, subject_id, operator_id, integration_id, details)
  select p_at, p_actor_type, p_actor_id, left(p_request_id, 100), p_ip, u.action, u.subject_type, u.subject_id, u.operator_id, u.integration_id, coalesce(u.details, '{}')
    from unnest(p_actions, p_subject_types, p_subject_ids, p_operator_ids, p_integration_ids, p_details)
           u(action, subject_type, subject_id, operator_id, integration_id, details);
end
$function$
;

CREATE OR REPLACE FUNCTION public.redeem_link_code(p_environment text, p_hmacs bytea[], p_client_number integer, p_request_id text, p_ip inet, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  moment constant timestamptz := present_moment(p_now);
  code record;
  sharing record;
  pinned_ids bigint[];
  pinned_types text[];
  granted_ids text[];
  granted_scopes text[];
  changed text[];
  new_connection_id constant text := new_id('con');
begin
  -- A code has one HMAC for each key that the ring has had.
  if cardinality(p_hmacs) > 32 then
    raise exception 'more than one code' using errcode = '42501';
  end if;
  with code as (
    select id, user_ref, profile_version, scopes, statistics_opted_in, client_number = p_client_number as own,
           redeemed_at is null and cancelled_at is null and failed_attempts < 5 and expires_at > moment::timestamptz as fresh,
           redeemed_at is not null and failed_attempts < 5 as used
      from link_code where environment = p_environment and code_hmac = any(p_hmacs) for no key update),
  failed as (
    update link_code c set failed_attempts = c.failed_attempts + 1 from code k
     where c.id = k.id and (k.used or (k.fresh and not k.own)))
  select * into code from code;
  if not found or not (code.own and code.fresh) then
    return null;
  end if;

  -- Pins the resources for which the code was created, except for those that were withdrawn or have come to belong to another user since
  -- (primary keys of link_code_resource and tracked_resource). Shared resources belong to their client, not to the code's user.
  select array_agg(t.id order by t.id), array_agg(t.type order by t.id) into pinned_ids, pinned_types
    from (select t.id, t.type
            from link_code_resource r join link_code c on c.id = r.link_code_id join tracked_resource t on t.id = r.tracked_resource_id
           where r.link_code_id = code.id and t.withdrawn_at is null
             and (t.type = 'vehicle' or t.user_ref = c.user_ref or t.synthetic_for = c.client_number)
           order by t.id for share of t) t;
  perform 1 from client_feed where client_number = p_client_number for update;

  -- What the client may have at this moment, in a statement after the feed's lock, since scopes change only under it. Since the request was
  -- admitted, the integration may have been suspended or retired, or its gate closed. After a retirement, nobody would revoke the connection.
  select 
       k.number, k.id, k.environment, k.integration_id as "integrationId", i.operator_id as "operatorId", i.status as "integrationStatus",
       p.version as "profileVersion", k.scopes,
       array(select c.scope from unnest(k.scopes) c(scope) where c.scope = any (p.requested_scopes)) as "grantableScopes",
       i.production_gate_open and g.production_data_enabled as "productionDataEnabled", (k.environment = 'sandbox' and i.status in ('sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended') or k.environment = 'production' and i.status = 'active') as shares into sharing
    from 
  client k join integration i on i.id = k.integration_id cross join service_gate g
  left join profile_version p on p.integration_id = i.id
   and p.version = case k.environment when 'production' then i.reviewed_profile_version else i.profile_version end where k.number = p_client_number and k.environment = p_environment;
  if not found or not (sharing.shares and (p_environment = 'sandbox' or sharing."productionDataEnabled")) then
    return null;
  end if;
  granted_scopes := array(select s.scope from unnest(code.scopes) with ordinality s(scope, n) where s.scope = any (sharing."grantableScopes") order by s.n);
  select array_agg(u.id order by u.n), array_agg(u.type order by u.n) into pinned_ids, pinned_types
    from unnest(pinned_ids, pinned_types) with ordinality u(id, type, n) where case u.type when 'order' then 'orders.read' else 'vehicles.read' end = any (granted_scopes);
  if pinned_ids is null then
    return null;
  end if;

  update link_code set redeemed_at = moment, connection_id = new_connection_id where id = code.id;
  insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
  values (p_client_number, new_connection_id, code.user_ref, code.profile_version, granted_scopes, code.statistics_opted_in, moment);
  -- The latest choice applies to the whole integration, so a second link neither hides a no nor loses a yes.
  changed := array(select c from set_participation(p_client_number, code.user_ref, code.statistics_opted_in) c order by c);
  perform store_events(moment, array[p_client_number], array['connection.created'], array[new_connection_id], '{}', '{}', '{}', '{}');
  granted_ids := share_resources(p_client_number, new_connection_id, granted_scopes, pinned_ids, pinned_types, moment);

  perform record_audit(moment, 'client', sharing.id, p_request_id, p_ip, array['link_code.redeemed'], array['connection'],
    array[new_connection_id], array[sharing."operatorId"], array[sharing."integrationId"],
    array[json_build_object('linkCodeId', code.id, 'resources', cardinality(pinned_ids), 'scopes', array_to_string(granted_scopes, ' '))]);
  -- Not in the owner's trail, because who takes part in statistics is the user's own business.
  perform record_audit(moment, 'client', sharing.id, p_request_id, p_ip, array['statistics_participation.set'], array['connection'],
    array[c], '{}', array[sharing."integrationId"], array[json_build_object('optedIn', code.statistics_opted_in)]) from unnest(changed) c;
  perform count_evidence(array[p_client_number], array['link_code_redeemed'], array[moment], array[moment], array[1::bigint]);

  return jsonb_build_object(
    'connectionId', new_connection_id,
    'resources', (select jsonb_agg(jsonb_build_object('id', u.id, 'type', u.type) order by u.n) from unnest(granted_ids, pinned_types) with ordinality u(id, type, n)));
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_all_but_forgetting_ip()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.ip is null and to_jsonb(new) - 'ip' = to_jsonb(old) - 'ip' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_late(p_deadline timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if clock_timestamp() >= p_deadline then
    raise exception 'the request has been refused meanwhile' using errcode = 'query_canceled';
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_taking_back()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then
    return new;
  end if;
  raise exception 'an acknowledgement is not taken back' using errcode = '42501';
end
$function$
;

CREATE OR REPLACE FUNCTION public.release_leases_v2(p_client_numbers integer[], p_finished timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_client int;
  v_finished timestamptz[];
begin
  perform set_config('synchronous_commit', 'off', true);
  for v_client, v_finished in
    select f.client_number, array_agg(f.lease) from unnest(p_client_numbers, p_finished) f(client_number, lease) group by f.client_number order by f.client_number
  loop
    update client_quota set leases = array(select l from unnest(leases) l where l <> all (v_finished)) where client_number = v_client;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION public.remove_ended_credentials(p_table text, p_until timestamp with time zone, p_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  moment constant timestamptz := ended_moment(p_until);
  removed integer;
begin
  case p_table
  when 'used_challenge' then
    delete from used_challenge where ctid = any (array(select ctid from used_challenge where expires_at <= moment
      order by expires_at limit p_most for update skip locked));
  when 'portal_session' then
    delete from portal_session where ctid = any (array(select ctid from portal_session where expires_at <= moment
      order by expires_at limit p_most for update skip locked));
  when 'verification_link' then
    delete from verification_link where ctid = any (array(select ctid from verification_link where expires_at <= moment
      order by expires_at limit p_most for update skip locked));
  when 'email_change' then
    delete from email_change where ctid = any (array(select ctid from email_change where expires_at <= moment
      order by expires_at limit p_most for update skip locked));
  when 'key_ring_entry' then
    delete from key_ring_entry where ctid = any (array(select ctid from key_ring_entry where retired_at <= moment and purpose = any (array['session', 'verification_link'])
      order by retired_at limit p_most for update skip locked));
  else
    raise exception 'nothing of % ends', p_table using errcode = '42501';
  end case;
  get diagnostics removed = row_count;
  return removed;
end
$function$
;

CREATE OR REPLACE FUNCTION public.request_certificate(p_client_id text, p_operator_id text, p_csr_der bytea, p_public_key_der bytea, p_key_type text, p_request_id text, p_ip inet, p_now timestamp with time zone, p_trace text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  asked record;
  placed_id text;
begin
  perform 1 from client k join integration i on i.id = k.integration_id
   where k.id = p_client_id and i.operator_id = p_operator_id for no key update of k;
  -- A statement of its own: the lock may have waited for a retirement, which the earlier snapshot does not show.
  select k.number, k.environment, i.id as integration_id into asked
    from client k join integration i on i.id = k.integration_id
   where k.id = p_client_id and i.operator_id = p_operator_id and (k.environment = 'sandbox' and i.status in ('sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended') or k.environment = 'production' and i.status in ('approved', 'active', 'suspended'))
     and (select requested_at from certificate
   where client_number = k.number and (slot is not null) in (true, false) and requested_at > p_now::timestamptz - interval '1 day' and source <> 'est' and status in ('pending', 'issued', 'revoked')
   order by requested_at desc offset 19 limit 1) is null;
  if not found then
    return null;
  end if;
  placed_id := place_certificate(asked.number, 'csr', p_csr_der, p_public_key_der, p_key_type, p_now, p_operator_id, null);
  if placed_id is null then
    return null;
  end if;
  perform graphile_worker.add_job('issueCertificate', job_key => placed_id,
    payload => json_strip_nulls(json_build_object('certificateId', placed_id, '_trace', p_trace)));
  perform record_audit(p_now, 'operator', p_operator_id, p_request_id, p_ip, array['certificate.requested'],
    array['certificate'], array[placed_id], array[p_operator_id], array[asked.integration_id],
    array[json_build_object('environment', asked.environment, 'keyType', p_key_type)]);
  return placed_id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.request_renewal(p_client_id text, p_certificate_id text, p_csr_der bytea, p_public_key_der bytea, p_key_type text, p_request_id text, p_ip inet, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  moment constant timestamptz := present_moment(p_now);
  caller record;
  placed_id text;
begin
  perform lock_client_for_renewal(p_client_id);
  select k.number, k.environment, i.id as integration_id, i.operator_id, x.serial into caller
    from client k join integration i on i.id = k.integration_id join certificate x on x.client_number = k.number
   where k.id = p_client_id and x.id = p_certificate_id and k.renewal_by_est and (k.environment = 'sandbox' and i.status in ('sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended') or k.environment = 'production' and i.status = 'active')
     and x.status = 'issued' and x.usable_until > moment and x.not_before + (x.not_after - x.not_before) * 2 / 3 <= moment;
  if not found then
    raise exception 'this certificate cannot be renewed' using errcode = '42501';
  end if;

  placed_id := place_certificate(caller.number, 'est', p_csr_der, p_public_key_der, p_key_type, moment, caller.operator_id, p_certificate_id);
  if placed_id is null then
    return null;
  end if;
  perform graphile_worker.add_job('issueCertificate', job_key => placed_id,
    payload => json_strip_nulls(json_build_object('certificateId', placed_id, '_trace', null)));
  perform record_audit(moment, 'client', p_client_id, p_request_id, p_ip, array['certificate.requested'], array['certificate'],
    array[placed_id], array[caller.operator_id], array[caller.integration_id],
    array[json_build_object('environment', caller.environment, 'keyType', p_key_type, 'renews', p_certificate_id)]);
  perform queue_mail('certificate_renewal', placed_id, caller.operator_id, caller.integration_id,
    json_build_object('environment', caller.environment, 'commonName', 'svc:' || caller.environment || ':' || p_client_id, 'certificateId', placed_id, 'renewedSerial', caller.serial), moment, null);
  return placed_id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.set_participation(p_client_number integer, p_user_ref bytea, p_opted_in boolean)
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
begin
  return query update connection set statistics_opted_in = p_opted_in
    where client_number = p_client_number and user_ref = p_user_ref and revocation_id is null and statistics_opted_in <> p_opted_in returning id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.share_resources(p_client_number integer, p_connection_id text, p_scopes text[], p_tracked_resource_ids bigint[], p_types text[], p_now timestamp with time zone)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
declare
  total constant int := cardinality(p_types);
  feed record;
  ids text[];
begin
  select base, epoch into strict feed from take_positions(p_client_number, total);
  ids := array(select new_id(case u.type when 'order' then 'ord' else 'veh' end) from unnest(p_types) with ordinality u(type, n) order by u.n);
  insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, revision, position, updated_at)
  select p_client_number, u.id, p_connection_id, u.tracked_resource_id, u.type, (select coalesce(sum(1 << (array_position(array['orders.read', 'orders.history.read', 'vehicles.read', 'vehicles.history.read', 'shipping.read', 'statistics.orders.read', 'revocations.ack'], s) - 1)), 0) from unnest(p_scopes) s)::smallint, 1 - feed.epoch, feed.base + u.n, p_now
    from unnest(ids, p_tracked_resource_ids, p_types) with ordinality u(id, tracked_resource_id, type, n) order by u.n;
  perform store_events(p_now, array_fill(p_client_number, array[total]), array_fill('resource.granted'::text, array[total]),
    array_fill(p_connection_id, array[total]), ids, p_types, '{}', '{}');
  return ids;
end
$function$
;

CREATE OR REPLACE FUNCTION public.store_events(p_now timestamp with time zone, p_client_numbers integer[], p_types text[], p_connection_ids text[], p_resource_ids text[], p_resource_types text[], p_revocation_ids text[], p_generation_ids text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  numbers text;
begin
  with subscription as materialized (
    select number, client_number, event_types from webhook_endpoint where client_number = any (p_client_numbers) and first_proven_at is not null and not status = 'removed'),
  event as materialized (
    select new_id('evt') as id, e.*, p_now + case e.type when 'connection.created' then interval '604800 seconds' when 'resource.granted' then interval '604800 seconds' when 'resource.updated' then interval '86400 seconds' when 'resource.revoked' then interval '604800 seconds' when 'connection.revoked' then interval '604800 seconds' when 'statistics.updated' then interval '604800 seconds' when 'integration.suspended' then interval '604800 seconds' end as expires_at
      from unnest(p_client_numbers, p_types, p_connection_ids, p_resource_ids, p_resource_types, p_revocation_ids, p_generation_ids) with ordinality
             e(client_number, type, connection_id, resource_id, resource_type, revocation_id, generation_id, n)
     where exists (select from subscription s where s.client_number = e.client_number and e.type = any (s.event_types))),
  stored as (
    insert into webhook_event (id, client_number, type, occurred_at, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id)
    select id, client_number, type, p_now, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id from event order by n),
  delivery as (
    insert into webhook_delivery (id, endpoint_number, event_id, type, next_attempt_at, window_ends_at, created_at, connection_id, resource_id)
    select new_id('dlv'), s.number, e.id, e.type, p_now, e.expires_at, p_now,
           case when e.type in ('resource.granted', 'resource.updated') then e.connection_id end, case when e.type in ('resource.granted', 'resource.updated') then e.resource_id end
      from event e join subscription s on s.client_number = e.client_number and e.type = any (s.event_types) order by e.n, s.number
    returning endpoint_number)
  select string_agg(distinct endpoint_number::text, ',') into numbers from delivery;
  perform pg_notify('webhook_due', case when length(numbers) > 7900 then '' else numbers end) where numbers is not null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.svc_job_subjects(payload json)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(key || ':' || value), '{}') from json_each_text(case json_typeof(payload) when 'object' then payload else '{}' end)
$function$
;

CREATE OR REPLACE FUNCTION public.take_from_redeem_source(p_source text, p_now timestamp with time zone, p_window_floor timestamp with time zone, p_limit integer, OUT source_start timestamp with time zone, OUT source_count integer)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
begin
  insert into redeem_source as s (source, window_start, count) values (p_source, p_now, 1)
      on conflict (source) do update set
         window_start = case when s.window_start > p_window_floor then s.window_start else p_now end,
         count = case when s.window_start > p_window_floor then s.count + 1 else 1 end
       where s.window_start <= p_window_floor or s.count < p_limit
   returning s.window_start, s.count into source_start, source_count;
  -- Seen as free, and taken by another client meanwhile: what this client has taken is undone with the statement.
  if not found then
    raise exception 'the last attempt of this source was taken meanwhile' using errcode = 'OI001';
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_positions(p_client_number integer, p_count integer, OUT base bigint, OUT epoch integer)
 RETURNS SETOF record
 LANGUAGE plpgsql
AS $function$
begin
  return query update client_feed f set head = f.head + p_count where f.client_number = p_client_number returning f.head - p_count, f.epoch;
end
$function$
;

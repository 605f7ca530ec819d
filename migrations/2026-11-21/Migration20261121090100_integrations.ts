import { Migration } from '@mikro-orm/migrations';
import { firstTermsMarkdown } from '../support/firstTerms.ts';

/** Terms, integrations and their profile versions, clients with quotas, certificates and their authorities. */
export class Migration20261121090100_integrations extends Migration {
  override up(): void {
    this.addSql(`
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
        ip inet not null,
        non_commercial boolean not null check (non_commercial),
        attribution boolean not null check (attribution),
        primary key (operator_id, terms_version)
      );

      create table integration (
        id text primary key,
        operator_id text not null references operator,
        slug text not null unique,
        status text not null check (status in ('sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended', 'retired')),
        profile_version int not null,
        reviewed_profile_version int,
        production_gate_open boolean not null default false,
        created_at timestamptz not null
      );
      create index integration_operator on integration (operator_id, created_at desc, id desc);

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
        requested_scopes text[] not null,
        polling_cadence_minutes int not null,
        webhook_model text not null check (webhook_model in ('none', 'notification', 'full_payload')),
        terms_version int not null references terms_version,
        attribution_accepted_at timestamptz not null,
        created_at timestamptz not null,
        created_by text not null references operator,
        primary key (integration_id, version)
      );
      alter table integration add foreign key (id, profile_version) references profile_version (integration_id, version) deferrable initially deferred;
      alter table integration add foreign key (id, reviewed_profile_version) references profile_version (integration_id, version);

      create table service_gate (
        id boolean primary key default true check (id),
        production_data_enabled boolean not null,
        reason text not null,
        changed_at timestamptz not null,
        changed_by text references operator
      );

      create table client (
        no int generated always as identity primary key,
        id text not null unique,
        integration_id text not null references integration,
        environment text not null check (environment in ('sandbox', 'production')),
        scopes text[] not null,
        created_at timestamptz not null,
        unique (integration_id, environment)
      );

      create table client_quota (
        client_no int primary key references client,
        hour_start timestamptz not null default '-infinity',
        hour_count int not null default 0,
        minute_start timestamptz not null default '-infinity',
        minute_count int not null default 0,
        statistics_start timestamptz not null default '-infinity',
        statistics_count int not null default 0,
        redeem_start timestamptz not null default '-infinity',
        redeem_count int not null default 0,
        leases timestamptz[] not null default '{}'
      ) with (fillfactor = 40);

      create table redeem_source (
        source text primary key,
        window_start timestamptz not null,
        count int not null
      ) with (fillfactor = 40);
      create index redeem_source_window on redeem_source (window_start);

      create table quota_override (
        id bigint generated always as identity primary key,
        client_no int not null references client,
        quota text not null check (quota in ('requests_per_hour', 'requests_per_minute', 'concurrent_requests', 'statistics_requests_per_hour',
          'link_code_redemptions_per_hour', 'link_code_redemptions_per_ip_per_15_minutes', 'polling_interval_seconds')),
        value int not null check (value > 0),
        reason text not null,
        created_at timestamptz not null,
        created_by text references operator,
        expires_at timestamptz,
        withdrawn_at timestamptz
      );
      create unique index quota_override_current on quota_override (client_no, quota) where withdrawn_at is null;

      create table certificate_authority (
        id text primary key,
        kind text not null check (kind in ('root', 'issuing')),
        issuer_id text references certificate_authority,
        certificate_pem text not null,
        wrapped_key bytea,
        not_after timestamptz not null,
        created_at timestamptz not null,
        retired_at timestamptz,
        crl_number bigint not null default 0
      );
      create unique index certificate_authority_current on certificate_authority (kind) where retired_at is null;

      create table certificate (
        id text primary key,
        client_no int not null references client,
        slot smallint check (slot in (1, 2)),
        source text not null check (source in ('csr', 'p12')),
        status text not null check (status in ('pending', 'issued', 'failed', 'revoked')),
        csr_der bytea,
        public_key_der bytea,
        key_type text not null,
        issuer_id text references certificate_authority,
        serial text,
        fingerprint_sha256 text unique,
        pem text,
        requested_at timestamptz not null,
        requested_by text not null references operator,
        issued_at timestamptz,
        not_before timestamptz,
        not_after timestamptz,
        usable_until timestamptz,
        failure text,
        revoked_at timestamptz,
        revocation_reason text check (revocation_reason in ('superseded', 'key_compromise', 'cessation_of_operation', 'unspecified')),
        crl_published_at timestamptz,
        unique (issuer_id, serial),
        unique (client_no, slot),
        check (status <> 'issued' or (fingerprint_sha256 is not null and usable_until is not null and serial is not null and pem is not null)),
        check ((status = 'revoked') = (revoked_at is not null))
      );
      create index certificate_public_key on certificate (sha256(public_key_der));
      create index certificate_client on certificate (client_no, requested_at desc);

      create table sandbox_corpus (
        client_no int not null references client,
        generation int not null,
        requested_at timestamptz not null,
        started_at timestamptz,
        ready_at timestamptz,
        failed_at timestamptz,
        primary key (client_no, generation)
      );

      insert into service_gate (production_data_enabled, reason, changed_at) values (false, 'Closed during the sandbox rollout.', date_trunc('milliseconds', now()));
    `);
    this.addSql(
      `insert into terms_version (version, title, markdown, published_at)
       values (1, 'Integration Terms', $terms$${firstTermsMarkdown}$terms$, date_trunc('milliseconds', now()))`,
    );
  }
}

-- Authorities with their revocation lists, clients' certificates, and packages with keys.

create table certificate_authority (
  id text primary key,
  kind text not null check (kind in ('root', 'issuing')),
  issuer_id text references certificate_authority,
  certificate_pem text not null,
  -- Absent if the key is kept offline.
  wrapped_key bytea,
  -- For those who must not read the key.
  has_key boolean not null generated always as (wrapped_key is not null) stored,
  crl_number bigint not null default 0,
  not_after timestamptz not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  -- When its root revoked it.
  revoked_at timestamptz
);
create unique index certificate_authority_current on certificate_authority (kind) where retired_at is null;

-- Issuing authorities that were requested from a root that is kept offline, and whose certificates have not been imported yet.
create table issuing_authority_request (
  id text primary key,
  public_key_der bytea not null unique,
  wrapped_key bytea not null,
  created_at timestamptz not null
);

create table certificate (
  id text primary key,
  client_number int not null references client,
  slot smallint check (slot in (1, 2)),
  source text not null check (source in ('csr', 'p12', 'est')),
  status text not null check (status in ('pending', 'issued', 'failed', 'revoked')),
  csr_der bytea,
  public_key_der bytea,
  key_type text not null,
  -- The file of the key, which the page names in its commands.
  key_name text not null default 'client',
  -- With which certificate a renewal was requested.
  renews text references certificate (id),
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
  -- Since when a revocation list has named it.
  crl_published_at timestamptz,
  unique (issuer_id, serial),
  unique (client_number, slot),
  check (status <> 'issued' or (fingerprint_sha256 is not null and usable_until is not null and serial is not null and pem is not null)),
  check ((status = 'revoked') = (revoked_at is not null))
);
-- A key stays free only if issuing failed.
create unique index certificate_certified_key on certificate (sha256(public_key_der)) where status <> 'failed';
-- The pages of a client's certificates: those that occupy a slot first, then the newest first.
create index certificate_client on certificate (client_number, (slot is not null) desc, requested_at desc, id desc);
create index certificate_expiry on certificate (usable_until) where status = 'issued';
create index certificate_renews on certificate (renews) where renews is not null;
create index certificate_serial on certificate (serial);
-- What a revocation list names: what no list has named yet, and what had not ended at the list before. What the list says of a certificate
-- is in the index, because rows of certificates are wide and lie far apart.
create index certificate_unpublished on certificate (issuer_id) where status = 'revoked' and serial is not null and crl_published_at is null;
create index certificate_revoked on certificate (issuer_id, not_after) include (serial, revoked_at, revocation_reason)
  where status = 'revoked' and crl_published_at is not null;
-- The administrators' list. Each range, for one status, source and authority, is in the order of the list; a page merges the ranges that its
-- filters name. Expressions stand where a column would do, because only then does every list have exactly one index that fits: PostgreSQL
-- takes statuses, sources and authorities for independent of time, and would otherwise filter the rows of another index, among which there
-- may be none for long stretches.
create index certificate_listed on certificate (status, source, coalesce(issuer_id, ''), requested_at desc, id desc);
create index certificate_listed_end on certificate (source, coalesce(issuer_id, ''), coalesce(usable_until, 'infinity'), id) where status = 'issued';

-- When a certificate was last used. The rows are narrow and apart from the certificates, because they are written every second, whereas a
-- certificate's row is wide, is read by admission and has many indexes.
create table certificate_activity (
  certificate_id text primary key references certificate (id),
  last_used_at timestamptz not null check (isfinite(last_used_at))
) with (fillfactor = 40);

-- A certificate's key in a package that is sealed to a claim token. Only one that is ready has bytes.
create table p12_package (
  certificate_id text primary key references certificate (id),
  status text not null default 'making' check (status in ('making', 'ready', 'claimed', 'expired', 'blocked', 'failed', 'revoked')),
  recipient_key bytea not null,
  claim_token_hmac bytea not null,
  sealed bytea,
  ready_at timestamptz,
  claim_until timestamptz,
  failed_attempts int not null default 0,
  ended_at timestamptz,
  check ((status = 'ready') = (sealed is not null)),
  check ((ready_at is null) = (claim_until is null)),
  check (status not in ('ready', 'claimed', 'expired', 'blocked') or ready_at is not null),
  check ((status in ('making', 'ready')) = (ended_at is null))
);
create index p12_package_waiting on p12_package (claim_until) where status = 'ready';
-- Packages that no worker finishes are looked for.
create index p12_package_making on p12_package (certificate_id) where status = 'making';

-- The current revocation list of each authority. Its number stands with it, because `certificate_authority.crl_number` may be raised before
-- there is a next list.
create table certificate_revocation_list (
  authority_id text primary key references certificate_authority (id),
  number bigint,
  der bytea not null,
  etag text not null,
  this_update timestamptz not null,
  next_update timestamptz not null check (next_update > this_update),
  revoked int not null check (revoked >= 0)
);
-- Serials are random, so trying to compress them would only cost time.
alter table certificate_revocation_list alter column der set storage external;

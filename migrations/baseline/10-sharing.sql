-- What users share: tracked resources with their history, connections and shares, each client's feed, link codes, revocations, statistics.

-- The counter of a client's feed. Whatever changes what the client may see takes the next positions under this row's lock.
create table client_feed (
  client_number int primary key references client,
  head bigint not null default 0,
  epoch int not null default 0,
  -- When the epoch last rose, because every reported revision rose at that time.
  epoch_at timestamptz
) with (fillfactor = 50);

-- No index contains what changes, so nearly all updates are HOT as long as the page has room for one more version, which is what the
-- fillfactor leaves. Vacuum takes care of the rest before the table grows by more than a twentieth.
create table tracked_resource (
  id bigint generated always as identity primary key,
  environment text not null check (environment in ('sandbox', 'production')),
  type text not null check (type in ('order', 'vehicle')),
  source_key bytea not null,
  source_version bigint not null,
  user_ref bytea,
  -- The sandbox client that it was generated for.
  synthetic_for int references client,
  core text not null,
  shipping text,
  last_sequence bigint not null default 0,
  history_complete boolean not null,
  -- A withdrawn resource loses its history, which therefore stays incomplete if the resource comes back.
  history_forgotten boolean not null default false,
  withdrawn_at timestamptz,
  unique (environment, type, source_key),
  check (octet_length(core) + coalesce(octet_length(shipping), 0) <= 16000),
  constraint tracked_resource_shipping check (type = 'order' or shipping is null)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
create index tracked_resource_synthetic on tracked_resource (synthetic_for) where synthetic_for is not null;
create index tracked_resource_user on tracked_resource (environment, user_ref) where user_ref is not null;

create table tracked_change (
  tracked_resource_id bigint not null references tracked_resource on delete cascade,
  sequence bigint not null,
  section text not null check (section in ('core', 'shipping')),
  occurred_at timestamptz not null,
  changes text not null,
  primary key (tracked_resource_id, sequence),
  -- Changes that need another scope are kept apart from those that need the order's own.
  constraint tracked_change_core check (section <> 'core' or strpos(changes, '"path":"shipping') = 0)
);

create table revocation (
  client_number int not null references client,
  id text not null,
  subject_type text not null check (subject_type in ('resource', 'connection')),
  subject_id text not null,
  connection_id text not null,
  revoked_at timestamptz not null,
  deletion_deadline_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_late boolean not null default false,
  -- Its deletion was recorded by the owner in the portal.
  recorded_by_hand boolean not null default false,
  warned_at timestamptz,
  enforced_at timestamptz,
  -- It came with the test data; nobody made it.
  fixture boolean not null default false,
  primary key (client_number, id)
);
create index revocation_outstanding on revocation (client_number, deletion_deadline_at) where acknowledged_at is null;
create index revocation_newest on revocation (client_number, revoked_at desc, id desc) where acknowledged_at is null;
create index revocation_deadline on revocation (deletion_deadline_at) where acknowledged_at is null;
create index revocation_acknowledged on revocation (client_number, revoked_at desc, id desc) where acknowledged_at is not null;
create index revocation_acknowledged_deadline on revocation (client_number, deletion_deadline_at, id) where acknowledged_at is not null;

-- An acknowledgement stays, whichever process would have it otherwise: a deadline that is met must not be missed after all.
create function refuse_taking_back() returns trigger language plpgsql as $$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then
    return new;
  end if;
  raise exception 'an acknowledgement is not taken back' using errcode = '42501';
end
$$;
create trigger revocation_stays_acknowledged before update of acknowledged_at on revocation for each row
  when (old.acknowledged_at is not null and new.acknowledged_at is distinct from old.acknowledged_at) execute function refuse_taking_back();

create table connection (
  client_number int not null references client,
  id text not null,
  user_ref bytea not null,
  profile_version int not null,
  scopes text[] not null,
  statistics_opted_in boolean not null,
  created_at timestamptz not null,
  revocation_id text,
  position bigint,
  primary key (client_number, id),
  check ((revocation_id is null) = (position is null)),
  foreign key (client_number, revocation_id) references revocation
);
create unique index connection_tombstone on connection (client_number, position) where position is not null;
-- For the tooling, which names a connection alone. Its number of 128 random bits makes it unique, not an index of all clients' connections.
create index connection_public_id on connection using hash (id);
create index connection_created on connection (client_number, created_at desc, id desc);
create index connection_user on connection (user_ref);
-- Deleting a revocation looks up its connection.
create index connection_revocation on connection (client_number, revocation_id) where revocation_id is not null;

-- Every change moves a share to another position, which an index contains, so no update of a share is HOT: each writes all its indexes again.
-- The free fifth of each page takes the new versions. By default, vacuum would make room again when a fifth of all shares have changed, which
-- is when that fifth is used up and the table has begun to grow; with this, it comes after a fiftieth.
create table shared_resource (
  client_number int not null references client,
  id text not null,
  connection_id text not null,
  tracked_resource_id bigint references tracked_resource on delete set null,
  type text not null check (type in ('order', 'vehicle')),
  consented smallint not null,
  revision bigint not null default 1,
  position bigint not null,
  updated_at timestamptz not null,
  revocation_id text,
  primary key (client_number, id),
  foreign key (client_number, connection_id) references connection,
  foreign key (client_number, revocation_id) references revocation
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create unique index shared_resource_feed on shared_resource (client_number, position);
create unique index shared_resource_live on shared_resource (client_number, connection_id, tracked_resource_id) where revocation_id is null;
-- Includes revoked shares, because deleting a tracked resource looks up all of them.
create index shared_resource_fan_out on shared_resource (tracked_resource_id);
create index shared_resource_revoked on shared_resource (client_number, revocation_id) where revocation_id is not null;

create table link_code (
  id text primary key,
  environment text not null check (environment in ('sandbox', 'production')),
  client_number int not null references client,
  code_hmac bytea not null,
  user_ref bytea not null,
  profile_version int not null,
  scopes text[] not null,
  statistics_opted_in boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  cancelled_at timestamptz,
  failed_attempts smallint not null default 0,
  connection_id text,
  unique (environment, code_hmac)
);
create index link_code_client on link_code (client_number, created_at desc, id desc);
create index link_code_user on link_code (environment, user_ref);
create index link_code_expiry on link_code (expires_at);

create table link_code_resource (
  link_code_id text not null references link_code on delete cascade,
  tracked_resource_id bigint not null references tracked_resource on delete cascade,
  primary key (link_code_id, tracked_resource_id)
);
create index link_code_resource_tracked on link_code_resource (tracked_resource_id);

-- Idempotency keys of acknowledgements.
create table acknowledgement_key (
  client_number int not null references client,
  key text not null,
  revocation_id text not null,
  created_at timestamptz not null,
  primary key (client_number, key)
);
create index acknowledgement_key_age on acknowledgement_key (created_at);

create table statistics_generation (
  client_number int not null references client,
  id text not null,
  published_at timestamptz not null,
  period_from date not null,
  period_to date not null,
  minimum_group_size int not null,
  groups text not null,
  -- For each group the values on which the shown figures rest, and those of the latest publication.
  basis text not null,
  primary key (client_number, id)
);
create index statistics_generation_latest on statistics_generation (client_number, published_at desc);

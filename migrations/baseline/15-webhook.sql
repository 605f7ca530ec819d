-- Webhooks: endpoints with their challenges, events, deliveries with their attempts, replays, trials, and the keys that sign.

create table webhook_endpoint (
  number int generated always as identity primary key,
  id text not null unique,
  integration_id text not null references integration,
  -- Tells the environment.
  client_number int not null references client,
  url text not null,
  payload_mode text not null check (payload_mode in ('notification', 'full_payload')),
  event_types text[] not null,
  description text not null,
  status text not null check (status in ('registered', 'active', 'paused', 'removed')),
  status_changed_at timestamptz not null,
  slot smallint,
  created_at timestamptz not null,
  created_by text not null references operator,
  -- Of the present URL. From the first proof on, events are stored for the endpoint.
  proven_at timestamptz,
  first_proven_at timestamptz,
  paused_by text check (paused_by in ('owner', 'administrator')),
  pause_reason text,
  removed_at timestamptz,
  failures_in_row smallint not null default 0,
  failing_since timestamptz,
  last_success_at timestamptz,
  dead_letters_told_at timestamptz,
  unique (integration_id, slot),
  constraint webhook_endpoint_slot_check check (slot between 1 and 3),
  check ((status = 'removed') = (slot is null)),
  check ((status = 'removed') = (removed_at is not null)),
  check (status <> 'paused' or paused_by is not null),
  check (status not in ('active', 'paused') or (proven_at is not null and first_proven_at is not null)),
  check (cardinality(event_types) > 0)
) with (fillfactor = 70);
create index webhook_endpoint_list on webhook_endpoint (integration_id, number);
create index webhook_endpoint_url on webhook_endpoint using hash (url);
create index webhook_endpoint_client on webhook_endpoint (client_number) where status <> 'removed';
create index webhook_endpoint_removed on webhook_endpoint (removed_at) where removed_at is not null;
-- The lists for administrators: those that fail, and those that administrators have paused.
create index webhook_endpoint_failing on webhook_endpoint (failing_since, number) where failing_since is not null and status = 'active';
create index webhook_endpoint_paused on webhook_endpoint (status_changed_at, number) where status = 'paused' and paused_by = 'administrator';

-- Challenges by which an owner proves an endpoint, each with its steps.
create table webhook_challenge (
  id text primary key,
  endpoint_number int not null,
  -- A change of the endpoint's URL makes the challenge void.
  url text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  requested_at timestamptz not null,
  requested_by text not null references operator,
  -- When a worker first came to it.
  begun_at timestamptz,
  finished_at timestamptz,
  failure text,
  steps jsonb not null default '[]',
  check ((status = 'pending') = (finished_at is null)),
  check ((status = 'failed') = (failure is not null))
);
create index webhook_challenge_latest on webhook_challenge (endpoint_number, requested_at desc, id desc);
create index webhook_challenge_requested_at on webhook_challenge (requested_at);

create table webhook_event (
  id text primary key,
  client_number int not null references client,
  type text not null check (type in ('connection.created', 'resource.granted', 'resource.updated', 'resource.revoked', 'connection.revoked',
    'statistics.updated', 'integration.suspended')),
  occurred_at timestamptz not null,
  expires_at timestamptz not null,
  connection_id text,
  resource_id text,
  resource_type text check (resource_type in ('order', 'vehicle')),
  revocation_id text,
  generation_id text,
  test boolean not null default false
);
create index webhook_event_subject on webhook_event (client_number, connection_id, resource_id);
create index webhook_event_resource on webhook_event (resource_id, occurred_at, id) where resource_id is not null;
create index webhook_event_age on webhook_event (occurred_at);

-- There are no foreign keys: rows arrive by the thousand, and nothing that they refer to is deleted before them.
create table webhook_delivery (
  number bigint generated always as identity primary key,
  id text not null unique,
  endpoint_number int not null,
  event_id text not null,
  -- The event's, so that one index serves every filter of the list, and nobody is alarmed by what its owner tries out.
  type text not null,
  test boolean not null default false,
  state text not null default 'pending' check (state in ('pending', 'held', 'delivered', 'dead', 'discarded')),
  reason text,
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  -- The receiver itself has asked for this wait, by Retry-After.
  wait_asked boolean not null default false,
  window_ends_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- Both only of what is discarded when access to its resource ends.
  connection_id text,
  resource_id text,
  replay_of text,
  -- Since when a later delivery of the same event stands for this one.
  replayed_at timestamptz,
  -- A replay of what had been delivered.
  delivered_before boolean not null default false
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_delivery_due on webhook_delivery (endpoint_number, next_attempt_at, number) where state = 'pending';
create index webhook_delivery_held on webhook_delivery (endpoint_number, reason, number) where state = 'held';
create index webhook_delivery_window on webhook_delivery (window_ends_at) where state in ('pending', 'held');
create index webhook_delivery_subject on webhook_delivery (connection_id, resource_id) where state in ('pending', 'held') and connection_id is not null;
-- Deliveries are forgotten in the order of their numbers, so no index on a time is needed for it.
create index webhook_delivery_list on webhook_delivery (endpoint_number, state, type, created_at, number);
-- Few rows ever enter the next three.
create index webhook_delivery_undelivered on webhook_delivery (endpoint_number, state, type, created_at, number)
  where state in ('dead', 'discarded') and replayed_at is null and not delivered_before;
create index webhook_delivery_dead on webhook_delivery (endpoint_number, finished_at) where state = 'dead' and replayed_at is null;
create index webhook_delivery_replay on webhook_delivery (event_id, endpoint_number) where replay_of is not null;
-- The smallest that finds the deliveries of an event; it has to be written for every delivery.
create index webhook_delivery_event on webhook_delivery using hash (event_id);

create table webhook_attempt (
  delivery_number bigint not null,
  number smallint not null,
  endpoint_number int not null,
  started_at timestamptz not null,
  dns_us int,
  connect_us int,
  tls_us int,
  first_byte_us int,
  total_us int not null,
  address inet,
  status smallint,
  error text,
  response text,
  key_id text,
  -- What was sent, as far as it is kept: where to, in which mode, which revision a snapshot had, and the body's SHA-256 in base64.
  url text,
  payload_mode text check (payload_mode in ('notification', 'full_payload')),
  revision bigint,
  body_sha256 text,
  primary key (delivery_number, number)
);
create index webhook_attempt_age on webhook_attempt (started_at);

create table webhook_attempt_hour (
  endpoint_number int not null,
  hour timestamptz not null,
  outcome text not null check (outcome in ('delivered', 'retried', 'dead')),
  count int not null,
  durations int[] not null,
  primary key (endpoint_number, hour, outcome)
) with (fillfactor = 70);
create index webhook_attempt_hour_age on webhook_attempt_hour (hour);

create table webhook_replay (
  id text primary key,
  endpoint_number int not null references webhook_endpoint on delete cascade,
  -- What is still to be replayed, by number: exactly what was counted.
  deliveries bigint[] not null,
  count int not null check (count > 0),
  replayed int not null default 0,
  ordered_at timestamptz not null,
  finished_at timestamptz
);
create index webhook_replay_latest on webhook_replay (endpoint_number, ordered_at, id);
create index webhook_replay_age on webhook_replay (ordered_at);

-- The last check of each endpoint's receiver.
create table webhook_receiver_check (
  endpoint_number int primary key references webhook_endpoint on delete cascade,
  id text not null unique,
  requested_by text not null references operator,
  requested_at timestamptz not null,
  -- When a worker first came to it.
  begun_at timestamptz,
  finished_at timestamptz,
  failure text,
  -- What was found the last time: for this address, and at this moment.
  url text,
  probed_at timestamptz,
  probes jsonb not null default '[]'
);

-- Signed samples, until a worker has made them and their reader has them.
create table webhook_sample (
  id text primary key,
  endpoint_number int not null references webhook_endpoint on delete cascade,
  type text not null,
  url text not null,
  requested_by text not null references operator,
  requested_at timestamptz not null,
  -- What the event refers to.
  event jsonb not null,
  headers jsonb,
  body text
);
create index webhook_sample_age on webhook_sample (requested_at);

-- One that signs, one that is published and waits for its turn, and former ones, whose private part is gone.
create table webhook_signing_key (
  id text primary key,
  public_key text not null,
  wrapped_key bytea,
  published_at timestamptz not null,
  signs_from timestamptz,
  retired_at timestamptz,
  constraint webhook_signing_key_turns_check check (retired_at is null or signs_from is not null),
  constraint webhook_signing_key_private_check check ((wrapped_key is null) = (retired_at is not null))
);
create unique index webhook_signing_key_current on webhook_signing_key ((1)) where signs_from is not null and retired_at is null;
create unique index webhook_signing_key_next on webhook_signing_key ((1)) where signs_from is null;
create index webhook_signing_key_retired on webhook_signing_key (retired_at);

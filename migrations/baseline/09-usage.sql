-- Counters, times of last use and the request log of /v1, and what has been observed of sandbox clients for their reviews.

create table usage_counter (
  client_number int not null references client,
  hour timestamptz not null check (isfinite(hour)),
  route text not null,
  status smallint not null,
  count int not null check (count > 0),
  primary key (client_number, hour, route, status)
) with (fillfactor = 60);
create index usage_counter_hour on usage_counter (hour);

create table client_activity (
  client_number int primary key references client,
  last_request_at timestamptz check (isfinite(last_request_at)),
  last_sync_at timestamptz check (isfinite(last_sync_at))
) with (fillfactor = 40);

-- A day of lines is a partition (18-partitions), so that a day goes at once. A line always has a place: without a partition of its day it goes to
-- the default one. There is no foreign key: rows arrive by the hundred, and clients are never removed.
create table request_log (
  client_number int not null,
  occurred_at timestamptz not null check (isfinite(occurred_at)),
  request_id text not null,
  method text not null,
  route text not null,
  status smallint not null,
  problem_code text,
  certificate_id text,
  serial text,
  -- NaN is more than infinity.
  duration_ms real not null check (duration_ms >= 0 and duration_ms < 'infinity'),
  -- A line that is written again has the same time. Administrators find a request by its identifier alone, no matter who sent it.
  primary key (request_id, client_number, occurred_at)
) partition by range (occurred_at);
create table request_log_default partition of request_log default;
create index request_log_class on request_log (client_number, (status / 100), occurred_at desc, request_id desc);
-- The class is written in another way than in request_log_class, so that statements name their index. Either gives the order of a page, and
-- without the values PostgreSQL cannot tell that by the class alone it may read all that a client has asked for.
create index request_log_route on request_log (client_number, route, (status / 100::smallint), occurred_at desc, request_id desc);
-- Of the few that were refused or failed.
create index request_log_problem on request_log (client_number, problem_code, occurred_at desc, request_id desc) where problem_code is not null;
create index request_log_default_age on request_log_default (occurred_at);

-- What a sandbox client has been observed to do: one row with a count for each kind.
create table review_evidence (
  client_number int not null references client,
  kind text not null,
  first_at timestamptz not null check (isfinite(first_at)),
  last_at timestamptz not null check (isfinite(last_at)),
  count bigint not null,
  primary key (client_number, kind)
) with (fillfactor = 60);

-- The state that the next requests of a sandbox client are compared with, as of the last batch.
create table client_observation (
  client_number int primary key references client,
  state json not null
) with (fillfactor = 60);

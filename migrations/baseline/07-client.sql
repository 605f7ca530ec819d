-- The two clients of each integration, their quotas, and the functions of admission, which decides in one statement who may call now.

create table client (
  number int generated always as identity primary key,
  id text not null unique,
  integration_id text not null references integration,
  environment text not null check (environment in ('sandbox', 'production')),
  scopes text[] not null,
  -- Whether its certificates may be renewed by EST; their owner decides.
  renewal_by_est boolean not null default false,
  -- Its overrides that have not been withdrawn, for admission, which reads this row anyway: the value of each quota and when it ends, in the
  -- order of `copy_overrides`, which keeps both. Null without any.
  override_values int[],
  override_ends timestamptz[],
  created_at timestamptz not null,
  unique (integration_id, environment)
);

-- What a client has used of each of its limits, and its leases, each named by the moment at which it ends by itself.
-- Admission updates the row with every request, so its pages keep room for the next versions of it.
create table client_quota (
  client_number int primary key references client,
  hour_start timestamptz not null default '-infinity',
  hour_count int not null default 0,
  minute_start timestamptz not null default '-infinity',
  minute_count int not null default 0,
  statistics_start timestamptz not null default '-infinity',
  statistics_count int not null default 0,
  redeem_start timestamptz not null default '-infinity',
  redeem_count int not null default 0,
  est_start timestamptz not null default '-infinity',
  est_count int not null default 0,
  leases timestamptz[] not null default '{}'
) with (fillfactor = 40);

-- How often each source address has tried to redeem a link code.
create table redeem_source (
  source text primary key,
  window_start timestamptz not null,
  count int not null
) with (fillfactor = 40);
create index redeem_source_window on redeem_source (window_start);

create table quota_override (
  id bigint generated always as identity primary key,
  client_number int not null references client,
  quota text not null check (quota in ('requests_per_hour', 'requests_per_minute', 'concurrent_requests', 'statistics_requests_per_hour',
    'link_code_redemptions_per_hour', 'link_code_redemptions_per_ip_per_15_minutes', 'est_requests_per_hour', 'polling_interval_seconds')),
  value int not null check (value > 0),
  reason text not null,
  created_at timestamptz not null,
  created_by text references operator,
  expires_at timestamptz,
  withdrawn_at timestamptz
);
create unique index quota_override_current on quota_override (client_number, quota) where withdrawn_at is null;

-- A quota keeps its place in the order for ever (`quota_order`, server/domain/client/quotaOrder.function.ts); a new one comes last.
create function copy_overrides() returns trigger language plpgsql as $copy$
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
$copy$;
create trigger quota_override_copied after insert or update or delete on quota_override for each row execute function copy_overrides();

-- The leases that are still held. A function, because a subquery in its place makes the statement of admission slower (docs/performance.md).
create function live_leases(p_leases timestamptz[], p_finished timestamptz[], p_now timestamptz) returns timestamptz[] language plpgsql immutable as $live$
begin
  return array(select l from unnest(p_leases) l where l > p_now and l <> all (p_finished));
end
$live$;

-- Counts an attempt of a redemption's source address.
create function take_from_redeem_source(p_source text, p_now timestamptz, p_window_floor timestamptz, p_limit int,
  out source_start timestamptz, out source_count int) language plpgsql volatile as $take$
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
$take$;

-- Undoes what a statement of admission has taken, as if it had been cancelled, where it comes so late that its request has been refused meanwhile:
-- a server that had stalled does what was sent to it all the same.
create function refuse_late(p_deadline timestamptz) returns void language plpgsql volatile as $$
begin
  if clock_timestamp() >= p_deadline then
    raise exception 'the request has been refused meanwhile' using errcode = 'query_canceled';
  end if;
end
$$;

-- Releases leases of many clients at once; their rows are written in one order, so that two processes never wait for each other in a circle.
create function release_leases_v2(p_client_numbers int[], p_finished timestamptz[]) returns void language plpgsql volatile as $release$
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
$release$;

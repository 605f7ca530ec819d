import { Migration } from '@mikro-orm/migrations';

/**
 * Admission in one round trip. The first pass reads without a lock, so that a refusal writes nothing. The second pass decides again under
 * the lock of the quota row and draws on all limits or on none. A new version is a new function (`admit_v2`), so that processes of two
 * releases can run side by side. Call it in a transaction of its own, because it makes that transaction's commit asynchronous.
 */
export class Migration20261121090300_admitV1 extends Migration {
  override up(): void {
    this.addSql(`
      create type admission_v1 as (
        verdict text, client_no int, client_id text, integration_id text, environment text, integration_status text, profile_version int,
        scopes text[], production_data_enabled boolean, certificate_id text, certificate_usable_until timestamptz, head bigint, epoch int,
        requests_per_hour int, requests_per_minute int, concurrent_requests int, statistics_per_hour int, redeem_per_hour int, redeem_per_source int,
        minute_left int, minute_reset int, class_left int, class_reset int, source_left int, source_reset int,
        retry_after int, violated text[], lease timestamptz, overrides json
      );

      create function admit_v1(p_fingerprint text, p_serial text, p_common_name text, p_class text, p_source text, p_now timestamptz, p_finished timestamptz[])
      returns admission_v1 language plpgsql volatile as $admit$
      declare
        a admission_v1;
        c record;
        q client_quota;
        s redeem_source;
        minute_used int;
        class_used int;
        source_used int := 0;
        class_limit int;
        live timestamptz[];
        locked boolean := false;
      begin
        perform set_config('synchronous_commit', 'off', true);
        if p_class not in ('pull', 'statistics', 'redeem') or p_class is null or p_finished is null or p_now is null then
          raise exception 'admit_v1: invalid argument';
        end if;

        select x.id as certificate_id, x.serial, x.status, x.usable_until, x.revoked_at, k.no, k.id as client_id, k.environment, k.scopes,
               i.id as integration_id, i.status as integration_status, i.profile_version, i.reviewed_profile_version,
               i.production_gate_open and g.production_data_enabled as gate, f.head, f.epoch
          into c
          from certificate x join client k on k.no = x.client_no join integration i on i.id = k.integration_id
          join client_feed f on f.client_no = k.no cross join service_gate g
         where x.fingerprint_sha256 = p_fingerprint;

        if not found or c.serial is distinct from p_serial or p_common_name is distinct from 'svc:' || c.environment || ':' || c.client_id
           or c.status not in ('issued', 'revoked') then
          a.verdict := 'client_certificate_unknown';
          return a;
        end if;

        a.client_no := c.no;
        a.client_id := c.client_id;
        a.integration_id := c.integration_id;
        a.environment := c.environment;
        a.integration_status := c.integration_status;
        a.profile_version := case c.environment when 'production' then c.reviewed_profile_version else c.profile_version end;
        a.scopes := c.scopes;
        a.production_data_enabled := c.gate;
        a.certificate_id := c.certificate_id;
        a.certificate_usable_until := c.usable_until;
        a.head := c.head;
        a.epoch := c.epoch;

        select coalesce(max(value) filter (where quota = 'requests_per_hour'), 600),
               coalesce(max(value) filter (where quota = 'requests_per_minute'), 20),
               coalesce(max(value) filter (where quota = 'concurrent_requests'), 4),
               coalesce(max(value) filter (where quota = 'statistics_requests_per_hour'), 120),
               coalesce(max(value) filter (where quota = 'link_code_redemptions_per_hour'), 60),
               coalesce(max(value) filter (where quota = 'link_code_redemptions_per_ip_per_15_minutes'), 10),
               coalesce(json_agg(json_strip_nulls(json_build_object('quota', quota, 'value', value,
                 'expires_at', to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) order by quota), '[]')
          into a.requests_per_hour, a.requests_per_minute, a.concurrent_requests, a.statistics_per_hour, a.redeem_per_hour, a.redeem_per_source, a.overrides
          from quota_override
         where client_no = c.no and withdrawn_at is null and (expires_at is null or expires_at > p_now);
        class_limit := case p_class when 'statistics' then a.statistics_per_hour when 'redeem' then a.redeem_per_hour else a.requests_per_hour end;

        -- Without a row there would be nothing to count in: that is a fault, never an admission.
        select * into strict q from client_quota where client_no = c.no;
        if p_class = 'redeem' then
          select * into s from redeem_source where source = p_source;
        end if;

        loop
          minute_used := case when q.minute_start > p_now - interval '1 minute' then q.minute_count else 0 end;
          class_used := case p_class
            when 'statistics' then case when q.statistics_start > p_now - interval '1 hour' then q.statistics_count else 0 end
            when 'redeem' then case when q.redeem_start > p_now - interval '1 hour' then q.redeem_count else 0 end
            else case when q.hour_start > p_now - interval '1 hour' then q.hour_count else 0 end end;
          if p_class = 'redeem' then
            source_used := case when s.window_start > p_now - interval '15 minutes' then s.count else 0 end;
          end if;
          select coalesce(array_agg(l), '{}') into live from unnest(q.leases) l where l > p_now and l <> all (p_finished);

          a.minute_left := greatest(a.requests_per_minute - minute_used, 0);
          a.minute_reset := case when minute_used = 0 then 60 else ceil(extract(epoch from q.minute_start + interval '1 minute' - p_now))::int end;
          a.class_left := greatest(class_limit - class_used, 0);
          a.class_reset := case when class_used = 0 then 3600 else ceil(extract(epoch from
            case p_class when 'statistics' then q.statistics_start when 'redeem' then q.redeem_start else q.hour_start end + interval '1 hour' - p_now))::int end;
          a.source_left := greatest(a.redeem_per_source - source_used, 0);
          a.source_reset := case when source_used = 0 then 900 else ceil(extract(epoch from s.window_start + interval '15 minutes' - p_now))::int end;

          a.verdict := case
            when c.integration_status = 'retired' then 'integration_retired'
            when c.status = 'revoked' then 'client_certificate_revoked'
            when c.usable_until <= p_now then 'client_certificate_expired'
            when c.environment = 'production' and c.integration_status = 'suspended' then 'integration_suspended'
            when c.environment = 'production' and c.integration_status <> 'active' then 'integration_not_active' end;
          if a.verdict is not null then
            return a;
          end if;

          a.violated := array_remove(array[
            case when a.minute_left = 0 then 'minute' end,
            case when a.class_left = 0 then case p_class when 'pull' then 'hour' else p_class end end,
            case when p_class = 'redeem' and a.source_left = 0 then 'redeem-source' end], null);
          if cardinality(a.violated) > 0 then
            a.verdict := case when a.violated && array['redeem', 'redeem-source'] then 'link_code_attempts_exceeded' else 'rate_limit_exceeded' end;
            a.retry_after := greatest(
              case when a.minute_left = 0 then a.minute_reset else 1 end,
              case when a.class_left = 0 then a.class_reset else 1 end,
              case when p_class = 'redeem' and a.source_left = 0 then a.source_reset else 1 end);
            return a;
          end if;
          if cardinality(live) >= a.concurrent_requests then
            a.verdict := 'concurrency_limit_exceeded';
            a.retry_after := 1;
            a.violated := array['concurrency'];
            return a;
          end if;
          exit when locked;

          -- A refusal ends above, unwritten; from here on the decision is repeated under the locks: client first, then source.
          select * into q from client_quota where client_no = c.no for no key update;
          if p_class = 'redeem' then
            insert into redeem_source (source, window_start, count) values (p_source, p_now, 0) on conflict (source) do nothing;
            select * into s from redeem_source where source = p_source for no key update;
          end if;
          locked := true;
        end loop;

        -- A lease is named by its expiry. The random part keeps two of one millisecond apart, so that a place given back late can never
        -- be another's; callers hold the name as text, because a JavaScript Date has no microseconds.
        a.lease := p_now + interval '35 seconds' + floor(random() * 1000) * interval '1 microsecond';
        while a.lease = any (q.leases) or a.lease = any (p_finished) loop
          a.lease := a.lease + interval '1 microsecond';
        end loop;

        update client_quota set
          minute_start = case when minute_used = 0 then p_now else minute_start end, minute_count = minute_used + 1,
          hour_start = case when p_class = 'pull' and class_used = 0 then p_now else hour_start end,
          hour_count = case when p_class = 'pull' then class_used + 1 else hour_count end,
          statistics_start = case when p_class = 'statistics' and class_used = 0 then p_now else statistics_start end,
          statistics_count = case when p_class = 'statistics' then class_used + 1 else statistics_count end,
          redeem_start = case when p_class = 'redeem' and class_used = 0 then p_now else redeem_start end,
          redeem_count = case when p_class = 'redeem' then class_used + 1 else redeem_count end,
          leases = live || a.lease
        where client_no = c.no;
        if p_class = 'redeem' then
          update redeem_source set window_start = case when source_used = 0 then p_now else window_start end, count = source_used + 1 where source = p_source;
          a.source_left := a.source_left - 1;
        end if;

        a.verdict := 'admitted';
        a.minute_left := a.minute_left - 1;
        a.class_left := a.class_left - 1;
        return a;
      end
      $admit$;

      create function release_leases_v1(p_client_no int, p_finished timestamptz[]) returns void language plpgsql volatile as $release$
      begin
        perform set_config('synchronous_commit', 'off', true);
        update client_quota set leases = array(select l from unnest(leases) l where l <> all (p_finished)) where client_no = p_client_no;
      end
      $release$;
    `);
  }
}

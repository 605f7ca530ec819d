import { Migration } from '@mikro-orm/migrations';

/**
 * Admission in one round trip. It first reads everything in one statement without a lock, so that a refusal writes nothing. Then, under the
 * lock of the quota row, it draws on all limits or on none; it decides again only if the row has changed in between. The caller passes
 * the baselines and computes from the result what is left in the windows; overrides come from the table. Call it in a transaction of its
 * own, because it makes that transaction's commit asynchronous. `admit_v1` stays for processes of the previous release.
 */
export class Migration20261121160000_admitV2 extends Migration {
  override up(): void {
    this.addSql(`
      create function admit_v2(p_fingerprint text, p_serial text, p_common_name text, p_class text, p_source text, p_now timestamptz, p_finished timestamptz[],
        p_minute_limit int, p_class_limit int, p_concurrency_limit int, p_source_limit int,
        out verdict text, out client_no int, out client_id text, out integration_id text, out environment text, out integration_status text,
        out profile_version int, out scopes text[], out production_data_enabled boolean, out certificate_id text, out certificate_usable_until timestamptz,
        out head bigint, out epoch int, out overrides text,
        out minute_used int, out minute_reset int, out class_used int, out class_reset int, out source_used int, out source_reset int, out lease timestamptz)
      language plpgsql volatile as $admit$
      #variable_conflict use_column
      declare
        status text;
        version xid;
        locked_version xid;
        held timestamptz[];
        live timestamptz[];
        minute_limit int;
        class_limit int;
        concurrency_limit int;
        source_limit int;
        asynchronous text := set_config('synchronous_commit', 'off', true);
        locked boolean := false;
      begin
        if p_class not in ('pull', 'statistics', 'redeem') or p_class is null or p_finished is null or p_now is null
          or p_minute_limit is null or p_class_limit is null or p_concurrency_limit is null or p_source_limit is null then
          raise exception 'admit_v2: invalid argument';
        end if;
        source_used := 0;
        source_reset := 900;

        loop
          select k.no, k.id, i.id, k.environment, i.status, case k.environment when 'production' then i.reviewed_profile_version else i.profile_version end,
                 k.scopes, i.production_gate_open and g.production_data_enabled, x.id, x.usable_until, f.head, f.epoch, x.status,
                 o.overrides, coalesce(o.minute, p_minute_limit), coalesce(o.class, p_class_limit), coalesce(o.concurrency, p_concurrency_limit), coalesce(o.source, p_source_limit),
                 q.xmin, q.leases, case when q.leases = '{}' then q.leases else array(select l from unnest(q.leases) l where l > p_now and l <> all (p_finished)) end,
                 w.minute_used, case w.minute_used when 0 then 60 else ceil(date_part('epoch', q.minute_start + interval '1 minute' - p_now))::int end,
                 w.class_used, case w.class_used when 0 then 3600 else ceil(date_part('epoch', w.class_start + interval '1 hour' - p_now))::int end
            into client_no, client_id, integration_id, environment, integration_status, profile_version,
                 scopes, production_data_enabled, certificate_id, certificate_usable_until, head, epoch, status,
                 overrides, minute_limit, class_limit, concurrency_limit, source_limit,
                 version, held, live, minute_used, minute_reset, class_used, class_reset
            from certificate x join client k on k.no = x.client_no join integration i on i.id = k.integration_id join client_feed f on f.client_no = k.no
            left join client_quota q on q.client_no = k.no cross join service_gate g
            cross join lateral (select
              case when q.minute_start > p_now - interval '1 minute' then q.minute_count else 0 end as minute_used,
              case p_class when 'pull' then q.hour_start when 'statistics' then q.statistics_start else q.redeem_start end as class_start,
              case p_class
                when 'pull' then case when q.hour_start > p_now - interval '1 hour' then q.hour_count else 0 end
                when 'statistics' then case when q.statistics_start > p_now - interval '1 hour' then q.statistics_count else 0 end
                else case when q.redeem_start > p_now - interval '1 hour' then q.redeem_count else 0 end end as class_used) w
            cross join lateral (select
              max(value) filter (where quota = 'requests_per_minute') as minute,
              max(value) filter (where quota = case p_class when 'pull' then 'requests_per_hour' when 'statistics' then 'statistics_requests_per_hour' else 'link_code_redemptions_per_hour' end) as class,
              max(value) filter (where quota = 'concurrent_requests') as concurrency,
              max(value) filter (where quota = 'link_code_redemptions_per_ip_per_15_minutes') as source,
              string_agg(concat_ws(' ', quota, value, expires_at), ',') as overrides
                from quota_override where client_no = k.no and withdrawn_at is null and (expires_at is null or expires_at > p_now)) o
           where x.fingerprint_sha256 = p_fingerprint and x.serial = p_serial and x.status in ('issued', 'revoked')
             and p_common_name = 'svc:' || k.environment || ':' || k.id;

          if client_no is null then
            verdict := 'client_certificate_unknown';
            return;
          end if;
          -- Without a row there would be nothing to count in: that is a fault, never an admission.
          if version is null then
            raise exception 'admit_v2: client % has no quota row', client_no;
          end if;
          if p_class = 'redeem' then
            select s.count, ceil(date_part('epoch', s.window_start + interval '15 minutes' - p_now))::int into source_used, source_reset
              from redeem_source s where s.source = p_source and s.window_start > p_now - interval '15 minutes' and s.count > 0;
            source_used := coalesce(source_used, 0);
            source_reset := coalesce(source_reset, 900);
          end if;

          verdict := case
            when integration_status = 'retired' then 'integration_retired'
            when status = 'revoked' then 'client_certificate_revoked'
            when certificate_usable_until <= p_now then 'client_certificate_expired'
            when environment = 'production' and integration_status = 'suspended' then 'integration_suspended'
            when environment = 'production' and integration_status <> 'active' then 'integration_not_active'
            when p_class = 'redeem' and (class_used >= class_limit or source_used >= source_limit) then 'link_code_attempts_exceeded'
            when minute_used >= minute_limit or class_used >= class_limit then 'rate_limit_exceeded'
            when cardinality(live) >= concurrency_limit then 'concurrency_limit_exceeded'
            else 'admitted' end;
          if verdict <> 'admitted' then
            return;
          end if;

          -- A refusal ends above, unwritten; what is taken is decided under the locks, client first, then source.
          exit when locked;
          select q.xmin into locked_version from client_quota q where q.client_no = admit_v2.client_no for no key update;
          locked := true;
          exit when p_class <> 'redeem' and locked_version is not distinct from version;
          if p_class = 'redeem' then
            insert into redeem_source (source, window_start, count) values (p_source, p_now, 0) on conflict (source) do nothing;
            perform from redeem_source s where s.source = p_source for no key update;
          end if;
        end loop;

        -- A lease is named by its expiry. The random part keeps two of one millisecond apart, so that a place given back late can never
        -- be another's; callers hold the name as text, because a JavaScript Date has no microseconds.
        lease := p_now + interval '35 seconds' + floor(random() * 1000) * interval '1 microsecond';
        while lease = any (held) or lease = any (p_finished) loop
          lease := lease + interval '1 microsecond';
        end loop;
        if p_class = 'pull' then
          update client_quota q set
            minute_start = case when minute_used = 0 then p_now else q.minute_start end, minute_count = minute_used + 1,
            hour_start = case when class_used = 0 then p_now else q.hour_start end, hour_count = class_used + 1, leases = live || lease
          where q.client_no = admit_v2.client_no;
        elsif p_class = 'statistics' then
          update client_quota q set
            minute_start = case when minute_used = 0 then p_now else q.minute_start end, minute_count = minute_used + 1,
            statistics_start = case when class_used = 0 then p_now else q.statistics_start end, statistics_count = class_used + 1, leases = live || lease
          where q.client_no = admit_v2.client_no;
        else
          update client_quota q set
            minute_start = case when minute_used = 0 then p_now else q.minute_start end, minute_count = minute_used + 1,
            redeem_start = case when class_used = 0 then p_now else q.redeem_start end, redeem_count = class_used + 1, leases = live || lease
          where q.client_no = admit_v2.client_no;
        end if;

        minute_used := minute_used + 1;
        class_used := class_used + 1;
        if p_class = 'redeem' then
          update redeem_source s set window_start = case when source_used = 0 then p_now else s.window_start end, count = source_used + 1 where s.source = p_source;
          source_used := source_used + 1;
        end if;
      end
      $admit$;
    `);
  }
}

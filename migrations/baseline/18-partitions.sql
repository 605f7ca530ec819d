-- Partitions: a day of the request log goes at once, with a statement that takes milliseconds, and so does a month of the audit trail once
-- it has been exported.

-- Makes those partitions from now on that are not there yet. No lock holds anybody up for long: attaching needs the default partition, which
-- is read once at most and is empty as a rule. A day or month of which rows are in the default partition already gets none.
create function make_partitions_of(p_table text, p_unit text, p_now timestamptz, p_ahead interval, p_options text) returns void
 language plpgsql set timezone = 'UTC' set lock_timeout = '500ms' as $make$
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
$make$;

-- A moment whose partitions may be wanted: not far from the present one, whatever the caller claims.
create function near_moment(p_claimed timestamptz) returns timestamptz language sql volatile as $$
  select greatest(least(p_claimed, clock_timestamp() + interval '1 day'), clock_timestamp() - interval '8 days')
$$;

-- Enough for workers that have been off for two weeks. Rows of the log are never changed and are gone after a week, so vacuuming what was
-- inserted would be for nothing; they are still analyzed.
create function make_partitions(p_now timestamptz) returns void
 language sql security definer set search_path = public, pg_temp as $make$
  select make_partitions_of('request_log', 'day', near_moment(p_now), '14 days', 'autovacuum_vacuum_insert_threshold = -1');
  select make_partitions_of('audit_entry', 'month', near_moment(p_now), '3 months', 'autovacuum_vacuum_insert_scale_factor = 0.05');
$make$;

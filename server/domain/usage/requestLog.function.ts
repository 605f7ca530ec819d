import { interval } from '../shared/functions/sqlText.ts';
import { usageLimits } from './usageLimits.ts';

/**
 * Whether something can have been observed: while the request log is kept, since a process writes later what it could not write at once.
 * PostgreSQL puts the comparison in the place of the call.
 */
export const isRecent = `
create or replace function is_recent(p_at timestamptz) returns boolean language sql volatile as $$
  select p_at between clock_timestamp() - ${interval(usageLimits.requestLogKept)} and clock_timestamp() + interval '1 minute'
$$;`;

/**
 * Drops the days of the request log that ended before a moment, and returns their number. A drop needs the whole log for milliseconds; who
 * holds it for longer, such as a backup, makes it fail instead of everybody wait. It drops nothing that is to be kept, whatever moment it is asked for.
 */
export const dropRequestLogDays = `
create or replace function drop_request_log_days(p_until timestamptz, p_most int) returns int
 language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $drop$
declare
  v_until constant timestamptz := least(p_until, clock_timestamp() - ${interval(usageLimits.requestLogKept)});
  v_partition text;
  v_dropped int := 0;
begin
  for v_partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'request_log'::regclass and c.relname ~ '_\\d{8}$' and to_date(right(c.relname, 8), 'YYYYMMDD') + interval '1 day' <= v_until
     order by c.relname limit p_most
  loop
    execute format('drop table %I', v_partition);
    v_dropped := v_dropped + 1;
  end loop;
  return v_dropped;
end
$drop$;`;

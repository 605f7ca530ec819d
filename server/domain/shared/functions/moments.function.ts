/**
 * The moment that a process says it is now. Functions that judge for themselves by the time take it from here, because an
 * intruder in a process would otherwise say whatever time suits them. A process whose clock is further off is not ready anyway.
 */
export const presentMoment = `
create or replace function present_moment(p_claimed timestamptz) returns timestamptz language plpgsql stable as $$
begin
  if p_claimed between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute' then
    return p_claimed;
  end if;
  raise exception 'the clock of this process differs from the database''s by more than a minute' using errcode = 'OI002';
end
$$;`;

/** A moment that is over, at the latest the present one. */
export const endedMoment = `
create or replace function ended_moment(p_claimed timestamptz) returns timestamptz language sql volatile as $$
  select least(p_claimed, clock_timestamp())
$$;`;

/**
 * Applies a user's choice about statistics to all live connections with one client. The caller holds the feed. Returns those that it changes. By
 * connection_user.
 */
export const setParticipation = `
create or replace function set_participation(p_client_number int, p_user_ref bytea, p_opted_in boolean) returns setof text language plpgsql volatile as $$
begin
  return query update connection set statistics_opted_in = p_opted_in
    where client_number = p_client_number and user_ref = p_user_ref and revocation_id is null and statistics_opted_in <> p_opted_in returning id;
end
$$;`;

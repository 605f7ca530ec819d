/**
 * Takes the next positions of a client's feed under its lock: base + 1 … base + p_count. A revision is reported as the sum of the stored one and
 * the epoch, so what begins at revision 1 is stored as 1 - epoch. Returns no row if the client has no feed.
 */
export const takePositions = `
create or replace function take_positions(p_client_number int, p_count int, out base bigint, out epoch int) returns setof record language plpgsql volatile as $$
begin
  return query update client_feed f set head = f.head + p_count where f.client_number = p_client_number returning f.head - p_count, f.epoch;
end
$$;`;

import { words } from '../shared/functions/sqlText.ts';
import { countedKinds } from './evidenceKinds.ts';

/**
 * Adds to what a review is shown of sandbox clients. Nothing is ever taken away from it, and what no request can have shown is left out.
 */
export const countEvidence = `
create or replace function count_evidence(p_client_numbers integer[], p_kinds text[], p_first timestamptz[], p_last timestamptz[], p_counts bigint[])
returns void language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into review_evidence (client_number, kind, first_at, last_at, count)
  select u.client_number, u.kind, u.first_at, u.last_at, u.count
    from unnest(p_client_numbers, p_kinds, p_first, p_last, p_counts) u(client_number, kind, first_at, last_at, count)
    join client k on k.number = u.client_number and k.environment = 'sandbox'
   where u.count between 1 and 100000 and is_recent(u.first_at) and is_recent(u.last_at) and u.kind = any (${words(countedKinds)})
   order by 1, 2
  on conflict (client_number, kind) do update set first_at = least(review_evidence.first_at, excluded.first_at),
    last_at = greatest(review_evidence.last_at, excluded.last_at), count = review_evidence.count + excluded.count
$$;`;

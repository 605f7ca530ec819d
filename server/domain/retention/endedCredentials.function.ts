import { endingPurposes } from '../shared/keySet.ts';
import { word, words } from '../shared/functions/sqlText.ts';

/**
 * What lets people in until a moment, by its table: the column with that moment, and what else must hold. Keys of lookups and cursors are read for
 * ever, and so is the current key of each purpose.
 */
const endsAt = {
  used_challenge: { column: 'expires_at' },
  portal_session: { column: 'expires_at' },
  verification_link: { column: 'expires_at' },
  email_change: { column: 'expires_at' },
  key_ring_entry: { column: 'retired_at', and: `purpose = any (${words(endingPurposes)})` },
} as const satisfies Readonly<Record<string, { readonly column: string; readonly and?: string }>>;

export type EndedCredential = keyof typeof endsAt;

const removals = Object.entries<{ readonly column: string; readonly and?: string }>(endsAt).map(
  ([table, { column, and }]) => `
  when ${word(table)} then
    delete from ${table} where ctid = any (array(select ctid from ${table} where ${column} <= moment${and === undefined ? '' : ` and ${and}`}
      order by ${column} limit p_most for update skip locked));`,
);

/**
 * Removes one slice of what lets people in and has ended by p_until, for workers, who see none of it. Rows that are locked at this moment are
 * left for the next time. Returns how many rows there were.
 */
export const removeEndedCredentials = `
create or replace function remove_ended_credentials(p_table text, p_until timestamptz, p_most integer)
returns integer language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moment constant timestamptz := ended_moment(p_until);
  removed integer;
begin
  case p_table${removals.join('')}
  else
    raise exception 'nothing of % ends', p_table using errcode = '42501';
  end case;
  get diagnostics removed = row_count;
  return removed;
end
$$;`;

/** Removes the addresses from a deleted account's own lines of the trail and its back ends'. By audit_entry_actor and audit_entry_operator. */
export const forgetAddresses = `
create or replace function forget_addresses(p_operator_id text)
returns void language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from operator where id = p_operator_id and deleted_at is not null)
     or exists (select from passkey where operator_id = p_operator_id) or exists (select from portal_session where operator_id = p_operator_id) then
    raise exception 'the account has not been deleted' using errcode = '42501';
  end if;
  update audit_entry set ip = null
   where ip is not null and (actor_id = p_operator_id or (operator_id = p_operator_id and actor_type in ('anonymous', 'client')));
end
$$;`;

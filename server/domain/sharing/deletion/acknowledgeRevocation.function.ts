import type { AuditAction } from '../../audit/auditActions.ts';
import type { CountedKind } from '../../evidence/evidenceKinds.ts';
import type { Actor } from '../../shared/actor.ts';
import { word } from '../../shared/functions/sqlText.ts';
import { revocationLifecycle } from '../revocationStatus.ts';

/** Locks a revocation for its acknowledgement, so that what is read of it afterwards stays true. */
export const lockRevocation = `
create or replace function lock_revocation(p_client_number integer, p_revocation_id text)
returns void language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select 1 from revocation where client_number = p_client_number and id = p_revocation_id for no key update
$$;`;

/**
 * Stores that a client has deleted what a revocation names (docs/specification.md, “Acknowledgement”), once and before the deadline, with its
 * line in the trail and its evidence. Its locks: revocation, evidence.
 */
export const acknowledgeRevocation = `
create or replace function acknowledge_revocation(p_client_number integer, p_revocation_id text, p_request_id text, p_ip inet, p_now timestamptz)
returns void language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moment constant timestamptz := present_moment(p_now);
begin
  update revocation set ${revocationLifecycle.sets('acknowledgeRevocation', { acknowledgedAt: 'moment' })}
   where client_number = p_client_number and id = p_revocation_id and ${revocationLifecycle.mayStart('acknowledgeRevocation', { now: 'moment' })};
  if not found then
    raise exception 'this revocation cannot be acknowledged' using errcode = '42501';
  end if;
  perform record_audit(moment, ${word('client' satisfies Actor['type'])}, k.id, p_request_id, p_ip, array[${word('revocation.acknowledged' satisfies AuditAction)}], array['revocation'],
      array[p_revocation_id], array[i.operator_id], array[i.id], '{}')
     from client k join integration i on i.id = k.integration_id where k.number = p_client_number;
  perform count_evidence(array[p_client_number], array[${word('tombstone_acknowledged' satisfies CountedKind)}], array[moment], array[moment], array[1::bigint]);
end
$$;`;

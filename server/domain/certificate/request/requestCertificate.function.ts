import type { AuditAction } from '../../audit/auditActions.ts';
import { whereFacts } from '../../integration/integrationStatus.ts';
import type { Actor } from '../../shared/actor.ts';
import { jsonObject, word } from '../../shared/functions/sqlText.ts';
import type { JobName, JobPayloads } from '../../shared/jobs.ts';
import type { traceMember } from '../../shared/traces.ts';
import type { CertificateSource } from '../Certificate.ts';
import { oldestOfTooMany } from './placeCertificate.function.ts';

type Payload = keyof JobPayloads['issueCertificate'] | typeof traceMember;

/** SQL: queues the issuance of the certificate with this ID, under it. `trace` may be null. */
export const queueIssuance = (id: string, trace: string): string =>
  `graphile_worker.add_job(${word('issueCertificate' satisfies JobName)}, job_key => ${id},
    payload => json_strip_nulls(${jsonObject<Payload>({ certificateId: id, _trace: trace })}))`;

const mayRequest = whereFacts(({ certificates }) => certificates === 'yes', { row: 'i', environment: 'k.environment' });

/**
 * Stores an owner's request, whose form and key the caller has judged, with the job that issues it and the line in the trail: in one round trip,
 * because each costs more than a signature. Returns the certificate's ID; null if there is no such client, or its status, the limit of a day or the
 * slots do not allow one.
 */
export const requestCertificate = `
create or replace function request_certificate(
  p_client_id text, p_operator_id text, p_csr_der bytea, p_public_key_der bytea, p_key_type text, p_request_id text, p_ip inet, p_now timestamptz, p_trace text)
returns text language plpgsql volatile as $$
declare
  asked record;
  placed_id text;
begin
  perform 1 from client k join integration i on i.id = k.integration_id
   where k.id = p_client_id and i.operator_id = p_operator_id for no key update of k;
  -- A statement of its own: the lock may have waited for a retirement, which the earlier snapshot does not show.
  select k.number, k.environment, i.id as integration_id into asked
    from client k join integration i on i.id = k.integration_id
   where k.id = p_client_id and i.operator_id = p_operator_id and ${mayRequest}
     and ${oldestOfTooMany('k.number', 'p_now')} is null;
  if not found then
    return null;
  end if;
  placed_id := place_certificate(asked.number, ${word('csr' satisfies CertificateSource)}, p_csr_der, p_public_key_der, p_key_type, p_now, p_operator_id, null);
  if placed_id is null then
    return null;
  end if;
  perform ${queueIssuance('placed_id', 'p_trace')};
  perform record_audit(p_now, ${word('operator' satisfies Actor['type'])}, p_operator_id, p_request_id, p_ip, array[${word('certificate.requested' satisfies AuditAction)}],
    array['certificate'], array[placed_id], array[p_operator_id], array[asked.integration_id],
    array[json_build_object('environment', asked.environment, 'keyType', p_key_type)]);
  return placed_id;
end
$$;`;

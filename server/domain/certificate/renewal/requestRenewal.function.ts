import type { AuditAction } from '../../audit/auditActions.ts';
import { commonNameSql } from '../../client/commonName.ts';
import { whereFacts } from '../../integration/integrationStatus.ts';
import type { MailDetails, MailKind } from '../../notification/mailKinds.ts';
import type { Actor } from '../../shared/actor.ts';
import { jsonObject, word } from '../../shared/functions/sqlText.ts';
import type { CertificateSource } from '../Certificate.ts';
import { certificateLimits } from '../certificateLimits.ts';
import { isIssued } from '../certificateStatus.ts';
import { queueIssuance } from '../request/requestCertificate.function.ts';

/** SQL: from when on the certificate `row` can be renewed. */
export function renewableFrom(row: string): string {
  const [part, whole] = certificateLimits.certificateRenewableFrom;
  return `${row}.not_before + (${row}.not_after - ${row}.not_before) * ${part} / ${whole}`;
}

/** Locks a client for a renewal, so that what is read of it afterwards stays true. */
export const lockClientForRenewal = `
create or replace function lock_client_for_renewal(p_client_id text)
returns void language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select 1 from client where id = p_client_id for no key update
$$;`;

const mayRenew = whereFacts(({ refusal, renewals }) => refusal === null && renewals === 'yes', {
  row: 'i',
  environment: 'k.environment',
});

/**
 * Stores the request for a certificate's successor (docs/specification.md, “Renewal without a person”) for the machine API, which can make no
 * certificate, job or mail in any other way. The process that calls it vouches for the caller's key, which the database cannot see; everything
 * else is judged here again: a certificate of this client that is usable and in the last third of its life, an integration that may have
 * certificates, a switch that its owner has turned on, and a free slot. Its owner is told, whatever the process does next. Returns the
 * certificate's id, or null if all slots are taken.
 */
export const requestRenewal = `
create or replace function request_renewal(
  p_client_id text, p_certificate_id text, p_csr_der bytea, p_public_key_der bytea, p_key_type text, p_request_id text, p_ip inet, p_now timestamptz)
returns text language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moment constant timestamptz := present_moment(p_now);
  caller record;
  placed_id text;
begin
  perform lock_client_for_renewal(p_client_id);
  select k.number, k.environment, i.id as integration_id, i.operator_id, x.serial into caller
    from client k join integration i on i.id = k.integration_id join certificate x on x.client_number = k.number
   where k.id = p_client_id and x.id = p_certificate_id and k.renewal_by_est and ${mayRenew}
     and ${isIssued('x')} and x.usable_until > moment and ${renewableFrom('x')} <= moment;
  if not found then
    raise exception 'this certificate cannot be renewed' using errcode = '42501';
  end if;

  placed_id := place_certificate(caller.number, ${word('est' satisfies CertificateSource)}, p_csr_der, p_public_key_der, p_key_type, moment, caller.operator_id, p_certificate_id);
  if placed_id is null then
    return null;
  end if;
  perform ${queueIssuance('placed_id', 'null')};
  perform record_audit(moment, ${word('client' satisfies Actor['type'])}, p_client_id, p_request_id, p_ip, array[${word('certificate.requested' satisfies AuditAction)}], array['certificate'],
    array[placed_id], array[caller.operator_id], array[caller.integration_id],
    array[json_build_object('environment', caller.environment, 'keyType', p_key_type, 'renews', p_certificate_id)]);
  perform queue_mail(${word('certificate_renewal' satisfies MailKind)}, placed_id, caller.operator_id, caller.integration_id,
    ${jsonObject<keyof MailDetails['certificate_renewal']>({
      environment: 'caller.environment',
      commonName: commonNameSql({ environment: 'caller.environment', id: 'p_client_id' }),
      certificateId: 'placed_id',
      renewedSerial: 'caller.serial',
    })}, moment, null);
  return placed_id;
end
$$;`;

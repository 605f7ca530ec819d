import { certificateLimits } from '../certificateLimits.ts';
import { certificateLifecycle, counts } from '../certificateStatus.ts';

/** SQL: whether a certificate that is no longer usable at this moment still takes a slot, which the next request frees. */
export const isSpent = (now: string): string =>
  `slot is not null and ${certificateLifecycle.mayStart('freeSlot')} and usable_until <= ${now}`;

/**
 * SQL: when the oldest of a day's requests was made, once there are as many as a day allows, else null. Only the owner's own count: renewals have a
 * quota, and a thief with a stolen key must not keep the owner from replacing it. Neither do those that we could not fulfil. By certificate_client,
 * whose second column has these two values.
 */
export const oldestOfTooMany = (clientNumber: string, now: string): string =>
  `(select requested_at from certificate
   where client_number = ${clientNumber} and (slot is not null) in (true, false) and requested_at > ${now}::timestamptz - interval '1 day' and source <> 'est' and ${counts()}
   order by requested_at desc offset ${certificateLimits.certificateRequestsPerClientPerDay - 1} limit 1)`;

/**
 * The file names, without endings, of a client's next key, its request and its certificate: `sandbox-2026-11`, or `sandbox-2026-11-2` if the
 * month (UTC) already has one, so that a new key never overwrites one in use. A failed issuance leaves its name free, as it does its key. By
 * index certificate_client; a client has few certificates in a month.
 */
export const nextKeyName = `
create or replace function next_key_name(p_client_number int, p_environment text, p_now timestamptz) returns text language plpgsql stable as $$
declare
  month constant text := p_environment || '-' || to_char(p_now at time zone 'UTC', 'YYYY-MM');
  name text := month;
  turn int := 1;
begin
  while exists (select from certificate where client_number = p_client_number and ${counts()} and key_name = name) loop
    turn := turn + 1;
    name := month || '-' || turn;
  end loop;
  return name;
end
$$;`;

const begun = certificateLifecycle.begins('requestCertificate', {
  slot: 'free_slot',
  publicKeyDer: 'p_public_key_der',
  requestedAt: 'p_requested_at',
  requestedBy: 'p_requested_by',
});

/**
 * Stores a pending certificate in one of a client's slots (docs/specification.md, “Rotation”), which certificates that are no longer usable free
 * first, under the next name for its files. The caller holds the client. Returns the certificate's id, or null if all slots are taken.
 */
export const placeCertificate = `
create or replace function place_certificate(p_client_number int, p_source text, p_csr_der bytea, p_public_key_der bytea, p_key_type text, p_requested_at timestamptz,
  p_requested_by text, p_renews text) returns text language plpgsql volatile as $$
declare
  free_slot smallint;
  new_certificate_id constant text := new_id('crt');
begin
  update certificate set ${certificateLifecycle.sets('freeSlot', { slot: 'null' })} where client_number = p_client_number and ${isSpent('p_requested_at')};
  select s into free_slot from generate_series(1, ${certificateLimits.certificatesPerClient}) s
   where not exists (select from certificate where client_number = p_client_number and slot = s) order by s limit 1;
  if free_slot is null then
    return null;
  end if;
  insert into certificate (id, client_number, source, csr_der, key_type, key_name, renews, ${begun.columns})
  select new_certificate_id, k.number, p_source, p_csr_der, p_key_type, next_key_name(k.number, k.environment, p_requested_at), p_renews, ${begun.values}
    from client k where k.number = p_client_number;
  return new_certificate_id;
end
$$;`;

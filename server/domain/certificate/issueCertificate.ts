import { X509Certificate } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { commonNameOf } from '../client/commonName.ts';
import type { Environment } from '../shared/environment.ts';
import { certificateLimits } from './certificateLimits.ts';
import { locking, noteLock, takeLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';
import { issueClientCertificate, newSerial } from './certificateAuthority.ts';
import type { IssuedCertificate } from './certificateEncoding.ts';
import type { Issuer } from './CertificateSigner.ts';
import { certificateLifecycle } from './certificateStatus.ts';
import { checkCsrDer, type CsrVerdict } from './csr/csrRules.ts';
import { validFrom, wholeSeconds } from './validity.ts';

const lockClientSql = locking(
  'client',
  'no key update of k',
  (clause) => `select k.number from client k join certificate x on x.client_number = k.number where x.id = $1 ${clause}`,
);

const actor = { type: 'system', name: 'issueCertificate' } as const;

/**
 * Issues a pending certificate: for 90 days, with clientAuth, and with exactly the client's common name as its subject. It takes effect
 * once, however often it runs. A certificate that was revoked meanwhile stays revoked. From now on, a former certificate is usable for 14
 * days at most. A request that would not have been accepted fails, whatever has stored it.
 */
export async function issueCertificate(
  em: EntityManager,
  { certificateId, issuer, now }: { certificateId: string; issuer: Issuer; now: Date },
): Promise<void> {
  const reserved = await reserveSerial(em, { certificateId, issuer, now, keep: true });
  if (!reserved) return;
  const request = await judgeStored(reserved);
  if (!request.accepted)
    return failCertificate(em, certificateId, 'The stored request is not one for its key. Request the certificate again.');
  const signed = await signReserved(issuer, { reserved, publicKeyDer: request.publicKeyDer, now });
  await em.transactional(async (tx) => void (await storeIssued(tx, signed, now)));
}

/** A certificate that has been signed and is not on record yet. */
type Signed = { readonly certificateId: string; readonly publicKeyDer: Buffer; readonly issued: IssuedCertificate };

type Signing = { readonly reserved: Reserved; readonly publicKeyDer: Buffer; readonly now: Date };

/** Signs what was reserved, for this public key. */
export async function signReserved(issuer: Issuer, { reserved, publicKeyDer, now }: Signing): Promise<Signed> {
  const { certificateId, commonName, serial, notBefore, notAfter } = reserved;
  const { signer, crlDistributionUrl } = issuer;
  const content = { commonName, serial: Buffer.from(serial, 'hex'), notBefore, notAfter, now };
  return { certificateId, publicKeyDer, issued: await issueClientCertificate({ signer, crlDistributionUrl, publicKeyDer, ...content }) };
}

/**
 * Moves a pending certificate to issued and limits the older one. False, and nothing is changed, if it is pending no longer. Throws if
 * another attempt has reserved another serial meanwhile, because what is on record would then not be what was signed.
 */
export async function storeIssued(tx: EntityManager, { certificateId, publicKeyDer, issued }: Signed, now: Date): Promise<boolean> {
  // Of two certificates that are issued at once, the later one must see and limit the earlier one.
  await takeLock(tx, lockClientSql, [certificateId]);
  noteLock(tx, 'certificate');
  const [row] = await sql<{ operator_id: string; integration_id: string }>(tx, issueSql, [
    certificateId,
    publicKeyDer,
    issued.pem,
    issued.fingerprintSha256,
    now,
    issued.serialHex,
    new Date(now.getTime() + certificateLimits.certificateOverlap),
  ]);
  if (!row) {
    const pending = await sql(tx, pendingSql, [certificateId]);
    if (pending.length > 0)
      throw new Error('Another attempt is issuing this certificate under another serial, or its authority was revoked.');
    return false;
  }
  await record(tx, actor, now, {
    action: 'certificate.issued',
    subject: { type: 'certificate', id: certificateId },
    operatorId: row.operator_id,
    integrationId: row.integration_id,
    details: { serial: issued.serialHex },
  });
  return true;
}

const { sets, mayStart } = certificateLifecycle;

/** Whether an authority is trusted at this moment: a worker may not have learned yet that it is not. */
const isTrusted = (authority: string) =>
  `exists (select 1 from certificate_authority a where a.id = ${authority} and a.revoked_at is null)`;

/**
 * Issues, and ends at $7 what else the client has and would work for longer, unless the new one has itself ended by then. Certificates
 * that have ended long ago are not written again.
 */
const issueSql = `
with issued as (
  update certificate x set ${sets('issueCertificate', {
    publicKeyDer: '$2',
    pem: '$3',
    fingerprintSha256: '$4',
    issuedAt: '$5',
    usableUntil: 'not_after',
  })}
    from client k join integration i on i.id = k.integration_id
   where x.id = $1 and ${mayStart('issueCertificate', { row: 'x' })} and x.serial = $6 and k.number = x.client_number and ${isTrusted('x.issuer_id')}
  returning x.client_number, x.not_after, i.operator_id, i.id as integration_id),
limited as (
  update certificate o set ${sets('limitOverlap', { usableUntil: '$7' })}
    from issued where o.client_number = issued.client_number and o.id <> $1 and o.usable_until > $7 and issued.not_after > $7 and ${mayStart('limitOverlap', { row: 'o' })})
select operator_id, integration_id from issued`;

const pendingSql = `select 1 from certificate where id = $1 and ${mayStart('issueCertificate')}`;

const failSql = `
update certificate set ${sets('failCertificate', { slot: 'null', failure: '$2' })} where id = $1 and ${mayStart('failCertificate')}`;

const couldNotSign = 'The certificate authority could not sign. Request the certificate again.';

/** Gives up on a certificate after the last attempt, so that its slot is free and the portal can report it. `failure`: why, in words. */
export async function failCertificate(em: EntityManager, certificateId: string, failure: string = couldNotSign): Promise<void> {
  await sql(em, failSql, [certificateId, failure]);
}

/** What a certificate will contain, stored before it is signed. */
type Reserved = {
  readonly certificateId: string;
  readonly commonName: string;
  /** What the portal or the machine API has stored; a certificate whose key is made here has no request. */
  readonly stored: { readonly csrDer: Buffer | null; readonly publicKeyDer: Buffer | null; readonly keyType: string };
  readonly serial: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
};

/** `$6`: whether to keep what an earlier attempt has reserved. */
const reserveSql = `
update certificate x set ${sets('reserveSerial', {
  issuerId: '$2',
  serial: 'case when $6 and x.issuer_id = $2 then x.serial else $3 end',
  notBefore: 'case when $6 then coalesce(x.not_before, $4) else $4 end',
  // An earlier attempt may have been another authority's.
  notAfter: 'case when $6 then least(x.not_after, $5) else $5 end',
})}
  from client k
 where x.id = $1 and ${mayStart('reserveSerial', { row: 'x' })} and k.number = x.client_number and ${isTrusted('$2')}
returning k.environment, k.id as client_id, x.serial, x.csr_der, x.public_key_der, x.key_type,
          x.not_before, x.not_after`;

type ReservedRow = {
  readonly environment: Environment;
  readonly client_id: string;
  readonly serial: string;
  readonly csr_der: Buffer | null;
  readonly public_key_der: Buffer | null;
  readonly key_type: string;
  readonly not_before: Date;
  readonly not_after: Date;
};

type ReserveSerial = {
  readonly certificateId: string;
  readonly issuer: Issuer;
  readonly now: Date;
  /** Whether a retry signs the same content again. Otherwise each attempt has a serial of its own, because it has a key of its own. */
  readonly keep: boolean;
};

/**
 * Stores serial and validity before signing, so that after a crash we still know what may exist. Null if it is pending no longer. Throws if
 * the authority is not trusted any more; the next attempt may have another one.
 */
export async function reserveSerial(em: EntityManager, { certificateId, issuer, now, keep }: ReserveSerial): Promise<Reserved | null> {
  const [notBefore, notAfter] = [validFrom(now), endOf(issuer, now)];
  const [row] = await sql<ReservedRow>(em, reserveSql, [certificateId, issuer.id, newSerial().toString('hex'), notBefore, notAfter, keep]);
  if (!row) {
    const pending = await sql(em, pendingSql, [certificateId]);
    if (pending.length > 0) throw new Error(`The issuing authority ${issuer.id} was revoked.`);
    return null;
  }
  return {
    certificateId,
    commonName: commonNameOf({ environment: row.environment, id: row.client_id }),
    stored: { csrDer: row.csr_der, publicKeyDer: row.public_key_der, keyType: row.key_type },
    serial: row.serial,
    notBefore: row.not_before,
    notAfter: row.not_after,
  };
}

/** After 90 days, but never after its issuer: nobody would accept it any more, although the portal says that it is valid. */
function endOf({ id, signer }: Issuer, now: Date): Date {
  const issuerEnd = new X509Certificate(signer.issuerCertificateDer).validToDate;
  if (issuerEnd <= now) throw new Error(`The validity of the issuing authority ${id} has ended.`);
  return wholeSeconds(Math.min(now.getTime() + certificateLimits.certificateLifetime, issuerEnd.getTime()));
}

/**
 * Judges the stored request as if it had just arrived, because the process that stored it may not have done so: an attacker who has broken into that
 * process could have stored anything. Accepted is a request whose key is the one that the certificate is listed with.
 */
async function judgeStored({
  commonName,
  stored: { csrDer, publicKeyDer, keyType },
}: Reserved): Promise<CsrVerdict | { readonly accepted: false }> {
  if (!csrDer) return { accepted: false };
  const verdict = await checkCsrDer(csrDer, commonName);
  return verdict.accepted && publicKeyDer?.equals(verdict.publicKeyDer) && verdict.keyType === keyType ? verdict : { accepted: false };
}

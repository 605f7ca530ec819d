import { X509Certificate } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../audit/record.ts';
import { commonNameOf } from '../client/commonName.ts';
import type { Environment } from '../shared/environment.ts';
import { certificateLimits } from './certificateLimits.ts';
import { locking, noteLock, takeLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';
import { issueClientCertificate, newSerial } from './certificateAuthority.ts';
import type { CertificateSource } from './Certificate.ts';
import type { IssuedCertificate } from './certificateEncoding.ts';
import type { Issuer } from './CertificateSigner.ts';
import { certificateLifecycle } from './certificateStatus.ts';
import { checkCsrDer } from './csr/csrRules.ts';
import { validFrom, wholeSeconds } from './validity.ts';

const lockClientsSql = locking(
  'client',
  'no key update of k',
  (clause) =>
    `select k.number from client k join certificate x on x.client_number = k.number where x.id = any($1::text[]) order by k.number ${clause}`,
);

const actor = { type: 'system', name: 'issueCertificate' } as const;

/**
 * Issues a pending certificate: for 90 days, with clientAuth, and with exactly the client's common name as its subject. It takes effect
 * once, however often it runs. A certificate that was revoked meanwhile stays revoked. From now on, a former certificate is usable for 14
 * days at most. A request that would not have been accepted fails, whatever has stored it.
 *
 * What else is waiting comes along, because transactions and jobs cost more than signatures. What cannot be signed there is left to its own job.
 */
export async function issueCertificate(
  em: EntityManager,
  { certificateId, issuer, now }: { certificateId: string; issuer: Issuer; now: Date },
): Promise<void> {
  const others = await sql<{ id: string }>(em, alsoWaitingSql, [certificateId]);
  const certificateIds = [certificateId, ...others.map(({ id }) => id)];
  const reserved = await reserveSerials(em, { certificateIds, issuer, now, keep: true });
  const signed: Signed[] = [];
  let failure: unknown;
  const sign = async (each: Reserved): Promise<void> => {
    try {
      signed.push(await signReserved(issuer, { reserved: each, publicKeyDer: await judgeStored(each), now }));
    } catch (error) {
      if (each.certificateId === certificateId) failure = error;
    }
  };
  await Promise.all(reserved.map(sign));
  await em.transactional(async (tx) => {
    const stored = await storeIssued(tx, signed, now);
    await sql(tx, removeJobsSql, [stored.filter((id) => id !== certificateId)]);
  });
  if (failure instanceof NotItsKey) await failCertificate(em, certificateId, failure.message);
  else if (failure !== undefined) throw failure;
}

/** The oldest requests of other clients that nobody has begun with: by certificate_listed, as only those have no issuer. */
const waitingSql = (source: CertificateSource) => `
(select id, client_number, requested_at from certificate
  where ${certificateLifecycle.mayStart('reserveSerial')} and source = '${source}' and coalesce(issuer_id, '') = ''
  order by requested_at, id limit ${certificateLimits.certificatesIssuedAtOnce})`;

/** One of each client, so that of two that are issued at once, the later one sees and limits the earlier one. */
const alsoWaitingSql = `
select distinct on (client_number) id from (${waitingSql('csr')} union all ${waitingSql('est')}) w
 where client_number <> (select client_number from certificate where id = $1)
 order by client_number, requested_at limit ${certificateLimits.certificatesIssuedAtOnce - 1}`;

/** Their jobs would find nothing to do. One that has begun may do so. */
const removeJobsSql = 'select graphile_worker.remove_job(key) from graphile_worker.jobs where key = any($1::text[]) and locked_at is null';

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
 * Moves pending certificates to issued and limits the older ones of their clients, of whom each has one of these. Returns the IDs of those that were
 * pending still. Throws, and nothing is changed, if another attempt has reserved another serial for one meanwhile, because what is on record would
 * then not be what was signed.
 */
export async function storeIssued(tx: EntityManager, signed: readonly Signed[], now: Date): Promise<string[]> {
  if (signed.length === 0) return [];
  const ids = signed.map(({ certificateId }) => certificateId);
  // Of two certificates that are issued at once, the later one must see and limit the earlier one.
  await takeLock(tx, lockClientsSql, [ids]);
  noteLock(tx, 'certificate');
  const rows = await sql<{ id: string; serial: string; operator_id: string; integration_id: string }>(tx, issueSql, [
    ids,
    signed.map(({ publicKeyDer }) => publicKeyDer),
    signed.map(({ issued }) => issued.pem),
    signed.map(({ issued }) => issued.fingerprintSha256),
    now,
    signed.map(({ issued }) => issued.serialHex),
    new Date(now.getTime() + certificateLimits.certificateOverlap),
  ]);
  if (rows.length < ids.length && (await sql(tx, pendingSql, [ids])).length > 0)
    throw new Error('Another attempt is issuing this certificate under another serial, or its authority was revoked.');
  await recordAll(
    tx,
    actor,
    now,
    rows.map(({ id, serial, operator_id, integration_id }) => ({
      action: 'certificate.issued',
      subject: { type: 'certificate', id },
      operatorId: operator_id,
      integrationId: integration_id,
      details: { serial },
    })),
  );
  return rows.map(({ id }) => id);
}

const { sets, mayStart } = certificateLifecycle;

/** Whether an authority is trusted at this moment: a worker may not have learned yet that it is not. */
const isTrusted = (authority: string) =>
  `exists (select 1 from certificate_authority a where a.id = ${authority} and a.revoked_at is null)`;

/**
 * Issues, and ends at $7 what else the clients have and would work for longer, unless the new one has itself ended by then. Certificates
 * that have ended long ago are not written again.
 */
const issueSql = `
with signed as (
  select * from unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $6::text[]) s (id, public_key_der, pem, fingerprint_sha256, serial)),
issued as (
  update certificate x set ${sets('issueCertificate', {
    publicKeyDer: 's.public_key_der',
    pem: 's.pem',
    fingerprintSha256: 's.fingerprint_sha256',
    issuedAt: '$5',
    usableUntil: 'not_after',
  })}
    from signed s, client k join integration i on i.id = k.integration_id
   where x.id = s.id and ${mayStart('issueCertificate', { row: 'x' })} and x.serial = s.serial and k.number = x.client_number and ${isTrusted('x.issuer_id')}
  returning x.id, x.serial, x.client_number, x.not_after, i.operator_id, i.id as integration_id),
limited as (
  update certificate o set ${sets('limitOverlap', { usableUntil: '$7' })}
    from issued where o.client_number = issued.client_number and o.id <> issued.id and o.usable_until > $7 and issued.not_after > $7 and ${mayStart('limitOverlap', { row: 'o' })})
select id, serial, operator_id, integration_id from issued`;

const pendingSql = `select 1 from certificate where id = any($1::text[]) and ${mayStart('issueCertificate')}`;

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

/** In one order, because two processes may come upon the same requests. `$6`: whether to keep what an earlier attempt has reserved. */
const reserveSql = locking(
  'certificate',
  'no key update',
  (clause) => `
with held as (select id from certificate where id = any($1::text[]) order by id ${clause})
update certificate x set ${sets('reserveSerial', {
    issuerId: '$2',
    serial: 'case when $6 and x.issuer_id = $2 then x.serial else s.serial end',
    notBefore: 'case when $6 then coalesce(x.not_before, $4) else $4 end',
    // An earlier attempt may have been another authority's.
    notAfter: 'case when $6 then least(x.not_after, $5) else $5 end',
  })}
  from unnest($1::text[], $3::text[]) s (id, serial) join held h on h.id = s.id, client k
 where x.id = s.id and ${mayStart('reserveSerial', { row: 'x' })} and k.number = x.client_number and ${isTrusted('$2')}
returning x.id, k.environment, k.id as client_id, x.serial, x.csr_der, x.public_key_der, x.key_type,
          x.not_before, x.not_after`,
);

type ReservedRow = {
  readonly id: string;
  readonly environment: Environment;
  readonly client_id: string;
  readonly serial: string;
  readonly csr_der: Buffer | null;
  readonly public_key_der: Buffer | null;
  readonly key_type: string;
  readonly not_before: Date;
  readonly not_after: Date;
};

type ReserveSerials = {
  readonly certificateIds: readonly string[];
  readonly issuer: Issuer;
  readonly now: Date;
  /** Whether a retry signs the same content again. Otherwise each attempt has a serial of its own, because it has a key of its own. */
  readonly keep: boolean;
};

/**
 * Stores serial and validity before signing, so that after a crash we still know what may exist; of those that are pending no longer, nothing. Throws
 * if the authority is not trusted any more; the next attempt may have another one.
 */
export async function reserveSerials(em: EntityManager, { certificateIds, issuer, now, keep }: ReserveSerials): Promise<Reserved[]> {
  const [notBefore, notAfter] = [validFrom(now), endOf(issuer, now)];
  const serials = certificateIds.map(() => newSerial().toString('hex'));
  const rows = await takeLock<ReservedRow>(em, reserveSql, [certificateIds, issuer.id, serials, notBefore, notAfter, keep]);
  if (rows.length === 0 && (await sql(em, pendingSql, [certificateIds])).length > 0)
    throw new Error(`The issuing authority ${issuer.id} was revoked.`);
  return rows.map((row) => ({
    certificateId: row.id,
    commonName: commonNameOf({ environment: row.environment, id: row.client_id }),
    stored: { csrDer: row.csr_der, publicKeyDer: row.public_key_der, keyType: row.key_type },
    serial: row.serial,
    notBefore: row.not_before,
    notAfter: row.not_after,
  }));
}

/** After 90 days, but never after its issuer: nobody would accept it any more, although the portal says that it is valid. */
function endOf({ id, signer }: Issuer, now: Date): Date {
  const issuerEnd = new X509Certificate(signer.issuerCertificateDer).validToDate;
  if (issuerEnd <= now) throw new Error(`The validity of the issuing authority ${id} has ended.`);
  return wholeSeconds(Math.min(now.getTime() + certificateLimits.certificateLifetime, issuerEnd.getTime()));
}

/** The reason that the portal shows. */
class NotItsKey extends Error {
  override readonly message = 'The stored request is not one for its key. Request the certificate again.';
}

/**
 * The key of the stored request (SubjectPublicKeyInfo in DER), which is judged as if it had just arrived, because the process that stored it may not
 * have done so: an attacker who has broken into that process could have stored anything. Throws `NotItsKey` unless it is accepted and its key is the
 * one that the certificate is listed with.
 */
async function judgeStored({ commonName, stored: { csrDer, publicKeyDer, keyType } }: Reserved): Promise<Buffer> {
  const verdict = csrDer && (await checkCsrDer(csrDer, commonName));
  if (verdict?.accepted && publicKeyDer?.equals(verdict.publicKeyDer) && verdict.keyType === keyType) return verdict.publicKeyDer;
  throw new NotItsKey();
}

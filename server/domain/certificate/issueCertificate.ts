import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { limits } from '../shared/limits.ts';
import { locking, noteLock, takeLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';
import { issueClientCertificate, newSerial } from './certificateAuthority.ts';
import type { CertificateSigner } from './CertificateSigner.ts';
import { certificateLifecycle } from './certificateStatus.ts';

/** The issuing authority as the worker holds it. */
export type Issuer = { readonly id: string; readonly signer: CertificateSigner; readonly crlDistributionUrl: string };

const lockClientSql = locking(
  'client',
  'no key update of k',
  (clause) => `select k.no from client k join certificate x on x.client_no = k.no where x.id = $1 ${clause}`,
);

const actor = { type: 'system', name: 'issueCertificate' } as const;

/**
 * Issues a pending certificate: for 90 days, with clientAuth, and with exactly the client's common name as its subject. It takes effect
 * once, however often it runs. A certificate that was revoked meanwhile stays revoked. From now on, a former certificate is usable for 14
 * days at most.
 */
export async function issueCertificate(
  em: EntityManager,
  { certificateId, issuer, now }: { certificateId: string; issuer: Issuer; now: Date },
): Promise<void> {
  const reserved = await reserveSerial(em, certificateId, issuer, now);
  if (!reserved) return;
  const issued = await issueClientCertificate({
    signer: issuer.signer,
    publicKeyDer: reserved.publicKeyDer,
    commonName: reserved.commonName,
    serial: Buffer.from(reserved.serial, 'hex'),
    notBefore: reserved.notBefore,
    notAfter: reserved.notAfter,
    crlDistributionUrl: issuer.crlDistributionUrl,
  });
  await em.transactional(async (tx) => {
    // Of two certificates that are issued at once, the later one must see and limit the earlier one.
    await takeLock(tx, lockClientSql, [certificateId]);
    noteLock(tx, 'certificate');
    const won = await sql<{ client_no: number; operator_id: string; integration_id: string }>(tx, issueSql, [
      certificateId,
      issued.pem,
      issued.fingerprintSha256,
      now,
    ]);
    const [row] = won;
    if (!row) return;
    await sql(tx, limitOverlapSql, [row.client_no, certificateId, new Date(now.getTime() + limits.certificateOverlap)]);
    await record(tx, actor, now, {
      action: 'certificate.issued',
      subject: { type: 'certificate', id: certificateId },
      operatorId: row.operator_id,
      integrationId: row.integration_id,
      details: { serial: reserved.serial },
    });
  });
}

const { sets, mayStart } = certificateLifecycle;

const issueSql = `
update certificate x set ${sets('issueCertificate', { pem: '$2', fingerprintSha256: '$3', issuedAt: '$4', usableUntil: 'not_after' })}
  from client k join integration i on i.id = k.integration_id
 where x.id = $1 and ${mayStart('issueCertificate', { row: 'x' })} and k.no = x.client_no
returning x.client_no, i.operator_id, i.id as integration_id`;

const limitOverlapSql = `
update certificate set ${sets('limitOverlap', { usableUntil: 'least(usable_until, $3)' })}
 where client_no = $1 and id <> $2 and ${mayStart('limitOverlap')}`;

const failSql = `
update certificate set ${sets('failCertificate', { slot: 'null', failure: '$2' })} where id = $1 and ${mayStart('failCertificate')}`;

/** Gives up on a certificate after the last attempt, so that its slot is free and the portal can report it. */
export async function failCertificate(em: EntityManager, certificateId: string): Promise<void> {
  await sql(em, failSql, [certificateId, 'The certificate authority could not sign. Request the certificate again.']);
}

type Reserved = { publicKeyDer: Buffer; commonName: string; serial: string; notBefore: Date; notAfter: Date };

const reserveSql = `
update certificate x set ${sets('reserveSerial', {
  issuerId: '$2',
  serial: 'case when x.issuer_id = $2 then x.serial else $3 end',
  notBefore: 'coalesce(x.not_before, $4)',
  notAfter: 'coalesce(x.not_after, $5)',
})}
  from client k
 where x.id = $1 and ${mayStart('reserveSerial', { row: 'x' })} and k.no = x.client_no
returning x.public_key_der, 'svc:' || k.environment || ':' || k.id as common_name, x.serial,
          extract(epoch from x.not_before)::float8 as "from", extract(epoch from x.not_after)::float8 as until`;

/**
 * Stores serial and validity before signing: after a crash we still know what may exist, and a retry with the same issuer signs the same
 * content.
 */
async function reserveSerial(em: EntityManager, certificateId: string, issuer: Issuer, now: Date): Promise<Reserved | null> {
  const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const notAfter = new Date(notBefore.getTime() + limits.certificateLifetime);
  const [row] = await sql<{ public_key_der: Buffer; common_name: string; serial: string; from: number; until: number }>(em, reserveSql, [
    certificateId,
    issuer.id,
    newSerial().toString('hex'),
    notBefore,
    notAfter,
  ]);
  if (!row) return null;
  return {
    publicKeyDer: row.public_key_der,
    commonName: row.common_name,
    serial: row.serial,
    notBefore: new Date(row.from * 1000),
    notAfter: new Date(row.until * 1000),
  };
}

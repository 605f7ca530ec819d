import { generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../shared/clock.ts';
import { crockford } from '../../shared/ids.ts';
import { certificateLimits } from '../certificateLimits.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { chainFrom } from '../authorities.ts';
import type { Issuer } from '../CertificateSigner.ts';
import { failCertificate, reserveSerials, signReserved, storeIssued } from '../issueCertificate.ts';
import { encodePkcs12 } from './encodePkcs12.ts';
import { p12Lifecycle } from './package/p12Status.ts';
import { sealPackage, type SealedFor } from './sealPackage.ts';

const { sets, mayStart } = p12Lifecycle;

/** By their primary keys. */
const waitingSql = `
select p.recipient_key as "recipientKey", k.environment, x.key_name as "keyName"
  from p12_package p join certificate x on x.id = p.certificate_id join client k on k.number = x.client_number
 where p.certificate_id = $1 and ${mayStart('makeP12', { row: 'p' })}`;
type Waiting = { readonly recipientKey: Buffer; readonly environment: SealedFor['environment']; readonly keyName: string };

const readySql = `
update p12_package set ${sets('makeP12', { sealed: '$2', readyAt: '$3', claimUntil: '$4' })}
 where certificate_id = $1 and ${mayStart('makeP12')} returning 1`;

/**
 * Makes the key of a requested package in memory, its certificate, and the package, and stores certificate and sealed package together. If
 * it breaks off before that, nothing is left, and the next attempt makes another key with a serial of its own. It takes effect once, and
 * not at all if the request has been revoked.
 */
export async function makeP12(
  em: EntityManager,
  { certificateId, issuer, clock }: { certificateId: string; issuer: Issuer; clock: Clock },
): Promise<void> {
  const [waiting] = await sql<Waiting>(em, waitingSql, [certificateId]);
  if (!waiting) return;
  const [reserved] = await reserveSerials(em, { certificateIds: [certificateId], issuer, now: clock.now(), keep: false });
  if (!reserved) return;
  const { publicKey: publicKeyDer, privateKey: privateKeyDer } = await generate('ec', inDer);
  try {
    const signed = await signReserved(issuer, { reserved, publicKeyDer, now: clock.now() });
    const chain = (await chainFrom(em, issuer.id)).map((pem) => new X509Certificate(pem).raw);
    const password = newPassword();
    const pkcs12 = await encodePkcs12({
      privateKeyDer,
      certificates: [signed.issued.der, ...chain],
      friendlyName: waiting.keyName,
      password,
    });
    const sealed = await sealPackage(waiting.recipientKey, { certificateId, environment: waiting.environment }, { pkcs12, password });
    pkcs12.fill(0);
    await em.transactional(async (tx) => {
      const now = clock.now();
      if ((await storeIssued(tx, [signed], now)).length === 0) return;
      noteLock(tx, 'p12Package');
      const stored = await sql(tx, readySql, [certificateId, sealed, now, new Date(now.getTime() + certificateLimits.p12ClaimTime)]);
      if (stored.length === 0) throw new Error('A pending certificate has a package that is not being made.');
    });
  } finally {
    privateKeyDer.fill(0);
  }
}

const failSql = `update p12_package set ${sets('failP12', { endedAt: '$2' })} where certificate_id = $1 and ${mayStart('failP12')}`;

/** Gives up on a package and its certificate if it is still being made, so that the slot is free and the portal can report it. */
export async function failP12(em: EntityManager, { certificateId, now }: { certificateId: string; now: Date }): Promise<void> {
  await em.transactional(async (tx) => {
    noteLock(tx, 'certificate');
    await failCertificate(tx, certificateId);
    noteLock(tx, 'p12Package');
    await sql(tx, failSql, [certificateId, now]);
  });
}

const generate = promisify(generateKeyPair);
const inDer = {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
} as const;

/** 25 characters with 125 random bits, without letters that look like digits. */
function newPassword(): string {
  return crockford(randomBytes(16)).slice(0, 25);
}

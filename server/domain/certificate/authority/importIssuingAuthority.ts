import type { X509Certificate } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { Actor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { type AuthorityKeys, openAuthority, refuseUnknownWrapping } from '../authorities.ts';
import { Authority } from '../Authority.ts';
import { isAboutToRetire, isLatestIssuing } from '../authorityStatus.ts';
import { requestCrls } from '../crl/requestCrls.ts';
import { isSignedBy, issuingRefusals } from './authorityRules.ts';
import { readCertificates } from './readCertificates.ts';
import { crlUrlOf, rootIdOf } from './requestIssuingAuthority.ts';

type Import = { readonly actor: Actor; readonly keys: AuthorityKeys; readonly pem: string; readonly portalUrl: string; readonly now: Date };
type Imported = { readonly id: string; readonly rootId: string; readonly newRoot: boolean; readonly issuesFrom: Date };

/**
 * Takes the certificate that an offline root has signed for a requested issuing authority, with the root’s certificate if that is new. The
 * authority is trusted from the next minute on, and issues ten minutes later, when all processes trust it; if there is none yet, at once
 * (docs/specification.md, “Authorities”). Errors: invalid_request with every broken rule in words, conflict. Throws Error if the keys of
 * this terminal do not open the key of the request, or those of the authorities on record: no worker could then sign with it.
 */
export async function importIssuingAuthority(em: EntityManager, { actor, keys, pem, portalUrl, now }: Import): Promise<Imported> {
  const given = readCertificates(pem);
  return em.transactional(async (tx) => {
    const { issuing, root } = await pairOf(tx, given);
    const rootId = await rootIdOf(tx, root);
    refuseInvalid(
      issuingRefusals({ issuing, root, crlUrl: crlUrlOf(portalUrl, rootId), now }).map((message) => ({ path: 'file', message })),
    );
    const request = await takeRequest(tx, issuing);
    await refuseUnknownWrapping(tx, { keys, now });
    openAuthority({ id: request.id, certificatePem: issuing.toString(), wrappedKey: request.wrappedKey }, keys);
    noteLock(tx, 'authority');
    const newRoot = (await tx.count(Authority, { id: rootId })) === 0;
    if (newRoot) await addRoot(tx, rootId, root, now);
    const issuesFrom = await retireCurrent(tx, now);
    tx.persist(
      tx.create(Authority, {
        id: request.id,
        kind: 'issuing',
        issuerId: rootId,
        certificatePem: issuing.toString(),
        wrappedKey: request.wrappedKey,
        notAfter: endOf(issuing),
        createdAt: now,
        retiredAt: null,
        revokedAt: null,
        crlNumber: 0,
      }),
    );
    await tx.flush();
    await requestCrls(tx);
    const details = { root: rootId, fingerprint: fingerprintOf(root), activeFrom: issuesFrom.toISOString() };
    await record(tx, actor, now, { action: 'authority.imported', subject: { type: 'authority', id: request.id }, details });
    return { id: request.id, rootId, newRoot, issuesFrom };
  });
}

/** The fingerprint by which an operator compares a root with the offline one. */
function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}

async function pairOf(tx: EntityManager, given: readonly X509Certificate[]): Promise<{ issuing: X509Certificate; root: X509Certificate }> {
  const [issuing, ...more] = given.filter(({ subject, issuer }) => subject !== issuer);
  const [root, ...moreRoots] = given.filter(({ subject, issuer }) => subject === issuer);
  if (!issuing || more.length + moreRoots.length > 0) {
    throw refused('The file must contain the certificate of the issuing authority and, if the root is new, that of the root.');
  }
  if (root) return { issuing, root };
  const known = await tx.find(Authority, { kind: 'root' });
  const signer = known.flatMap(({ certificatePem }) => readCertificates(certificatePem)).find((each) => isSignedBy(issuing, each));
  if (signer) return { issuing, root: signer };
  throw refused('The root that signed this certificate is not on record. Add the root’s certificate to the file.');
}

async function takeRequest(tx: EntityManager, issuing: X509Certificate): Promise<{ readonly id: string; readonly wrappedKey: Buffer }> {
  const publicKeyDer = issuing.publicKey.export({ format: 'der', type: 'spki' });
  const [request] = await sql<{ id: string; wrappedKey: Buffer }>(
    tx,
    'delete from issuing_authority_request where public_key_der = $1 returning id, wrapped_key as "wrappedKey"',
    [publicKeyDer],
  );
  if (request) return request;
  const known = await tx.find(Authority, { kind: 'issuing' });
  const same = known.find(({ certificatePem }) =>
    readCertificates(certificatePem).some(({ publicKey }) => publicKey.export({ format: 'der', type: 'spki' }).equals(publicKeyDer)),
  );
  throw refused(
    same
      ? `The key of this certificate already belongs to the authority ${same.id}.`
      : 'The key of this certificate is not one that was requested here. Sign the request that issuing-authority-request has printed.',
  );
}

/** The latest root is the one that the next request is for. All of them are trusted as long as they are valid. */
async function addRoot(tx: EntityManager, id: string, root: X509Certificate, now: Date): Promise<void> {
  await sql(tx, `update certificate_authority set retired_at = $1 where kind = 'root' and retired_at is null`, [now]);
  tx.persist(
    tx.create(Authority, {
      id,
      kind: 'root',
      issuerId: null,
      certificatePem: root.toString(),
      wrappedKey: null,
      notAfter: endOf(root),
      createdAt: now,
      retiredAt: null,
      revokedAt: null,
      crlNumber: 0,
    }),
  );
  await tx.flush();
}

/** The moment from which the next authority issues. Until then, no other can follow it. */
async function retireCurrent(tx: EntityManager, now: Date): Promise<Date> {
  const [waiting] = await sql<{ at: string }>(
    tx,
    `select retired_at::text as at from certificate_authority where ${isAboutToRetire('$1')} order by retired_at desc limit 1`,
    [now],
  );
  if (waiting) {
    const from = new Date(waiting.at).toISOString();
    throw new DomainError('conflict', {
      detail: `The authority that was imported last issues from ${from} on. Import the next one after that.`,
    });
  }
  const issuesFrom = new Date(now.getTime() + limits.keyActivationDelay);
  const retired = await sql(tx, `update certificate_authority set retired_at = $1 where ${isLatestIssuing()} returning 1`, [issuesFrom]);
  return retired.length === 0 ? now : issuesFrom;
}

function refused(message: string): DomainError {
  return new DomainError('invalid_request', { fields: [{ path: 'file', message }] });
}

/** As a date of our own: that of the certificate belongs to Node. */
function endOf({ validToDate }: X509Certificate): Date {
  return new Date(validToDate.getTime());
}

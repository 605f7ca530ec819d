import { lockAdvisory } from '../shared/locks.ts';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { crockford } from '../shared/ids.ts';
import { Authority } from './Authority.ts';
import { createIssuingAuthority, createRootAuthority, newSerial } from './certificateAuthority.ts';
import type { CertificateSigner, SigningKey } from './CertificateSigner.ts';

/** How the keys of the authorities are created, kept and used. The worker passes it in (a KMS can take its place). */
export type AuthorityKeys = {
  /** A new private key, PKCS#8 DER. */
  generate(curve: 'P-256' | 'P-384'): Buffer;
  wrap(purpose: string, privateKey: Buffer): Buffer;
  unwrap(purpose: string, wrapped: Buffer): Buffer;
  key(privateKey: Buffer): SigningKey;
  signer(certificatePem: string, privateKey: Buffer): CertificateSigner;
};

const year = 365 * 24 * 60 * 60 * 1000;
const purpose = 'certificate_authority';

/** Creates a root and an issuing authority if there are none yet (at the first start). Several workers may call it at once. */
export async function ensureAuthorities(
  em: EntityManager,
  { keys, portalUrl, now }: { keys: AuthorityKeys; portalUrl: string; now: Date },
): Promise<void> {
  await em.transactional(async (tx) => {
    await lockAdvisory(tx, 'authorities', 'exclusive');
    if ((await tx.count(Authority, { kind: 'issuing', retiredAt: null })) > 0) return;
    const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000);
    const rootKey = keys.generate('P-384');
    const suffix = crockford(randomBytes(5));
    const rootId = `root-${suffix}`;
    const issuingId = `issuing-${suffix}`;
    const rootNotAfter = new Date(notBefore.getTime() + 20 * year);
    const root = await createRootAuthority({
      commonName: 'Operator Integration Service Root CA',
      serial: newSerial(),
      notBefore,
      notAfter: rootNotAfter,
      key: keys.key(rootKey),
    });
    const issuingKey = keys.generate('P-256');
    const issuingNotAfter = new Date(notBefore.getTime() + 5 * year);
    const issuing = await createIssuingAuthority({
      commonName: 'Operator Integration Service Issuing CA',
      serial: newSerial(),
      notBefore,
      notAfter: issuingNotAfter,
      signer: keys.signer(root.pem, rootKey),
      publicKeyDer: keys.key(issuingKey).publicKeyDer,
      crlDistributionUrl: `${portalUrl}/crl/${rootId}.crl`,
    });
    const created = { createdAt: now, retiredAt: null, crlNumber: 0 };
    tx.persist([
      tx.create(Authority, {
        ...created,
        id: rootId,
        kind: 'root',
        issuerId: null,
        certificatePem: root.pem,
        wrappedKey: keys.wrap(purpose, rootKey),
        notAfter: rootNotAfter,
      }),
      tx.create(Authority, {
        ...created,
        id: issuingId,
        kind: 'issuing',
        issuerId: rootId,
        certificatePem: issuing.pem,
        wrappedKey: keys.wrap(purpose, issuingKey),
        notAfter: issuingNotAfter,
      }),
    ]);
  });
}

/** The current issuing authority with its key, for the worker that signs. Throws if SIGNING_KEY does not unwrap it. */
export async function openIssuer(em: EntityManager, { keys, portalUrl }: { keys: AuthorityKeys; portalUrl: string }) {
  const authority = await em.findOneOrFail(Authority, { kind: 'issuing', retiredAt: null });
  return { id: authority.id, signer: openAuthority(authority, keys), crlDistributionUrl: `${portalUrl}/crl/${authority.id}.crl` };
}

/** An authority with its key. Throws if its key is not in the database, or if SIGNING_KEY does not unwrap it. */
export function openAuthority({ id, certificatePem, wrappedKey }: Authority, keys: AuthorityKeys): CertificateSigner {
  if (!wrappedKey) throw new Error(`The authority ${id} has no key in the database.`);
  return keys.signer(certificatePem, keys.unwrap(purpose, Buffer.from(wrappedKey)));
}

/** The public chain from this authority upwards, PEM: the issuing authority, then the root. */
export async function chainFrom(em: EntityManager, authorityId: string): Promise<string[]> {
  const authority = await em.findOneOrFail(Authority, { id: authorityId });
  return authority.issuerId === null
    ? [authority.certificatePem]
    : [authority.certificatePem, ...(await chainFrom(em, authority.issuerId))];
}

import { lockAdvisory } from '../shared/locks.ts';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { crockford } from '../shared/ids.ts';
import { Authority } from './Authority.ts';
import { authorityName } from './authorityNames.ts';
import { isAboutToRetire, isLatestIssuing } from './authorityStatus.ts';
import { createIssuingAuthority, createRootAuthority, newSerial } from './certificateAuthority.ts';
import type { Clock } from '../shared/clock.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import type { CertificateSigner, Issuer, SigningKey } from './CertificateSigner.ts';
import { validFrom, wholeSeconds } from './validity.ts';

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
/** What the private keys of authorities are wrapped for. */
export const authorityPurpose = 'certificate_authority';

/** Creates a root and an issuing authority if there are none yet (at the first start). Several workers may call it at once. */
export async function ensureAuthorities(
  em: EntityManager,
  { keys, portalUrl, now }: { keys: AuthorityKeys; portalUrl: string; now: Date },
): Promise<void> {
  await em.transactional(async (tx) => {
    await lockAdvisory(tx, 'authorities', 'exclusive');
    // One that was revoked is followed by what somebody imports.
    if ((await tx.count(Authority, { kind: 'issuing' })) > 0) return;
    const notBefore = validFrom(now);
    const rootKey = keys.generate('P-384');
    const suffix = crockford(randomBytes(5));
    const rootId = `root-${suffix}`;
    const issuingId = `issuing-${suffix}`;
    const rootNotAfter = wholeSeconds(now.getTime() + 20 * year);
    const root = await createRootAuthority({
      commonName: authorityName('root', suffix),
      serial: newSerial(),
      notBefore,
      notAfter: rootNotAfter,
      key: keys.key(rootKey),
    });
    const issuingKey = keys.generate('P-256');
    const issuingNotAfter = wholeSeconds(now.getTime() + 5 * year);
    const issuing = await createIssuingAuthority({
      commonName: authorityName('issuing', suffix),
      serial: newSerial(),
      notBefore,
      notAfter: issuingNotAfter,
      signer: keys.signer(root.pem, rootKey),
      publicKeyDer: keys.key(issuingKey).publicKeyDer,
      crlDistributionUrl: `${portalUrl}/crl/${rootId}.crl`,
    });
    const created = { createdAt: now, retiredAt: null, revokedAt: null, crlNumber: 0 };
    tx.persist([
      tx.create(Authority, {
        ...created,
        id: rootId,
        kind: 'root',
        issuerId: null,
        certificatePem: root.pem,
        wrappedKey: keys.wrap(authorityPurpose, rootKey),
        notAfter: rootNotAfter,
      }),
      tx.create(Authority, {
        ...created,
        id: issuingId,
        kind: 'issuing',
        issuerId: rootId,
        certificatePem: issuing.pem,
        wrappedKey: keys.wrap(authorityPurpose, issuingKey),
        notAfter: issuingNotAfter,
      }),
    ]);
  });
}

type Opening = { readonly keys: AuthorityKeys; readonly portalUrl: string; readonly now: Date };

/** An issuing authority with its key, and the moment at which the next one takes over. */
type Turn = { readonly issuer: Issuer; readonly until: Date | null };

type IssuerRow = { readonly id: string; readonly certificatePem: string; readonly wrappedKey: Buffer | null; readonly until: Date | null };
const issuersSql = `
select id, certificate_pem as "certificatePem", wrapped_key as "wrappedKey", retired_at as until
  from certificate_authority where ${isAboutToRetire('$1')} or ${isLatestIssuing()} order by retired_at nulls last`;

/**
 * The issuing authorities with their keys, the current one first, then those that wait for their turn. Each signs until it is retired, which
 * is in the future while its successor waits for all processes to trust it. Throws if SIGNING_KEY does not unwrap a key.
 */
async function openIssuers(em: EntityManager, { keys, portalUrl, now }: Opening): Promise<Turn[]> {
  return (await sql<IssuerRow>(em, issuersSql, [now])).map(({ until, ...authority }) => {
    const crlDistributionUrl = `${portalUrl}/crl/${authority.id}.crl`;
    return { issuer: { id: authority.id, signer: openAuthority(authority, keys), crlDistributionUrl }, until };
  });
}

/** The current issuing authority with its key, for signing now. Throws if there is none, or if SIGNING_KEY does not unwrap it. */
export async function openIssuer(em: EntityManager, opening: Opening): Promise<Issuer> {
  const [turn] = await openIssuers(em, opening);
  return issuerOf(turn);
}

/**
 * The current issuing authority, whenever somebody asks for it. The table is read once a minute at most, which is enough because every new
 * authority waits for its turn (docs/specification.md, “Authorities”).
 */
export function keepIssuer({
  em,
  clock,
  ...opening
}: Omit<Opening, 'now'> & { em: () => EntityManager; clock: Clock }): () => Promise<Issuer> {
  let turns: Turn[] = [];
  let readAt = -Infinity;
  return async () => {
    const now = clock.now();
    if (turns.length === 0 || Math.abs(now.getTime() - readAt) >= limits.keyRingReload) {
      try {
        turns = await openIssuers(em(), { ...opening, now });
      } catch (error) {
        // Those that can sign go on. What failed here fails for the revocation lists as well, whose jobs say so.
        if (turns.length === 0) throw error;
      }
      readAt = now.getTime();
    }
    return issuerOf(turns.find(({ until }) => until === null || until > now));
  };
}

function issuerOf(turn: Turn | undefined): Issuer {
  if (!turn) throw new Error('There is no issuing authority yet. Import one (docs/operating/keys.md, “Authorities”).');
  return turn.issuer;
}

/** Throws if the keys of this process do not unwrap the private key of an authority that is still needed. */
export async function refuseUnknownWrapping(em: EntityManager, { keys, now }: { keys: AuthorityKeys; now: Date }): Promise<void> {
  for (const authority of await em.find(Authority, { wrappedKey: { $ne: null }, notAfter: { $gt: now } })) openAuthority(authority, keys);
}

type KeyHolder = { readonly id: string; readonly certificatePem: string; readonly wrappedKey?: Uint8Array | null };

/** An authority with its key. Throws if its key is not in the database, or if SIGNING_KEY does not unwrap it. */
export function openAuthority({ id, certificatePem, wrappedKey }: KeyHolder, keys: AuthorityKeys): CertificateSigner {
  if (!wrappedKey) throw new Error(`The authority ${id} has no key in the database.`);
  return keys.signer(certificatePem, keys.unwrap(authorityPurpose, Buffer.from(wrappedKey)));
}

/** The public chain from this authority upwards, PEM: the issuing authority, then the root. */
export async function chainFrom(em: EntityManager, authorityId: string): Promise<string[]> {
  const authority = await em.findOneOrFail(Authority, { id: authorityId }, { fields: ['certificatePem', 'issuerId'] });
  return authority.issuerId === null
    ? [authority.certificatePem]
    : [authority.certificatePem, ...(await chainFrom(em, authority.issuerId))];
}

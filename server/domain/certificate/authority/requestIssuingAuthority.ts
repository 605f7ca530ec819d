import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { Actor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { crockford } from '../../shared/ids.ts';
import { sql } from '../../shared/sql.ts';
import { Authority } from '../Authority.ts';
import { type AuthorityKeys, authorityPurpose } from '../authorities.ts';
import { authorityName } from '../authorityNames.ts';
import { requestedExtensions } from '../certificateAuthority.ts';
import { authorityRequest } from './authorityRequest.ts';
import { rootRefusals } from './authorityRules.ts';
import { readCertificates } from './readCertificates.ts';

type Request = {
  readonly actor: Actor;
  readonly keys: AuthorityKeys;
  readonly portalUrl: string;
  /** The certificate of the offline root, PEM. If null, the one on record. */
  readonly rootPem: string | null;
  readonly now: Date;
};

/**
 * Makes the key of a new issuing authority and the request (PKCS#10) that a root signs offline. Nothing else changes until its certificate is
 * imported (docs/specification.md, “Authorities”). Errors: invalid_request, in words.
 */
export async function requestIssuingAuthority(
  em: EntityManager,
  { actor, keys, portalUrl, rootPem, now }: Request,
): Promise<{ readonly id: string; readonly csrPem: string; readonly crlUrl: string }> {
  const root = rootPem === null ? await offlineRoot(em, now) : soleCertificate(rootPem);
  refuseInvalid(rootRefusals(root, now).map((message) => ({ path: 'root', message })));
  const suffix = crockford(randomBytes(5));
  const id = `issuing-${suffix}`;
  const crlUrl = crlUrlOf(portalUrl, await rootIdOf(em, root));
  const privateKey = keys.generate('P-256');
  const key = keys.key(privateKey);
  // Its own name: a chain and a revocation list are found by the name of the authority first.
  const commonName = authorityName('issuing', suffix);
  const csrPem = await authorityRequest({ commonName, key, extensions: requestedExtensions(crlUrl) });
  await em.transactional(async (tx) => {
    await sql(tx, 'insert into issuing_authority_request (id, public_key_der, wrapped_key, created_at) values ($1, $2, $3, $4)', [
      id,
      key.publicKeyDer,
      keys.wrap(authorityPurpose, privateKey),
      now,
    ]);
    await record(tx, actor, now, { action: 'authority.requested', subject: { type: 'authority', id } });
  });
  return { id, csrPem, crlUrl };
}

/** Where the revocation list of an authority is published. */
export function crlUrlOf(portalUrl: string, authorityId: string): string {
  return `${portalUrl}/crl/${authorityId}.crl`;
}

/** The root’s identifier: the one on record, or the one that it will have, which its certificate decides. */
export async function rootIdOf(em: EntityManager, root: X509Certificate): Promise<string> {
  const known = await em.find(Authority, { kind: 'root' });
  const same = known.find(({ certificatePem }) => new X509Certificate(certificatePem).raw.equals(root.raw));
  return same?.id ?? `root-${crockford(createHash('sha256').update(root.raw).digest().subarray(0, 5))}`;
}

function soleCertificate(pem: string): X509Certificate {
  const [root, ...others] = readCertificates(pem);
  if (root && others.length === 0) return root;
  throw new DomainError('invalid_request', { detail: 'The file must contain exactly one certificate, that of the root.' });
}

async function offlineRoot(em: EntityManager, now: Date): Promise<X509Certificate> {
  const [root] = await em.find(
    Authority,
    { kind: 'root', wrappedKey: null, notAfter: { $gt: now } },
    { orderBy: { createdAt: 'desc' }, limit: 1 },
  );
  if (root) return new X509Certificate(root.certificatePem);
  throw new DomainError('invalid_request', {
    detail: 'There is no root on record whose key is kept offline. Name the file of its certificate.',
  });
}

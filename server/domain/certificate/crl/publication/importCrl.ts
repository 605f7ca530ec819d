import { X509Certificate } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { record } from '../../../audit/record.ts';
import type { Actor } from '../../../shared/actor.ts';
import { DomainError } from '../../../shared/DomainError.ts';
import { revokeAuthorities } from '../../authority/revokeAuthorities.ts';
import { countUntrusted, revokeUntrusted } from '../../authority/revokeUntrusted.ts';
import { Authority } from '../../Authority.ts';
import { subjectBytes, subjectKeyIdentifier } from '../../certificateEncoding.ts';
import { hasBegun } from '../../validity.ts';
import { parseCrl, type ParsedCrl } from './parseCrl.ts';
import { crlEtag } from './signCrl.ts';
import { lockCrl, storeCrl } from './storeCrl.ts';

type Importing = {
  readonly actor: Actor;
  readonly file: Buffer;
  readonly now: Date;
  /** Is told which authorities would not be trusted any more and how many certificates of theirs would be revoked, before that, and may throw. */
  readonly agree?: (untrusted: { readonly authorities: readonly string[]; readonly certificates: number }) => void;
};
/** What was imported. `authorities` are the authorities on record that the list revokes, trusted until now or not. */
type Imported = Pick<ParsedCrl, 'number' | 'nextUpdate'> & { readonly authorityId: string; readonly authorities: readonly string[] };

/**
 * Takes the revocation list of an authority whose key is kept offline (docs/specification.md, “Revocation lists”), in PEM or DER, and
 * publishes it. Authorities that it revokes are not trusted from then on, and what they have issued is revoked. Errors: invalid_request,
 * in words.
 */
export async function importCrl(em: EntityManager, { actor, file, now, agree }: Importing): Promise<Imported> {
  const list = parseCrl(file);
  const { number, thisUpdate, nextUpdate, der, serials } = list;
  if (!hasBegun(thisUpdate, now)) throw refused(`The list is valid only from ${thisUpdate.toISOString()} on.`);
  if (nextUpdate <= now) throw refused(`The list ended at ${nextUpdate.toISOString()}.`);
  const imported = await em.transactional(async (tx) => {
    const known = await tx.find(Authority, {});
    const authority = signerOf(list, known);
    if (authority.wrappedKey) throw refused(`The workers make the lists of ${authority.id}, because its key is in the database.`);
    const last = await lockCrl(tx, authority.id);
    if (number <= last.number) throw refused(`The list has the number ${number}; it has to be higher than the last one, ${last.number}.`);
    if (number > highestNumber) throw refused(`The number of a list has to be ${highestNumber} at most.`);
    if (last.thisUpdate && thisUpdate < last.thisUpdate) throw refused('The list was made before the current one.');
    await storeCrl(tx, authority.id, { der, etag: crlEtag(der), number, thisUpdate, nextUpdate, revoked: serials.length });
    await record(tx, actor, now, {
      action: 'revocation_list.imported',
      subject: { type: 'authority', id: authority.id },
      details: { number: number.toString(), revoked: serials.length },
    });
    const authorities = known.filter(
      ({ issuerId, certificatePem }) => issuerId === authority.id && serials.includes(serialOf(certificatePem)),
    );
    const ids = authorities.map(({ id }) => id);
    const trusted = authorities.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
    agree?.({ authorities: trusted, certificates: await countUntrusted(tx, trusted, now) });
    await revokeAuthorities(tx, { ids, actor, now });
    return { number, nextUpdate, authorityId: authority.id, authorities: ids };
  });
  // After the commit, because from then on nothing new comes. If it breaks off, the workers go on with it.
  await revokeUntrusted(em, now);
  return imported;
}

/** What GraphQL's integers hold. Numbers that rise by one stay far below it. */
const highestNumber = 2n ** 31n - 1n;

/** The authority on record that has made the list: by name, key identifier and signature. */
function signerOf(list: ParsedCrl, known: readonly Authority[]): Authority {
  const signer = known.find(({ certificatePem }) => {
    const certificate = new X509Certificate(certificatePem);
    const keyIdentifier = subjectKeyIdentifier(AsnConvert.parse(certificate.raw, Certificate));
    return (
      subjectBytes(certificate.raw).equals(list.issuer) &&
      Buffer.from(keyIdentifier).toString('hex') === list.authorityKey &&
      list.isSignedBy(certificate.publicKey)
    );
  });
  if (!signer) throw refused('No authority on record has signed this list.');
  return signer;
}

function serialOf(certificatePem: string): bigint {
  return BigInt(`0x${new X509Certificate(certificatePem).serialNumber}`);
}

function refused(detail: string): DomainError {
  return new DomainError('invalid_request', { detail });
}

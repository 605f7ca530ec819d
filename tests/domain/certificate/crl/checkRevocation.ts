import { spawnSync } from 'node:child_process';
import { X509Certificate as NodeCertificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthorityKeyIdentifierExtension, SubjectKeyIdentifierExtension, X509Certificate, X509Crl } from '@peculiar/x509';

/** A certificate with its chain, and the lists of the authorities that issued it and the authority above. */
type Question = { readonly leaf: string; readonly issuing: string; readonly root: string; readonly lists: readonly Buffer[] };
export type Verdict = 'good' | 'revoked' | 'no valid list';

/**
 * What somebody says who checks revocation strictly: a parser that shares no code with the product, and openssl as well, if it is
 * installed. Throws if the two disagree.
 */
export async function checkRevocation(question: Question): Promise<Verdict> {
  const verdict = await byParser(question);
  const second = hasOpenssl ? byOpenssl(question) : verdict;
  if (second !== verdict) throw new Error(`The parser says ${verdict}, openssl says ${second}.`);
  return verdict;
}

async function byParser({ leaf, issuing, root, lists }: Question): Promise<Verdict> {
  const crls = lists.map((der) => new X509Crl(der));
  const chain = [
    [leaf, issuing],
    [issuing, root],
  ].map((pair) => pair.map((pem) => new X509Certificate(pem)));
  const verdicts = await Promise.all(
    chain.map(async ([subject, issuer]) => {
      if (!subject || !issuer) throw new Error('There is no certificate.');
      const crl = crls.find(({ issuer: name }) => name === issuer.subject);
      if (!crl || !(await isValid(crl, issuer))) return 'no valid list';
      return crl.findRevoked(subject.serialNumber) ? 'revoked' : 'good';
    }),
  );
  return verdicts.find((each) => each !== 'good') ?? 'good';
}

async function isValid(crl: X509Crl, issuer: X509Certificate): Promise<boolean> {
  const now = new Date();
  const authorityKey = crl.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  return (
    (await crl.verify({ publicKey: issuer })) &&
    authorityKey === issuer.getExtension(SubjectKeyIdentifierExtension)?.keyId &&
    crl.thisUpdate <= now &&
    crl.nextUpdate !== undefined &&
    crl.nextUpdate > now
  );
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

function byOpenssl({ leaf, issuing, root, lists }: Question): Verdict {
  const folder = mkdtempSync(join(tmpdir(), 'svc-crl-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    return { good: status === 0, text: `${stdout}${stderr}` };
  };
  try {
    for (const [name, text] of Object.entries({ leaf, issuing, root })) writeFileSync(path(name), new NodeCertificate(text).toString());
    lists.forEach((der, index) => writeFileSync(path(`list${index}`), der));
    // Each list is signed by one of the two authorities.
    const signed = lists.every((_, index) =>
      ['issuing', 'root'].some((name) =>
        openssl('crl', '-inform', 'DER', '-in', path(`list${index}`), '-CAfile', path(name), '-noout').text.includes('verify OK'),
      ),
    );
    const chain = [
      '-CAfile',
      path('root'),
      '-untrusted',
      path('issuing'),
      ...lists.flatMap((_, index) => ['-CRLfile', path(`list${index}`)]),
    ];
    const { good, text } = openssl('verify', '-x509_strict', '-crl_check_all', '-purpose', 'sslclient', ...chain, path('leaf'));
    return good && signed ? 'good' : text.includes('certificate revoked') ? 'revoked' : 'no valid list';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

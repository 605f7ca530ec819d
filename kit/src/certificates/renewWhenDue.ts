import { X509Certificate } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pemFiles, type Credentials } from '../client/credentials.ts';
import { KitError } from '../client/errors.ts';
import type { OperatorClient } from '../client/OperatorClient.ts';
import { newCertificateRequest, pem } from './certificateRequest.ts';
import { certificatesIn, checkPair, isIssuedBy } from './checkPair.ts';
import { elementsIn } from './der.ts';

/** `pending`: the service has not signed it yet; call again later. */
export type Renewal = { readonly renewed: boolean; readonly pending: boolean; readonly expiresAt: Date };
export type RenewalOptions = { readonly signal?: AbortSignal; readonly now?: () => Date };
type Files = NonNullable<Credentials['pem']>;

const names = { cert: 'client.pem', key: 'client.key' } as const;

/**
 * Renews the pair over EST once two thirds of its lifetime have passed. The new key is made here and stays here. Where it stops, the next
 * call goes on with the same key and the same request. The new pair makes a call before one rename puts it in the old one’s place. The two
 * paths of the credentials become links into the folder beside them, which keeps the old pair, too.
 */
export async function renewWhenDue(
  client: OperatorClient,
  { pem: files }: Credentials,
  { signal, now = () => new Date() }: RenewalOptions = {},
): Promise<Renewal> {
  if (!files || dirname(files.cert) !== dirname(files.key)) {
    throw new KitError('invalid_argument', 'What can be renewed is a certificate and a key in two PEM files of one folder.');
  }
  const [certPem, keyPem] = [await readFile(files.cert, 'utf8'), await readFile(files.key, 'utf8')];
  const { commonName, validFrom, validTo } = checkPair(certPem, keyPem);
  const dueAt = validFrom.getTime() + ((validTo.getTime() - validFrom.getTime()) * 2) / 3;
  if (now().getTime() < dueAt) return { renewed: false, pending: false, expiresAt: validTo };

  const pairs = `${files.cert}.pairs`;
  const former = Number(await readlink(join(pairs, 'current')).catch(() => '0'));
  const folder = join(pairs, String(former + 1));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const request = await requestIn(folder, commonName);
  const answer = await client.renewCertificate(request, { signal }).catch(async (error: unknown) => {
    // One that is refused for what it is would be refused each time.
    if (error instanceof KitError && error.code === 'invalid_request') await rm(folder, { recursive: true });
    throw error;
  });
  if (!answer) return { renewed: false, pending: true, expiresAt: validTo };
  const made = { cert: join(folder, names.cert), key: join(folder, names.key) };
  await writeSafely(made.cert, bundleOf(answer, certificatesIn(certPem).slice(1)));
  const renewed = checkPair(await readFile(made.cert, 'utf8'), await readFile(made.key, 'utf8'), { commonName });

  const successor = client.withCredentials(pemFiles(made));
  await successor.capabilities({ signal }).finally(() => successor.close());
  await putInPlace(files, pairs, former);
  return { renewed: true, pending: false, expiresAt: renewed.validTo };
}

/** The request that is under way, or a new one. Its key is on disk before anything is sent. */
async function requestIn(folder: string, commonName: string): Promise<string> {
  const file = join(folder, 'request.b64');
  const waiting = await readFile(file, 'utf8').catch(() => null);
  if (waiting !== null) return waiting;
  const { keyPem, requestDer } = newCertificateRequest(commonName);
  await writeSafely(join(folder, names.key), keyPem);
  await writeSafely(file, requestDer.toString('base64'));
  return requestDer.toString('base64');
}

/** The certificate of a CMS without content (RFC 5652, section 5.1), with the former one’s chain where the same authority issued it. */
function bundleOf(cms: Buffer, formerChain: readonly X509Certificate[]): string {
  const inside = (bytes: Buffer, at: number) => elementsIn(bytes)[at]?.content ?? Buffer.alloc(0);
  const signedData = inside(inside(inside(cms, 0), 1), 0);
  const list = elementsIn(signedData).find(({ tag }) => tag === 0xa0)?.content ?? Buffer.alloc(0);
  const [certificate, ...chain] = elementsIn(list).map(({ whole }) => new X509Certificate(whole));
  if (!certificate) throw new KitError('unexpected_answer', 'The answer holds no certificate.');
  const above = chain.length === 0 && isIssuedBy(certificate, formerChain[0]) ? formerChain : chain;
  return [certificate, ...above].map(({ raw }) => pem('CERTIFICATE', raw)).join('');
}

/** Puts the new pair in place by one rename. Before whatever step it is interrupted, the two paths lead to a pair that works. */
async function putInPlace(files: Files, pairs: string, former: number): Promise<void> {
  const folder = join(pairs, String(former));
  if (former === 0) {
    // The first time, the paths become links to a copy of what they are.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const file of ['cert', 'key'] as const) await writeSafely(join(folder, names[file]), await readFile(files[file], 'utf8'));
    await link('0', join(pairs, 'current'));
  }
  for (const file of ['cert', 'key'] as const) {
    const linked = (await lstat(files[file])).isSymbolicLink();
    if (former === 0 || !linked) await link(join(basename(pairs), 'current', names[file]), files[file]);
  }
  await link(String(former + 1), join(pairs, 'current'));
  for (const each of await readdir(pairs)) {
    if (Number(each) < former) await rm(join(pairs, each), { recursive: true });
  }
}

/** Replaces whatever is at the path by a link, in one rename. */
async function link(target: string, path: string): Promise<void> {
  await rm(`${path}.new`, { force: true });
  await symlink(target, `${path}.new`);
  await rename(`${path}.new`, path);
}

/** The file is there whole or not at all, readable by its owner alone. */
async function writeSafely(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

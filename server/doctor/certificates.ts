import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { acmePair } from '../platform/acme/AcmePlan.ts';
import { readServerPair, type PairFiles } from '../platform/tls/serverPair.ts';
import { warning, wrong, wrongBy, type Finding, type Look, type Place } from './finding.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** Whatever renews certificates has tried for weeks by then. Of one with a short life, it is the last sixth. */
const soonMs = 14 * dayMs;

/** Whether little is left of its time. */
export function endsSoon({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  const lifetime = validToDate.getTime() - validFromDate.getTime();
  return validToDate.getTime() - now.getTime() < Math.min(soonMs, lifetime / 6);
}

/** The certificates that the servers show to others, as they lie in their files. */
export async function examineCertificates({ config, role, clock }: Place): Promise<Look> {
  const { machineTls, portalTls, acme } = config;
  const now = clock.now();
  if (acme) {
    const pair = acmePair(acme);
    if (!existsSync(pair.certFile)) return { skipped: 'there is none yet; the service gets one when it starts' };
    return examinePair(pair, { names: acme.names, now, replace: 'The service renews it by itself: see what is said about acme.' });
  }
  const replace = 'Put a new one and its key in the place of these files.';
  const examine = (pair: PairFiles, variable: string, url: string | undefined) =>
    examinePair(pair, { names: new Map(url === undefined ? [] : [[hostIn(url), variable]]), now, replace });
  return [
    ...(machineTls && role !== 'portal' ? await examine(machineTls, 'MACHINE_API_URL', config.machineApiUrl) : []),
    ...(portalTls && role !== 'machine-api' ? await examine(portalTls, 'PORTAL_URL', config.portalUrl) : []),
  ];
}

function hostIn(url: string): string {
  return new URL(url).hostname.replace(/^\[(.+)\]$/, '$1');
}

type Expected = {
  /** What the certificate has to be for, each with the variable that says so. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: Date;
  readonly replace: string;
};

async function examinePair(files: PairFiles, { names, now, replace }: Expected): Promise<Finding[]> {
  const name = files.variables.cert;
  let certPem: string;
  try {
    ({ certPem } = await readServerPair(files));
  } catch (error) {
    return [wrongBy(error, remedyOfFile(error))];
  }
  const certificate = new X509Certificate(certPem);
  const found: Finding[] = [];
  const [from, to] = [certificate.validFromDate, certificate.validToDate];
  if (from > now)
    found.push(wrong(`${name}: the certificate is valid only from ${from.toISOString()}`, 'Look at this machine’s clock, or wait.'));
  if (to <= now) found.push(wrong(`${name}: the certificate ended on ${to.toISOString()}`, replace));
  else if (endsSoon(certificate, now))
    found.push(warning(`${name}: the certificate ends on ${to.toISOString()}`, `${replace} See why nothing has renewed it.`));
  for (const [host, variable] of names) {
    if ((isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined) continue;
    const issuedFor = (certificate.subjectAltName ?? 'no name').replaceAll(/(DNS|IP Address):/g, '');
    found.push(wrong(`${name}: the certificate is for ${issuedFor}, and not for ${host}`, `Get one for ${host}, or correct ${variable}.`));
  }
  if (certPem.split('-----BEGIN CERTIFICATE-----').length === 2 && !certificate.checkIssued(certificate)) {
    const remedy =
      'If its issuer is no root that callers trust, put the issuer’s certificate behind it in the file (certbot’s fullchain.pem has both).';
    found.push(warning(`${name}: the file has no chain behind the certificate`, remedy));
  }
  return found;
}

function remedyOfFile(error: unknown): string {
  const { code } = ((error instanceof Error ? error.cause : undefined) ?? {}) as NodeJS.ErrnoException;
  if (code === 'EACCES') return 'Let the account that the service runs as read it.';
  return 'Name the file of the certificate with its chain (certbot calls it fullchain.pem), and that of its key, without a passphrase.';
}

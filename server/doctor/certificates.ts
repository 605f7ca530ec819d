import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { readServerPair, type PairFiles, type PairVariables } from '../platform/tls/serverPair.ts';
import { warning, wrong, wrongBy, type Finding, type Look, type Place } from './finding.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** Whatever renews certificates has tried for weeks by then. */
const soonMs = 14 * dayMs;

/** The certificates that the servers show to others, as they lie in their files. */
export async function examineCertificates({ config, role, clock }: Place): Promise<Look> {
  const { machineTls, portalTls, machineApiUrl, portalUrl } = config;
  const now = clock.now();
  return [
    ...(machineTls && role !== 'portal'
      ? await examinePair('MACHINE_TLS', machineTls, { url: machineApiUrl, urlVariable: 'MACHINE_API_URL', now })
      : []),
    ...(portalTls && role !== 'machine-api'
      ? await examinePair('PORTAL_TLS', portalTls, { url: portalUrl, urlVariable: 'PORTAL_URL', now })
      : []),
  ];
}

type Expected = { readonly url: string | undefined; readonly urlVariable: string; readonly now: Date };

async function examinePair(variables: PairVariables, files: PairFiles, { url, urlVariable, now }: Expected): Promise<Finding[]> {
  const name = `${variables}_CERT_FILE`;
  const replace = 'Put a new one and its key in the place of these files.';
  let certPem: string;
  try {
    ({ certPem } = await readServerPair(variables, files));
  } catch (error) {
    return [wrongBy(error, remedyOfFile(error))];
  }
  const certificate = new X509Certificate(certPem);
  const found: Finding[] = [];
  const [from, to] = [certificate.validFromDate, certificate.validToDate];
  if (from > now)
    found.push(wrong(`${name}: the certificate is valid only from ${from.toISOString()}`, 'Look at this machine’s clock, or wait.'));
  if (to <= now) found.push(wrong(`${name}: the certificate ended on ${to.toISOString()}`, replace));
  else if (to.getTime() - now.getTime() < soonMs)
    found.push(warning(`${name}: the certificate ends on ${to.toISOString()}`, `${replace} See why nothing has renewed it.`));
  const host = url === undefined ? undefined : new URL(url).hostname.replace(/^\[(.+)\]$/, '$1');
  if (host !== undefined && (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) === undefined) {
    const names = (certificate.subjectAltName ?? 'no name').replaceAll(/(DNS|IP Address):/g, '');
    found.push(wrong(`${name}: the certificate is for ${names}, and not for ${host}`, `Get one for ${host}, or correct ${urlVariable}.`));
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

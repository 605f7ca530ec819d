import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { AcmePlan } from '../platform/acme/AcmePlan.ts';
import { ConfigError } from './ConfigError.ts';
import { address, flag, port } from './values.ts';

/** The variables of certificates that `oi start` gets by itself. */
export const acmeVariables = {
  ACME_DIR: z.string().min(1).optional(),
  ACME_SERVER: z
    .url({ protocol: /^https$/, error: 'must be the https:// URL of an authority’s ACME directory' })
    .default('https://acme-v02.api.letsencrypt.org/directory'),
  ACME_EMAIL: address.optional(),
  ACME_AGREE_TO_TERMS: flag,
  ACME_HTTP_PORT: port(80),
};

const variables = z.object(acmeVariables);
type Variables = z.infer<typeof variables> & {
  readonly HOST: string;
  readonly PORTAL_URL?: string | undefined;
  readonly MACHINE_API_URL?: string | undefined;
};
type Environment = Readonly<Record<string, string | undefined>>;

/** How the service gets its certificate, if it does so itself. Throws `ConfigError`. */
export function acmePlan(value: Variables, given: Environment, socket: number | undefined): AcmePlan | undefined {
  const { ACME_DIR: dir, ACME_SERVER: server, ACME_EMAIL: email, PORTAL_URL: portalUrl = '' } = value;
  if (dir === undefined) {
    const asked = Object.keys(acmeVariables).find((name) => given[name] !== undefined && given[name] !== 'false');
    if (asked !== undefined)
      throw new ConfigError([`ACME_DIR: is required when ${asked} is set; it is the folder for the certificate and its keys`]);
    return undefined;
  }
  const wrong: string[] = [];
  if (!value.ACME_AGREE_TO_TERMS) {
    wrong.push(
      `ACME_AGREE_TO_TERMS: must be true when ACME_DIR is set, once you have read the terms of ${new URL(server).hostname} and agree to them`,
    );
  }
  for (const name of ['PORTAL_TLS_CERT_FILE', 'PORTAL_TLS_KEY_FILE', 'MACHINE_TLS_CERT_FILE', 'MACHINE_TLS_KEY_FILE']) {
    if (given[name] !== undefined) wrong.push(`${name}: must not be set beside ACME_DIR, which has the certificate of both servers`);
  }
  const names = new Map<string, string>();
  for (const variable of ['PORTAL_URL', 'MACHINE_API_URL'] as const) {
    const { protocol, hostname } = new URL(value[variable] ?? 'none:');
    if (protocol !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
      wrong.push(`${variable}: must be https:// with a name when ACME_DIR is set; the certificate is for that name`);
    else names.set(hostname, names.has(hostname) ? `PORTAL_URL, ${variable}` : variable);
  }
  if (wrong.length > 0) throw new ConfigError(wrong);
  return { dir: resolve(dir), server, email, names, host: value.HOST, port: value.ACME_HTTP_PORT, socket, portalUrl };
}

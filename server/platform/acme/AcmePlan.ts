import { join } from 'node:path';
import type { PairFiles } from '../tls/serverPair.ts';

/** One certificate for both servers, from an authority that speaks ACME (RFC 8555) and whose terms have been agreed to. */
export type AcmePlan = {
  /** Where the account’s key and the certificate with its key are kept. */
  readonly dir: string;
  /** The URL of the authority’s directory. */
  readonly server: string;
  /** Where the authority may write to. */
  readonly email: string | undefined;
  /** What the certificate is for, each name with the variables that say so. */
  readonly names: ReadonlyMap<string, string>;
  /** Where the authority’s questions arrive. */
  readonly host: string;
  readonly port: number;
  readonly socket: number | undefined;
  /** Where everybody else on that port is sent to. */
  readonly portalUrl: string;
};

/**
 * The certificate with its chain and its key, in one file, so that one rename replaces all of it. Each authority has its own: what one for trying
 * out has issued is not shown when it is time for the other.
 */
export function acmePair({ dir, server }: Pick<AcmePlan, 'dir' | 'server'>): PairFiles {
  const file = join(dir, `${new URL(server).host.replace(':', '_')}.pem`);
  return { certFile: file, keyFile: file, variables: { cert: 'ACME_DIR', key: 'ACME_DIR' } };
}

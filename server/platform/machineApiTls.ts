import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { ensureDevelopmentTls } from './developmentTls.ts';
import { readServerPair, type ServerPair } from './serverPair.ts';

/**
 * The machine API's own server certificate: either the configured one, or a generated one with the authority (`caPem`) that clients have to
 * trust. Throws Error with the variable to change if a file cannot be used.
 */
export async function machineApiTls({
  machineTls,
  dataDir,
}: Pick<Config, 'machineTls' | 'dataDir'>): Promise<ServerPair & { readonly caPem?: string }> {
  return machineTls ? readServerPair('MACHINE_TLS', machineTls) : ensureDevelopmentTls(join(dataDir, 'tls'));
}

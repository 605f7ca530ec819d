import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { ensureDevelopmentTls } from './developmentTls.ts';

/**
 * The machine API's own server certificate: either the configured one, or a generated one with the authority (`caPem`) that clients have to
 * trust.
 */
export async function machineApiTls({
  machineTls,
  dataDir,
}: Pick<Config, 'machineTls' | 'dataDir'>): Promise<{ certPem: string; keyPem: string; caPem?: string }> {
  if (!machineTls) return ensureDevelopmentTls(join(dataDir, 'tls'));
  return { certPem: await readFile(machineTls.certFile, 'utf8'), keyPem: await readFile(machineTls.keyFile, 'utf8') };
}

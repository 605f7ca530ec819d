import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ensureDevelopmentTls } from '../developmentTls.ts';
import { keepServerPair, type KeptPair } from './keepServerPair.ts';
import type { Logger } from '../logger.ts';
import type { OnStop } from '../runProcess.ts';
import type { ServerPair } from './serverPair.ts';

type MachineApiTls = ServerPair & Partial<Pick<KeptPair, 'onChange'>> & { readonly caPem?: string };

/**
 * The machine API's own server certificate: either the configured one, or a generated one with the authority (`caPem`) that clients have to
 * trust. Throws Error with the variable to change if a file cannot be used.
 */
export async function machineApiTls(
  { machineTls, dataDir }: Pick<Config, 'machineTls' | 'dataDir'>,
  { logger, onStop }: { readonly logger: Logger; readonly onStop: OnStop },
): Promise<MachineApiTls> {
  return machineTls ? keepServerPair({ files: machineTls, logger, onStop }) : ensureDevelopmentTls(join(dataDir, 'tls'));
}

import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ensureReceiverTls } from '../developmentTls.ts';
import type { DevelopmentHosts } from './openConnection.ts';

/**
 * The receivers on this machine, if any are configured. Leaves a certificate for their names in `DATA_DIR/tls` (receiver.pem, receiver.key),
 * with which a developer's receiver can listen.
 */
export async function developmentHostsOf({
  developmentWebhookHosts: hosts,
  dataDir,
}: Pick<Config, 'developmentWebhookHosts' | 'dataDir'>): Promise<DevelopmentHosts | undefined> {
  if (hosts.size === 0) return undefined;
  const { caPem } = await ensureReceiverTls(join(dataDir, 'tls'), [...hosts.keys()]);
  return { hosts, caPem };
}

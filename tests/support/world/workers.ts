import { createOrm } from '../../../server/database/orm.ts';
import { developmentContact } from '../../../server/domain/shared/supportContact.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { startWorkers } from '../../../workers/startWorkers.ts';
import { patient } from '../patience.ts';
import type { Portal } from './portal.ts';
import { signingKeys } from './testKeys.ts';
import type { World } from './World.ts';

/** Does each of the portal's jobs as soon as it is due, as in the running service. */
export async function startWorkerPool(
  world: World,
  { portalUrl, mailer, webhookHosts }: Portal,
  machineApiUrl: () => string | undefined,
): Promise<void> {
  const { urls, keyRing, clock } = world;
  const orm = await createOrm(urls.workers, { connectedWithin: patient(3_000) });
  world.onClose(() => orm.close(true));
  const workers = await startWorkers({
    databaseUrl: urls.workers,
    orm,
    keyRing,
    signingKeys,
    mailer,
    developmentHosts: webhookHosts,
    portalUrl,
    machineApiOrigin: () => machineApiUrl() ?? 'https://api.example',
    supportContact: developmentContact,
    logger: createLogger('workers', 'silent'),
    clock,
    pollInterval: 200,
  });
  world.onClose(() => workers.stop());
}

import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import { runReceiverCheck } from '../../server/domain/webhook/receiver-check/runReceiverCheck.ts';
import type { WorkerTask } from '../workerContext.ts';

export const checkReceiver: WorkerTask<JobPayloads['checkReceiver']> = (
  { receiverCheckId },
  { em, transport, deliveryKey, machineApiOrigin, clock },
) => runReceiverCheck(em, { receiverCheckId, transport, signingKey: deliveryKey, source: machineApiOrigin(), clock });

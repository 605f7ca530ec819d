import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import { signWebhookSample as signSample } from '../../server/domain/webhook/trial/signWebhookSample.ts';
import type { WorkerTask } from '../workerContext.ts';

export const signWebhookSample: WorkerTask<JobPayloads['signWebhookSample']> = (
  { sampleId },
  { em, deliveryKey, machineApiOrigin, clock },
) => signSample(em, { sampleId, signingKey: deliveryKey, source: machineApiOrigin(), clock });

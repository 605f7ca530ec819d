import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import { runWebhookChallenge } from '../../server/domain/webhook/challenge/runWebhookChallenge.ts';
import type { WorkerTask } from '../workerContext.ts';

export const verifyWebhookEndpoint: WorkerTask<JobPayloads['verifyWebhookEndpoint']> = (
  { challengeId },
  { em, transport, clock, lastAttempt },
) => runWebhookChallenge(em, { challengeId, transport, clock, last: lastAttempt });

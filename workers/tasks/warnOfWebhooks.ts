import { warnOfDeadLetters } from '../../server/domain/webhook/alert/warnOfDeadLetters.ts';
import { warnOfFailingEndpoints } from '../../server/domain/webhook/alert/warnOfFailingEndpoints.ts';
import type { WorkerTask } from '../workerContext.ts';

export const warnOfWebhooks: WorkerTask<unknown> = async (_payload, { em, clock }) => {
  await warnOfFailingEndpoints(em, { now: clock.now() });
  await warnOfDeadLetters(em, { now: clock.now() });
};

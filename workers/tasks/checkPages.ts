import { runPageCheck } from '../../server/domain/review/check/runPageCheck.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

export const checkPages: WorkerTask<JobPayloads['checkPages']> = ({ pageCheckId }, { em, transport, clock }) =>
  runPageCheck(em, { pageCheckId, transport, clock });

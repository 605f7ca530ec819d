import { emptySandbox as empty } from '../../server/domain/sandbox/corpus/emptySandbox.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

export const emptySandbox: WorkerTask<JobPayloads['emptySandbox']> = ({ clientNumber }, { em, clock }) =>
  empty(em, { clientNumber, now: clock.now() });

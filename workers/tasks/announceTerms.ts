import { announceTerms as announce } from '../../server/domain/integration/terms/announceTerms.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

export const announceTerms: WorkerTask<JobPayloads['announceTerms']> = ({ version, after }, { em, clock }) =>
  announce(em, { version, after, now: clock.now() });

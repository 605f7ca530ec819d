import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import { buildSandboxCorpus as build } from '../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { failSandboxCorpus } from '../../server/domain/sandbox/corpus/failSandboxCorpus.ts';
import type { WorkerTask } from '../workerContext.ts';

export const buildSandboxCorpus: WorkerTask<JobPayloads['buildSandboxCorpus']> = async (
  { clientNo, generation },
  { em, clock, lastAttempt },
) => {
  try {
    await build(em, { clientNo, generation, clock });
  } catch (error) {
    if (lastAttempt) await failSandboxCorpus(em.fork(), { clientNo, generation, now: clock.now() });
    throw error;
  }
};

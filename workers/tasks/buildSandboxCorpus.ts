import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import { buildSandboxCorpus as build } from '../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { failSandboxCorpus } from '../../server/domain/sandbox/corpus/failSandboxCorpus.ts';
import type { WorkerTask } from '../workerContext.ts';

export const buildSandboxCorpus: WorkerTask<JobPayloads['buildSandboxCorpus']> = async (
  { clientNumber, generation },
  { em, clock, lastAttempt },
) => {
  try {
    await build(em, { clientNumber, generation, clock });
  } catch (error) {
    if (lastAttempt) await failSandboxCorpus(em.fork(), { clientNumber, generation, now: clock.now() });
    throw error;
  }
};

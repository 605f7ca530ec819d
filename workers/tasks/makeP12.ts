import { LintRefused } from '../../server/domain/certificate/lintCertificate.ts';
import { failP12, makeP12 as make } from '../../server/domain/certificate/p12/makeP12.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

export const makeP12: WorkerTask<JobPayloads['makeP12']> = async ({ certificateId }, { em, issuer, clock, lastAttempt }) => {
  try {
    await make(em, { certificateId, issuer: await issuer(), clock });
  } catch (error) {
    if (lastAttempt || error instanceof LintRefused) await failP12(em.fork(), { certificateId, now: clock.now() });
    throw error;
  }
};

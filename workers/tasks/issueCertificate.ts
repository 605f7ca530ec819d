import { failCertificate, issueCertificate as issue } from '../../server/domain/certificate/issueCertificate.ts';
import { LintRefused } from '../../server/domain/certificate/lintCertificate.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

export const issueCertificate: WorkerTask<JobPayloads['issueCertificate']> = async (
  { certificateId },
  { em, issuer, clock, lastAttempt },
) => {
  try {
    await issue(em, { certificateId, issuer: await issuer(), now: clock.now() });
  } catch (error) {
    // Another attempt would sign the same.
    if (lastAttempt || error instanceof LintRefused) await failCertificate(em.fork(), certificateId);
    throw error;
  }
};

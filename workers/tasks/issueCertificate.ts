import { failCertificate, issueCertificate as issue } from '../../server/domain/certificate/issueCertificate.ts';
import { LintRefused } from '../../server/domain/certificate/lintCertificate.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

/** In one process they take turns, so that each takes along what has come meanwhile. */
let turns: Promise<void> = Promise.resolve();

export const issueCertificate: WorkerTask<JobPayloads['issueCertificate']> = ({ certificateId }, { em, issuer, clock, lastAttempt }) => {
  const turn = turns.then(async () => {
    try {
      await issue(em, { certificateId, issuer: await issuer(), now: clock.now() });
    } catch (error) {
      // Another attempt would sign the same.
      if (lastAttempt || error instanceof LintRefused) await failCertificate(em.fork(), certificateId);
      throw error;
    }
  });
  turns = turn.catch(() => {});
  return turn;
};

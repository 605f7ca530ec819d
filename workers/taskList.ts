import type { JobPayloads } from '../server/domain/jobs.ts';
import { announceTerms } from './tasks/announceTerms.ts';
import { buildSandboxCorpus } from './tasks/buildSandboxCorpus.ts';
import { enforceDeletionDeadlines } from './tasks/enforceDeletionDeadlines.ts';
import { issueCertificate } from './tasks/issueCertificate.ts';
import { removeExpired } from './tasks/removeExpired.ts';
import { sendMail } from './tasks/sendMail.ts';
import { warnOfExpiringCertificates } from './tasks/warnOfExpiringCertificates.ts';
import { warnOfQuotas } from './tasks/warnOfQuotas.ts';
import type { WorkerTask } from './workerContext.ts';

/** Jobs that the clock starts instead of a command. */
type ScheduledPayloads = {
  enforceDeletionDeadlines: unknown;
  removeExpired: unknown;
  warnOfExpiringCertificates: unknown;
  warnOfQuotas: unknown;
};
type Payloads = JobPayloads & ScheduledPayloads;

/** Every job with its handler; a job without one does not compile. */
export const taskList: { readonly [Name in keyof Payloads]: WorkerTask<Payloads[Name]> } = {
  announceTerms,
  buildSandboxCorpus,
  enforceDeletionDeadlines,
  issueCertificate,
  removeExpired,
  sendMail,
  warnOfExpiringCertificates,
  warnOfQuotas,
};

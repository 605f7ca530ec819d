import type { JobPayloads } from '../server/domain/shared/jobs.ts';
import type { ScheduledPayloads } from './taskList.ts';

type Schedule = Readonly<Record<keyof ScheduledPayloads, string> & Partial<Record<keyof JobPayloads, string>>>;

/** When the clock starts jobs, in UTC. One that nothing else starts and that is missing here does not compile. */
const schedule: Schedule = {
  keepPartitions: '3 * * * *',
  removeExpired: '7 * * * *',
  enforceDeletionDeadlines: '*/5 * * * *',
  endCertificates: '* * * * *',
  expireP12s: '* * * * *',
  judgeHealth: '*/5 * * * *',
  announceAccountResets: '*/10 * * * *',
  warnOfExpiringCertificates: '11 * * * *',
  publishCrls: '* * * * *',
  keepSigningKeys: '*/10 * * * *',
  warnOfQuotas: '* * * * *',
  warnOfWebhooks: '*/10 * * * *',
};

/**
 * That as graphile-worker reads it. Each job is in the queue at most once: the next run replaces one that has failed and is waiting, so that an
 * outage does not leave a failed job for every minute.
 */
export const crontab = Object.entries(schedule)
  .map(([job, times]) => `${times} ${job} ?jobKey=${job}`)
  .join('\n');

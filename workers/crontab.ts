/**
 * When the scheduled jobs run (graphile-worker's crontab, in UTC). Each job is in the queue at most once: the next run replaces one that
 * has failed and is waiting, so that an outage does not leave a failed job for every minute.
 */
export const crontab = [
  '3 * * * * keepPartitions ?jobKey=keepPartitions',
  '7 * * * * removeExpired ?jobKey=removeExpired',
  '*/5 * * * * enforceDeletionDeadlines ?jobKey=enforceDeletionDeadlines',
  '* * * * * endCertificates ?jobKey=endCertificates',
  '* * * * * expireP12s ?jobKey=expireP12s',
  '*/5 * * * * judgeHealth ?jobKey=judgeHealth',
  '*/10 * * * * announceAccountResets ?jobKey=announceAccountResets',
  '11 * * * * warnOfExpiringCertificates ?jobKey=warnOfExpiringCertificates',
  '* * * * * publishCrls ?jobKey=publishCrls',
  '*/10 * * * * keepSigningKeys ?jobKey=keepSigningKeys',
  '* * * * * warnOfQuotas ?jobKey=warnOfQuotas',
  '*/10 * * * * warnOfWebhooks ?jobKey=warnOfWebhooks',
].join('\n');

/**
 * When the scheduled jobs run (graphile-worker's crontab, UTC). Each is in the queue once: the next run takes the place of one that
 * failed and waits, so that an outage does not leave one failed job for every minute of it.
 */
export const crontab = [
  '7 * * * * removeExpired ?jobKey=removeExpired',
  '*/5 * * * * enforceDeletionDeadlines ?jobKey=enforceDeletionDeadlines',
  '11 * * * * warnOfExpiringCertificates ?jobKey=warnOfExpiringCertificates',
  '* * * * * warnOfQuotas ?jobKey=warnOfQuotas',
].join('\n');

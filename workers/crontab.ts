/** When the scheduled jobs run (graphile-worker's crontab, UTC). */
export const crontab = [
  '7 * * * * removeExpired',
  '*/5 * * * * enforceDeletionDeadlines',
  '11 * * * * warnOfExpiringCertificates',
  '* * * * * warnOfQuotas',
].join('\n');

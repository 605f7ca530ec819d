const afterApproval =
  'Users and reviewers rely on what was approved. You can still change the description, support email, donation link and your plans for polling and webhooks; reviewers see these changes. For anything else, duplicate the profile as a new integration, with its own sandbox, logo and review; users then link it again.';

/** What the operator can change in the profile, in words, for each status. */
export const freedomWords = {
  sandbox: 'You can change everything except the slug. Each change makes a new version.',
  rejected: 'You can change everything except the slug. Address the reviewers’ notes, then submit again.',
  submitted: 'This version is under review and cannot be changed until the reviewers decide.',
  approved: afterApproval,
  active: afterApproval,
  suspended: afterApproval,
  retired: 'This integration is retired, so its profile cannot be changed.',
} as const;

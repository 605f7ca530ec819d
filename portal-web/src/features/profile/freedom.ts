const afterApproval =
  'Users and reviewers rely on what was approved, and the catalogue shows it. Description, support e-mail, donations and the two plans may still change; reviewers are shown that. For anything else duplicate the profile: as a new integration it has its own sandbox, logo and review, and users link it anew.';

/** What an operator is told about changing the profile, by status. */
export const freedomWords = {
  sandbox: 'Everything but the slug may change. Each change is a new version.',
  rejected: 'Everything but the slug may change. Correct what the reviewers noted, then submit again.',
  submitted: 'The reviewers are looking at exactly this version, so it stays as it is until they have decided.',
  approved: afterApproval,
  active: afterApproval,
  suspended: afterApproval,
  retired: 'This integration is retired. Its profile stays as it is.',
} as const;

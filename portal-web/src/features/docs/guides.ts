/** What the guides are for, in the order in which an operator comes to it. */
export const guideParts = ['Start here', 'Build', 'Go live', 'Operate', 'Look up'] as const;

/** The guides for operators, in the order in which they are needed. Each is the file of its name in `docs/guides`. */
export const guides = [
  { name: 'quickstart', part: 'Start here', title: 'Quickstart', lead: 'How to get started: from sign-up to your first records.' },
  { name: 'syncing', part: 'Build', title: 'Syncing', lead: 'Pages, cursors, revisions, tombstones, and how to recover.' },
  { name: 'sandbox', part: 'Start here', title: 'Sandbox and test data', lead: 'What is in your sandbox, and how to play the user.' },
  { name: 'link-codes', part: 'Build', title: 'Link codes', lead: 'What your linking page must do.' },
  { name: 'deletions', part: 'Build', title: 'Deletions', lead: 'What you must do when a user revokes access.' },
  { name: 'webhooks', part: 'Build', title: 'Webhooks', lead: 'What arrives, how to verify it, and complete receivers.' },
  {
    name: 'production',
    part: 'Go live',
    title: 'From sandbox to production',
    lead: 'Review, activation, the production gate, and suspension.',
  },
  { name: 'statistics', part: 'Build', title: 'Statistics', lead: 'Aggregates, and why a number is missing or unchanged.' },
  { name: 'errors', part: 'Operate', title: 'Errors', lead: 'Every error code, and what to do about it.' },
  {
    name: 'quotas',
    part: 'Operate',
    title: 'Quotas and rate-limit headers',
    lead: 'How many requests you can make, and how to see what is left.',
  },
  {
    name: 'certificates',
    part: 'Operate',
    title: 'Certificates and rotation',
    lead: 'How to get, rotate and revoke certificates without downtime.',
  },
  {
    name: 'certificate-renewal',
    part: 'Operate',
    title: 'Automatic certificate renewal',
    lead: 'How your back end renews its certificate by itself.',
  },
  {
    name: 'account',
    part: 'Look up',
    title: 'Your account',
    lead: 'Passkeys, sessions, recovery codes, your address, and deleting your account.',
  },
  { name: 'help', part: 'Look up', title: 'Tools and help', lead: 'OpenAPI, Postman, service status, and whom to ask.' },
  { name: 'glossary', part: 'Look up', title: 'Glossary', lead: 'What each word means here.' },
  { name: 'changelog', part: 'Look up', title: 'Changelog', lead: 'What has changed for integrations.' },
] as const satisfies readonly {
  readonly part: (typeof guideParts)[number];
  readonly name: string;
  readonly title: string;
  readonly lead: string;
}[];

export type Guide = (typeof guides)[number];

/** The guides for operators, in the order in which they are needed. Each is the file of its name in `docs/guides`. */
export const guides = [
  { name: 'quickstart', title: 'Quickstart', lead: 'How to get started: from sign-up to your first records.' },
  { name: 'syncing', title: 'Syncing', lead: 'Pages, cursors, revisions, tombstones, and how to recover.' },
  { name: 'sandbox', title: 'Sandbox and test data', lead: 'What is in your sandbox, and how to play the user.' },
  { name: 'link-codes', title: 'Link codes', lead: 'What your linking page must do.' },
  { name: 'deletions', title: 'Deletions', lead: 'What you must do when a user revokes access.' },
  { name: 'webhooks', title: 'Webhooks', lead: 'What arrives, how to verify it, and complete receivers.' },
  { name: 'production', title: 'From sandbox to production', lead: 'Review, activation, the production gate, and suspension.' },
  { name: 'statistics', title: 'Statistics', lead: 'Aggregates, and why a number is missing or unchanged.' },
  { name: 'errors', title: 'Errors', lead: 'Every error code, and what to do about it.' },
  { name: 'quotas', title: 'Quotas and rate-limit headers', lead: 'How many requests you can make, and how to see what is left.' },
  { name: 'certificates', title: 'Certificates and rotation', lead: 'How to get, rotate and revoke certificates without downtime.' },
  {
    name: 'certificate-renewal',
    title: 'Automatic certificate renewal',
    lead: 'How your back end renews its certificate by itself.',
  },
  { name: 'account', title: 'Your account', lead: 'Passkeys, sessions, recovery codes, your address, and deleting your account.' },
  { name: 'help', title: 'Tools and help', lead: 'OpenAPI, Postman, service status, and whom to ask.' },
  { name: 'glossary', title: 'Glossary', lead: 'What each word means here.' },
  { name: 'changelog', title: 'Changelog', lead: 'What has changed for integrations.' },
] as const;

export type Guide = (typeof guides)[number];

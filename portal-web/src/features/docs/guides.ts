/** The operators' guides, in the order in which one needs them; each is the file of its name in `docs/guides`. */
export const guides = [
  { name: 'quickstart', title: 'Quickstart', lead: 'From an e-mail address to your first records.' },
  { name: 'syncing', title: 'Syncing', lead: 'Pages, cursors, revisions, tombstones, and how to recover.' },
  { name: 'link-codes', title: 'Link codes', lead: 'What your linking page has to do.' },
  { name: 'deletions', title: 'Deletions', lead: 'What you owe when a user takes data back.' },
  { name: 'production', title: 'From sandbox to production', lead: 'Review, activation, the gate, and what suspends.' },
  { name: 'statistics', title: 'Statistics', lead: 'Aggregates, and why a number is missing or did not move.' },
  { name: 'errors', title: 'Errors', lead: 'Every code, and what to do about it.' },
  { name: 'quotas', title: 'Quotas and rate-limit headers', lead: 'How much you may ask for, and how to see what is left.' },
  { name: 'certificates', title: 'Certificates and rotation', lead: 'Getting, changing and revoking them without a gap.' },
  { name: 'account', title: 'Your account', lead: 'Passkeys, sessions, recovery codes, address, and deleting it.' },
  { name: 'glossary', title: 'Glossary', lead: 'What each word means here.' },
  { name: 'changelog', title: 'Changelog', lead: 'What changed for integrations.' },
] as const;

export type Guide = (typeof guides)[number];

import type { tabs } from '../../paths.ts';

/** What the pages of an integration are called, in the order of their tabs. Guides and mails say the same. */
export const tabWords = {
  overview: 'Overview',
  requests: 'Requests',
  webhooks: 'Webhooks',
  certificates: 'Certificates',
  deletions: 'Deletions',
  sandbox: 'Test data',
  production: 'Go live',
  profile: 'Profile',
} as const satisfies Partial<Record<'overview' | keyof typeof tabs, string>>;

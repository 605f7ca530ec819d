import type { Topic } from './accountSettingsQuery.ts';

/** The switches of optional mail, in their order. */
export const notificationWords = {
  reviews: { label: 'Reviews', description: 'Decisions about your submissions, and questions of the reviewers.' },
  certificates: { label: 'Certificates', description: '30, 14, 7 and 1 days before one stops working.' },
  quotas: { label: 'Quotas', description: 'When 80 % and all of an hourly quota are used.' },
} as const satisfies Record<Topic, { label: string; description: string }>;

import type { AdministeredClient } from './integrationQueries.ts';

export type Quota = AdministeredClient['quotaOverrides'][number]['quota'];

/** What an override may change, in words with the unit. */
export const quotaWords = {
  requests_per_hour: 'Requests an hour',
  requests_per_minute: 'Requests a minute',
  concurrent_requests: 'Requests at a time',
  statistics_requests_per_hour: 'Statistics requests an hour',
  link_code_redemptions_per_hour: 'Link-code redemptions an hour',
  link_code_redemptions_per_ip_per_15_minutes: 'Link-code redemptions in 15 minutes from one address',
  polling_interval_seconds: 'Seconds between two pulls',
} as const satisfies Record<Quota, string>;

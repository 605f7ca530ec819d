import type { AdministeredClient } from './integrationQueries.ts';

export type Quota = AdministeredClient['quotaOverrides'][number]['quota'];

/** The quotas that an override can change, with their units. */
export const quotaWords = {
  requests_per_hour: 'Requests per hour',
  requests_per_minute: 'Requests per minute',
  concurrent_requests: 'Concurrent requests',
  statistics_requests_per_hour: 'Statistics requests per hour',
  link_code_redemptions_per_hour: 'Link code redemptions per hour',
  link_code_redemptions_per_ip_per_15_minutes: 'Link code redemptions per address in 15 minutes',
  est_requests_per_hour: 'Certificate renewal requests per hour',
  polling_interval_seconds: 'Polling interval in seconds',
  unknown: 'A quota of a later release',
} as const satisfies Record<Quota, string>;

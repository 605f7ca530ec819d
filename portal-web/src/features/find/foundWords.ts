import type { StatusTone } from '../../ui/values/statusTone.ts';
import { certificateStatusWords, integrationStatusWords } from '../integration/statusWords.ts';
import { linkCodeWords } from '../link-codes/linkCodeWords.ts';
import { submissionStatusWords } from '../review/reviewWords.ts';
import { deliveryStateWords } from '../webhook-deliveries/deliveryWords.ts';
import { endpointStatusWords } from '../webhooks/webhookWords.ts';
import type { Found } from './findQuery.ts';

type StatusWord = { readonly tone: StatusTone; readonly word: string };

/** What each kind is called. */
export const foundKindWords = {
  integration: 'Integration',
  client: 'Client',
  certificate: 'Certificate',
  connection: 'Connection',
  order: 'Order',
  vehicle: 'Stock vehicle',
  revocation: 'Deletion',
  request: 'Request',
  event: 'Event',
  delivery: 'Delivery',
  endpoint: 'Webhook endpoint',
  submission: 'Submission',
  link_code: 'Link code',
  report: 'Business model report',
  agreement: 'Agreement',
  operator: 'Account',
  service_token: 'Service token',
} as const satisfies Record<Found['kind'], string>;

const shared = { shared: { tone: 'good', word: 'Shared' }, revoked: { tone: 'stopped', word: 'Revoked' } } as const;

const words: Readonly<Partial<Record<Found['kind'], Readonly<Record<string, StatusWord>>>>> = {
  integration: integrationStatusWords,
  certificate: certificateStatusWords,
  connection: shared,
  order: shared,
  vehicle: shared,
  revocation: {
    outstanding: { tone: 'waiting', word: 'Outstanding' },
    overdue: { tone: 'bad', word: 'Overdue' },
    acknowledged: { tone: 'good', word: 'Acknowledged' },
  },
  delivery: deliveryStateWords,
  endpoint: endpointStatusWords,
  submission: submissionStatusWords,
  link_code: linkCodeWords,
  operator: { locked: { tone: 'bad', word: 'Locked' }, deleted: { tone: 'stopped', word: 'Deleted' } },
  service_token: {
    valid: { tone: 'good', word: 'Valid' },
    expired: { tone: 'stopped', word: 'Expired' },
    revoked: { tone: 'stopped', word: 'Revoked' },
  },
};

/** The state of something that was found, or null if its kind has none. */
export function foundStatus({ kind, state }: Pick<Found, 'kind' | 'state'>): StatusWord | null {
  if (state === null) return null;
  if (kind === 'request') return { tone: Number(state) >= 500 ? 'bad' : Number(state) >= 400 ? 'waiting' : 'good', word: state };
  return words[kind]?.[state] ?? null;
}

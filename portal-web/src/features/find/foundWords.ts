import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { linkCodeFacts } from '../../../../server/domain/sharing/linkCodeFacts.ts';
import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { deletionFacts } from '../../../../server/domain/sharing/deletionFacts.ts';
import type { StatusTone } from '../../ui/values/statusTone.ts';
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

const words: Readonly<Record<Found['kind'], Readonly<Record<string, StatusWord>> | null>> = {
  integration: integrationFacts,
  certificate: certificateFacts,
  connection: shared,
  order: shared,
  vehicle: shared,
  revocation: deletionFacts,
  delivery: deliveryFacts,
  endpoint: webhookEndpointFacts,
  submission: submissionFacts,
  link_code: linkCodeFacts,
  operator: { locked: { tone: 'bad', word: 'Locked' }, deleted: { tone: 'stopped', word: 'Deleted' } },
  request: null,
  event: null,
  report: null,
  agreement: null,
  client: null,
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

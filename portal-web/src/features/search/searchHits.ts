import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { deletionFacts } from '../../../../server/domain/sharing/deletionFacts.ts';
import { linkCodeFacts } from '../../../../server/domain/sharing/linkCodeFacts.ts';
import { integrationPaths, paths } from '../../paths.ts';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import { statusClasses, statusClassOf } from '../integration/statusClasses.ts';
import type { SearchHit } from './searchQuery.ts';

type Query = Readonly<Record<string, string>>;

/**
 * The page of something that was found, with the row or panel that shows it. What belongs to an integration is on its owner’s pages; for
 * administrators, these are below their own address.
 */
export function hitPath(found: SearchHit): string {
  const { kind, id, view, endpointId } = found;
  switch (kind) {
    case 'operator':
      return view === 'owner' ? paths.account : paths.adminOperator(id);
    case 'service_token':
      return `${paths.adminTokens}?${new URLSearchParams({ search: id })}`;
    case 'endpoint':
      return tab(found, `webhooks/${id}`);
    case 'delivery':
      return tab(found, endpointId === null ? 'webhooks' : `webhooks/${endpointId}/deliveries/${id}`);
    case 'event':
      return tab(found, 'webhooks');
    case 'client':
      return tab(found, 'certificates');
    case 'certificate':
      return tab(found, 'certificates', { certificate: id });
    case 'request':
      return tab(found, 'requests', { request: id });
    case 'revocation':
      return tab(found, 'deletions', { revocation: id });
    case 'link_code':
      return tab(found, 'sandbox', { code: id });
    case 'connection':
    case 'order':
    case 'vehicle':
      return sharedPath(found);
    default:
      return reviewedPath(found);
  }
}

/** Test data is on a page; of production nobody sees more than what has to be deleted. */
function sharedPath(found: SearchHit): string {
  const { kind, id, environment, state } = found;
  if (environment === 'sandbox') return tab(found, 'sandbox', { [kind === 'connection' ? 'connection' : 'resource']: id });
  return tab(found, state === 'revoked' ? 'deletions' : '');
}

/** Reviewers have pages of their own for what they judge. */
function reviewedPath(found: SearchHit): string {
  const { kind, id, view, integration, submissionId } = found;
  if (view === 'reviewer') {
    const submission = kind === 'submission' ? id : submissionId;
    return submission === null
      ? `${paths.businessModels}?${new URLSearchParams({ search: integration?.slug ?? '' })}`
      : paths.submission(submission);
  }
  return tab(found, kind === 'integration' ? '' : kind === 'submission' ? 'production' : 'profile');
}

function tab({ integration, view, environment }: SearchHit, page: string, query: Query = {}): string {
  const slug = integration?.slug ?? '';
  const base = view === 'owner' ? integrationPaths(slug).overview() : paths.adminIntegration(slug);
  const given = Object.entries<string | null>({ environment, ...query }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return `${base}${page && `/${page}`}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

type StatusWord = { readonly tone: StatusTone; readonly word: string };

/** What each kind is called. */
export const hitKindWords = {
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
} as const satisfies Record<SearchHit['kind'], string>;

const shared = { shared: { tone: 'good', word: 'Shared' }, revoked: { tone: 'stopped', word: 'Revoked' } } as const;

const words: Readonly<Record<SearchHit['kind'], Readonly<Record<string, StatusWord>> | null>> = {
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
export function hitStatus({ kind, state }: Pick<SearchHit, 'kind' | 'state'>): StatusWord | null {
  if (state === null) return null;
  if (kind === 'request') {
    const { tone, word } = statusClasses[statusClassOf(Number(state))];
    return { tone, word: `${word}, ${state}` };
  }
  return words[kind]?.[state] ?? words[kind]?.['unknown'] ?? null;
}

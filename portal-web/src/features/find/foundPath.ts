import { integrationPaths, paths } from '../../paths.ts';
import type { Found } from './findQuery.ts';

type Query = Readonly<Record<string, string>>;

/**
 * The page of something that was found, with the row or panel that shows it. What belongs to an integration is on its owner’s pages; for
 * administrators, these are below their own address.
 */
export function foundPath(found: Found): string {
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
function sharedPath(found: Found): string {
  const { kind, id, environment, state } = found;
  if (environment === 'sandbox') return tab(found, 'sandbox', { [kind === 'connection' ? 'connection' : 'resource']: id });
  return tab(found, state === 'revoked' ? 'deletions' : '');
}

/** Reviewers have pages of their own for what they judge. */
function reviewedPath(found: Found): string {
  const { kind, id, view, integration, submissionId } = found;
  if (view === 'reviewer') {
    const submission = kind === 'submission' ? id : submissionId;
    return submission === null
      ? `${paths.businessModels}?${new URLSearchParams({ search: integration?.slug ?? '' })}`
      : paths.submission(submission);
  }
  return tab(found, kind === 'integration' ? '' : kind === 'submission' ? 'production' : 'profile');
}

function tab({ integration, view, environment }: Found, page: string, query: Query = {}): string {
  const slug = integration?.slug ?? '';
  const base = view === 'owner' ? integrationPaths(slug).overview() : paths.adminIntegration(slug);
  const given = Object.entries<string | null>({ environment, ...query }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return `${base}${page && `/${page}`}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

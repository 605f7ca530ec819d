import { integrationPaths, paths, type IntegrationPaths, type Query } from '../../paths.ts';
import type { Act, AttentionItem } from './attentionFragment.ts';

type Where = Pick<Act, 'page' | 'environment' | 'objectId'>;

/** The address of an act on a tab of the integration that is shown. */
export function tabPath({ page, environment, objectId }: Where, to: IntegrationPaths): string {
  const query: Query = environment ? { environment } : {};
  switch (page) {
    case 'webhookEndpoint':
      return to.webhookEndpoint(objectId ?? '', query);
    case 'sandbox':
    case 'certificates':
    case 'webhooks':
    case 'requests':
    case 'deletions':
    case 'production':
    case 'profile':
      return to[page](query);
    default:
      return to.overview(query);
  }
}

/** The address of the act of something that needs the reader, wherever it is shown. */
export function actPath({ act, integration }: Pick<AttentionItem, 'act' | 'integration'>): string {
  const { page, objectId } = act;
  switch (page) {
    case 'integrations':
      return paths.integrationsThatNeed(objectId ?? '');
    case 'terms':
      return paths.terms(Number(objectId));
    case 'account':
      return paths.account;
    case 'submission':
      return paths.submission(objectId ?? '');
    case 'reviews':
      return paths.review;
    case 'adminHome':
      return paths.admin;
    case 'adminIntegration':
      return paths.adminIntegration(objectId ?? '');
    case 'adminOperator':
      return paths.adminOperator(objectId ?? '');
    case 'adminIntegrations':
    case 'adminJobs':
    case 'adminGate':
    case 'adminCertificates':
    case 'adminWebhooks':
      return paths[page];
    default:
      return integration ? tabPath(act, integrationPaths(integration.slug)) : paths.integrations;
  }
}

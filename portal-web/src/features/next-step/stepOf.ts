import type { IntegrationSummary } from '../integration/integrationsQuery.ts';
import { nextStep, type NextStep } from './nextStep.ts';

type Client = Pick<IntegrationSummary['clients'][number], 'environment' | 'lastRequestAt' | 'corpus' | 'certificatesInUse'>;
type Facts = Pick<IntegrationSummary, 'status' | 'productionDataEnabled' | 'reviewWaitsFor' | 'suspendedFor' | 'outstandingDeletions'> & {
  clients: readonly Client[];
};

/** The next step of an integration, from what the page has read about it. */
export function stepOf(integration: Facts): NextStep {
  const { clients, outstandingDeletions, reviewWaitsFor, suspendedFor } = integration;
  const clientOf = (environment: Client['environment']) => clients.find((client) => client.environment === environment);
  const sandbox = clientOf('sandbox');
  return nextStep({
    status: integration.status,
    corpusState: sandbox?.corpus?.state ?? null,
    certificates: sandbox?.certificatesInUse ?? [],
    called: Boolean(sandbox?.lastRequestAt),
    reviewWaitsFor: reviewWaitsFor ?? null,
    suspendedFor: suspendedFor ?? null,
    deletions: outstandingDeletions,
    productionDataEnabled: integration.productionDataEnabled,
    productionCertificates: clientOf('production')?.certificatesInUse ?? [],
  });
}

import { useEnvironment } from '../../features/integration/environment.ts';
import { hasIssued } from '../../features/integration/hasIssued.ts';
import type { Phase } from '../../features/integration/integrationQuery.ts';
import { useIntegrationPaths } from '../../features/integration/ownerView.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { clientsTabLoader } from '../../features/integration/tabLoader.ts';
import { FirstRequest } from '../../features/request-log/FirstRequest.tsx';
import { newestRequests } from '../../features/request-log/RequestLog.tsx';
import { RequestsView } from '../../features/request-log/RequestsView.tsx';
import { requestsQuery } from '../../features/usage/usageQueries.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';

/** Why every call is refused, whatever it asks for. */
const refusals: Readonly<Record<Phase, string | null>> = {
  unapproved: 'Every call is refused until you activate production access.',
  prepared: 'Every call is refused until you activate production access.',
  open: null,
  suspended: 'Every call is refused while the integration is suspended.',
  over: 'Every call is refused, because the integration is retired.',
};

export const loader = clientsTabLoader(requestsQuery, (slug, { id }) => newestRequests(slug, id));

/** The requests of an integration's client: what is refused now and why, the log, and one request beside it. */
export function Component() {
  const to = useIntegrationPaths();
  const { integration } = useIntegration();
  const [shown] = useEnvironment();
  const client = integration.clients.find(({ environment }) => environment === shown);
  if (!client) return <ErrorMessage message="This integration has no client." />;
  const refusedBecause = refusals[integration.phases[client.environment]];
  const certificatesPath = to.certificates({ environment: client.environment });
  return (
    <RequestsView
      key={client.id}
      client={client}
      slug={integration.slug}
      refusedBecause={refusedBecause}
      callable={refusedBecause === null && hasIssued(client)}
      certificatesPath={certificatesPath}
      none={<FirstRequest {...{ client, certificatesPath, refusedBecause }} />}
    />
  );
}

import { useEnvironment } from '../../features/integration/environment.ts';
import { useIntegrationPaths } from '../../features/integration/ownerView.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { FirstRequest } from '../../features/request-log/FirstRequest.tsx';
import { RequestsView } from '../../features/request-log/RequestsView.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';

/** The requests of an integration's client: what is refused now and why, the log, and one request beside it. */
export function Component() {
  const to = useIntegrationPaths();
  const { integration } = useIntegration();
  const [shown] = useEnvironment();
  const client = integration.clients.find(({ environment }) => environment === shown);
  if (!client) return <ErrorMessage message="This integration has no client." />;
  const certificatesPath = to.certificates({ environment: client.environment });
  return (
    <RequestsView
      key={client.id}
      client={client}
      slug={integration.slug}
      retired={integration.status === 'retired'}
      certificatesPath={certificatesPath}
      none={<FirstRequest {...{ client, certificatesPath }} />}
    />
  );
}

import { certificatesPage, clientCertificatesQuery } from '../../features/certificates/certificatesQuery.ts';
import { ClientCertificates } from '../../features/certificates/ClientCertificates.tsx';
import { useEnvironment } from '../../features/integration/environment.ts';
import { clientsTabLoader } from '../../features/integration/tabLoader.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';

export const loader = clientsTabLoader(clientCertificatesQuery, (slug, { id }) =>
  certificatesPage(slug, id, { after: null, chosen: null }),
);

/** The certificates of one client. The production client exists once the integration has been approved. */
export function Component() {
  const { clients } = useIntegration().integration;
  const [shown] = useEnvironment();
  const client = clients.find(({ environment }) => environment === shown);
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return <ClientCertificates key={client.id} client={client} />;
}

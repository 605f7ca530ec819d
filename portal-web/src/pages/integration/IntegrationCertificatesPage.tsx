import { Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { ClientCertificates } from '../../features/certificates/ClientCertificates.tsx';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { filterNavigation } from '../../ui/lists/filterNavigation.ts';

/** The certificates of one client. The production client joins the sandbox's on approval. */
export function Component() {
  const { clients } = useIntegration().integration;
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('environment') === 'production' ? 'production' : 'sandbox';
  const client = clients.find(({ environment }) => environment === wanted) ?? clients[0];
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return (
    <Stack gap="lg">
      <EnvironmentSwitch
        clients={clients}
        value={client.environment}
        onChange={(environment) => setSearch(environment === 'production' ? { environment } : {}, filterNavigation)}
      />
      <ClientCertificates key={client.id} client={client} />
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { ClientCertificates } from '../../features/certificates/ClientCertificates.tsx';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { useEnvironment } from '../../ui/lists/useEnvironment.ts';

/** The certificates of one client. The production client exists once the integration has been approved. */
export function Component() {
  const { clients } = useIntegration().integration;
  const [wanted, changeEnvironment] = useEnvironment();
  const client = clients.find(({ environment }) => environment === wanted) ?? clients[0];
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return (
    <Stack gap="lg">
      <EnvironmentSwitch clients={clients} value={client.environment} onChange={changeEnvironment} />
      <ClientCertificates key={client.id} client={client} />
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { FirstRequest } from '../../features/usage/FirstRequest.tsx';
import { RequestLogPanel } from '../../features/usage/RequestLogPanel.tsx';
import { UsagePanel } from '../../features/usage/UsagePanel.tsx';
import { useRequestFilters } from '../../features/usage/useRequestFilters.ts';
import { paths } from '../../paths.ts';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';

/** What an integration's client has called, what it was answered and why, and what is left of its quotas. */
export function Component() {
  const { integration } = useIntegration();
  const [filters, change] = useRequestFilters();
  const [live, setLive] = useState(true);
  const { clients } = integration;
  const client = clients.find(({ environment }) => environment === filters.environment) ?? clients[0];
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return (
    <Stack gap="lg" key={client.id}>
      <EnvironmentSwitch clients={clients} value={client.environment} onChange={(environment) => change({ environment })} />
      <UsagePanel
        client={client}
        retired={integration.status === 'retired'}
        period={filters.period}
        live={live}
        onPeriod={(period) => change({ period })}
      />
      <RequestLogPanel
        client={client}
        filters={filters}
        onChange={change}
        live={live}
        onLive={setLive}
        certificatesPath={paths.certificates(integration.slug, client.environment)}
        none={<FirstRequest client={client} />}
      />
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { FirstRequest } from '../../features/usage/FirstRequest.tsx';
import { RequestLogPanel } from '../../features/usage/RequestLogPanel.tsx';
import { UsagePanel } from '../../features/usage/UsagePanel.tsx';
import { paths } from '../../paths.ts';
import { useEnvironment } from '../../ui/lists/useEnvironment.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';

/** The requests of an integration's client, with the reason for each response, and what is left of its quotas. */
export function Component() {
  const { integration } = useIntegration();
  const [wanted, changeEnvironment] = useEnvironment();
  const [{ period }, changePeriod] = useUrlFilters(['period'], null);
  const [live, setLive] = useState(true);
  const { clients } = integration;
  const client = clients.find(({ environment }) => environment === wanted) ?? clients[0];
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return (
    <Stack gap="lg" key={client.id}>
      <EnvironmentSwitch clients={clients} value={client.environment} onChange={changeEnvironment} />
      <UsagePanel
        client={client}
        retired={integration.status === 'retired'}
        period={period === 'week' ? 'week' : 'day'}
        live={live}
        onPeriod={(chosen) => changePeriod({ period: chosen === 'week' ? 'week' : '' })}
      />
      <RequestLogPanel
        client={client}
        live={live}
        onLive={setLive}
        certificatesPath={paths.certificates(integration.slug, client.environment)}
        none={<FirstRequest client={client} />}
      />
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { OutstandingDeletions } from '../features/deletions/OutstandingDeletions.tsx';
import { ClientPanel } from '../features/integration/ClientPanel.tsx';
import { CorpusPanel } from '../features/integration/CorpusPanel.tsx';
import { FirstCalls } from '../features/integration/FirstCalls.tsx';
import { sandboxClient } from '../features/integration/integrationQuery.ts';
import { NextStepPanel } from '../features/integration/NextStepPanel.tsx';
import { ProfilePanel } from '../features/integration/ProfilePanel.tsx';
import { useIntegration } from '../features/integration/useIntegration.ts';

/** Where the integration stands, what comes next, and everything needed for the first calls. */
export function Component() {
  const { integration, service } = useIntegration();
  const client = sandboxClient(integration);
  return (
    <Stack gap="lg">
      <NextStepPanel integration={integration} client={client} />
      <OutstandingDeletions slug={integration.slug} />
      {client?.corpus && <CorpusPanel corpus={client.corpus} limits={service.limits} />}
      {client && <ClientPanel client={client} limits={service.limits} slug={integration.slug} />}
      {client && <FirstCalls service={service} certificate={client.certificates.find(({ status }) => status === 'issued') ?? null} />}
      <ProfilePanel profile={integration.profile} />
    </Stack>
  );
}

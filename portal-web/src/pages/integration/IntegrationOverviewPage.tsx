import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { OutstandingDeletions } from '../../features/deletions/OutstandingDeletions.tsx';
import { outstandingQuery } from '../../features/deletions/outstandingQuery.ts';
import { ClientPanel } from '../../features/integration/ClientPanel.tsx';
import { CorpusPanel } from '../../features/integration/CorpusPanel.tsx';
import { FirstCalls } from '../../features/integration/FirstCalls.tsx';
import { productionClient, sandboxClient } from '../../features/integration/integrationQuery.ts';
import { NextStepPanel } from '../../features/next-step/NextStepPanel.tsx';
import { ProfilePanel } from '../../features/integration/ProfilePanel.tsx';
import { StatusTimeline } from '../../features/next-step/StatusTimeline.tsx';
import { stepOf } from '../../features/next-step/stepOf.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { PageLoading } from '../../ui/states/PageLoading.tsx';

/** Where the integration stands, what comes next, and everything needed for the first calls. */
export function Component() {
  const { integration, service } = useIntegration();
  const client = sandboxClient(integration);
  const production = productionClient(integration);
  const retired = integration.status === 'retired';
  // The line about deletions is near the top of the page, so it is read before anything is shown that it would push down.
  const [deletions] = useQuery({ query: outstandingQuery, variables: { slug: integration.slug } });
  if (!deletions.data && !deletions.error) return <PageLoading />;
  return (
    <Stack gap="lg">
      <NextStepPanel integration={integration} contact={service.supportContact} />
      {/* Left out if it is the next step, which says the same. */}
      {stepOf(integration).action?.page !== 'deletions' && <OutstandingDeletions slug={integration.slug} />}
      <StatusTimeline integration={integration} />
      {production && <ClientPanel client={production} limits={service.limits} slug={integration.slug} />}
      {client?.corpus && client.corpusContents && !retired && <CorpusPanel corpus={client.corpus} contents={client.corpusContents} />}
      {client && <ClientPanel client={client} limits={service.limits} slug={integration.slug} />}
      {client && !retired && <FirstCalls service={service} client={client} />}
      <ProfilePanel profile={integration.profile} identity={integration} />
    </Stack>
  );
}

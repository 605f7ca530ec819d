import { Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
import { EndpointActions } from './EndpointActions.tsx';
import type { Surroundings } from './endpointHealth.ts';
import { HealthLine } from './HealthLine.tsx';
import type { Challenge, Endpoint } from './webhookQueries.ts';
import { eventTypeWords, payloadModeWords } from './webhookWords.ts';

type EndpointHeadProps = {
  endpoint: Endpoint & { readonly challenge: Challenge | null };
  integration: Surroundings & Pick<Integration, 'clients'>;
  onChange: () => void;
};

/** Which endpoint this is, whether its deliveries arrive, and what its owner can do with it. */
export function EndpointHead({ endpoint, integration, onChange }: EndpointHeadProps) {
  const to = useIntegrationPaths();
  const navigate = useNavigate();
  const { id, url, environment, payloadMode, eventTypes, description } = endpoint;
  return (
    <Stack gap="xs">
      <Group gap="xs" justify="space-between">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Title>
          <CopyButton value={url} label="the URL" />
        </Group>
        <EndpointActions {...{ endpoint, onChange }} clients={integration.clients} onRemoved={() => void navigate(to.webhooks())} />
      </Group>
      <HealthLine {...{ endpoint, integration }} />
      <Group gap="xs">
        <EnvironmentTag environment={environment} />
        <Text size="sm">{payloadModeWords[payloadMode].word}</Text>
        <Identifier value={id} />
      </Group>
      <Text size="sm" c="dimmed">
        {description !== '' && `${description}. `}
        {eventTypes.length === Object.keys(eventTypeWords).length
          ? 'All event types.'
          : `Only ${eventTypes.map((type) => eventTypeWords[type].name).join(', ')}.`}
      </Text>
    </Stack>
  );
}

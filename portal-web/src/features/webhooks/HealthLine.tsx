import { Group, Text } from '@mantine/core';
import { useNow } from '../../ui/time/useNow.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { healthOf, type Surroundings } from './endpointHealth.ts';
import type { Challenge, Endpoint } from './webhookQueries.ts';

type HealthLineProps = {
  endpoint: Endpoint & { readonly challenge: Pick<Challenge, 'status' | 'steps'> | null };
  integration: Surroundings;
};

/** Whether the endpoint’s deliveries arrive, in one line. Its mark is the only one: a second one for the status would contradict it. */
export function HealthLine({ endpoint, integration }: HealthLineProps) {
  const { tone, title, words } = healthOf(endpoint, integration, useNow());
  return (
    <Group gap="xs" role="status" aria-label="Health">
      <StatusBadge tone={tone}>{title}</StatusBadge>
      <Text size="sm" maw={640} style={{ overflowWrap: 'anywhere' }}>
        {words}
      </Text>
    </Group>
  );
}

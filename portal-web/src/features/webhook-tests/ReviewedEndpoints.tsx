import { Group, Stack, Text } from '@mantine/core';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { boundedCount } from '../webhooks/boundedCount.ts';
import { eventTypeWords, payloadModeWords } from '../webhooks/webhookWords.ts';
import { CheckVerdict } from './CheckVerdict.tsx';
import { ProbeTable } from './ProbeTable.tsx';
import type { reviewedEndpointFragment } from './testQueries.ts';

type ReviewedEndpoint = ResultOf<typeof reviewedEndpointFragment>;

/** An integration’s endpoints as evidence: the payload, whether deliveries arrive, and the last check of each receiver. Addresses are left out. */
export function ReviewedEndpoints({ endpoints }: { endpoints: readonly ReviewedEndpoint[] }) {
  if (endpoints.length === 0) return <EmptyState kind="nothingYet" title="The integration has no endpoint." />;
  return (
    <Stack gap="lg">
      {endpoints.map((endpoint, index) => (
        <article key={`${endpoint.environment} ${index + 1}`} aria-label={`Endpoint ${index + 1}`}>
          <Group gap="xs">
            <StateBadge endpoint={endpoint} />
            <EnvironmentTag environment={endpoint.environment} />
            <CheckBadge check={endpoint.receiverCheck} />
          </Group>
          <Facts facts={factsOf(endpoint)} />
          {endpoint.receiverCheck && endpoint.receiverCheck.probes.length > 0 && (
            <details>
              <summary>Each request of the receiver check</summary>
              <ProbeTable probes={endpoint.receiverCheck.probes} />
            </details>
          )}
        </article>
      ))}
    </Stack>
  );
}

/** One mark: an endpoint that fails is not shown as active. */
function StateBadge({ endpoint: { status, health } }: { endpoint: ReviewedEndpoint }) {
  if (webhookEndpointFacts[status].receives === 'yes' && health.failingSince) return <StatusBadge tone="bad">Failing</StatusBadge>;
  return <StatusBadge tone={webhookEndpointFacts[status].tone}>{webhookEndpointFacts[status].word}</StatusBadge>;
}

function CheckBadge({ check }: { check: ReviewedEndpoint['receiverCheck'] }) {
  if (!check || check.probedAt === null) return <StatusBadge tone="neutral">Receiver not checked</StatusBadge>;
  return (
    <>
      <CheckVerdict check={check} />
      <Text size="sm" c="dimmed">
        checked <Time value={check.probedAt} />
      </Text>
    </>
  );
}

function factsOf({ payloadMode, eventTypes, provenAt, health }: ReviewedEndpoint) {
  const { lastSuccessAt, failingSince, waiting, held, dead } = health;
  return [
    ['Payload', payloadModeWords[payloadMode].word],
    ['Event types', eventTypes.map((type) => eventTypeWords[type].name).join(', ')],
    ['Proven', provenAt ? <Time key="proven" value={provenAt} /> : 'Not yet'],
    ['Last success', lastSuccessAt ? <Time key="success" value={lastSuccessAt} /> : 'None yet'],
    ['Failing since', failingSince ? <Time key="failing" value={failingSince} /> : 'Not failing'],
    ['Deliveries', `${boundedCount(waiting)} waiting, ${boundedCount(held)} held, ${boundedCount(dead)} dead letters`],
  ] as const;
}

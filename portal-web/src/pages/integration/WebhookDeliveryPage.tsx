import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { AttemptTimeline } from '../../features/webhook-deliveries/AttemptTimeline.tsx';
import { BackLink } from '../../ui/layout/BackLink.tsx';
import { DeliveryFacts } from '../../features/webhook-deliveries/DeliveryFacts.tsx';
import { deliveryQuery } from '../../features/webhook-deliveries/deliveryQueries.ts';
import { isReplayable, isUnderWay } from '../../features/webhook-deliveries/DeliveryTable.tsx';
import { SentPanel } from '../../features/webhook-deliveries/SentPanel.tsx';
import { SignaturePanel } from '../../features/webhook-deliveries/SignaturePanel.tsx';
import { StateOfDelivery } from '../../features/webhook-deliveries/StateOfDelivery.tsx';
import { TryNow } from '../../features/webhook-deliveries/TryNow.tsx';
import { useReplay } from '../../features/webhook-deliveries/useReplay.ts';
import { eventTypeWords } from '../../features/webhooks/webhookWords.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { useIntegrationPaths, useReadOnly } from '../../features/integration/ownerView.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** One delivery: why it is where it is, every attempt, and what was sent. */
export function Component() {
  const to = useIntegrationPaths();
  const { endpointId = '', deliveryId = '' } = useParams();
  const { service } = useIntegration();
  const readOnly = useReadOnly();
  const navigate = useNavigate();
  const [result, read] = usePolledQuery({
    query: deliveryQuery,
    variables: { id: deliveryId },
    whileTrue: ({ webhookDelivery }) => isUnderWay(webhookDelivery),
    every: 2000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const { replay, busy, problem } = useReplay();
  return (
    <Loaded result={result} onRetry={reread}>
      {({ webhookDelivery: delivery }) => {
        const { id, state, event, endpoint, attempts } = delivery;
        const environment = event.environment ?? endpoint.environment;
        return (
          <Stack gap="lg">
            <BackLink to={to.webhookEndpoint(endpointId)}>All deliveries of this endpoint</BackLink>
            <Stack gap="xs">
              <Title order={2}>{eventTypeWords[event.type].name}</Title>
              <Group gap="xs" role="status">
                <StatusBadge tone={deliveryFacts[state].tone}>{deliveryFacts[state].word}</StatusBadge>
                <EnvironmentTag environment={environment} />
                {event.test && <Text size="sm">Test event</Text>}
              </Group>
              <StateOfDelivery delivery={delivery} />
              {problem && <ErrorMessage message={problem} />}
              <TryNow {...{ delivery, endpoint }} onTried={reread} />
              {!readOnly &&
                isReplayable(delivery) &&
                webhookEndpointFacts[endpoint.status].receives === 'yes' &&
                environment === endpoint.environment && (
                  <Button
                    variant="default"
                    w="fit-content"
                    loading={busy}
                    onClick={() => {
                      void replay(id).then((made) => made && navigate(to.webhookDelivery(endpointId, made)));
                    }}
                  >
                    Replay this delivery
                  </Button>
                )}
            </Stack>
            <Panel title="Attempts">
              {attempts.length > 0 ? (
                <AttemptTimeline attempts={attempts} />
              ) : (
                <EmptyState kind="nothingYet" title={isUnderWay(delivery) ? 'None yet.' : 'None was made.'} />
              )}
            </Panel>
            <Panel title="About this delivery">
              <DeliveryFacts {...{ delivery }} endpointId={endpointId} />
            </Panel>
            <SentPanel delivery={delivery} />
            {!readOnly && <SignaturePanel delivery={delivery} portalUrl={service.portalUrl} />}
          </Stack>
        );
      }}
    </Loaded>
  );
}

import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { deliveryFacts } from '../../../../../server/domain/outbox/deliveryFacts.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { SidePanel } from '../../../ui/layout/SidePanel.tsx';
import type { Opened } from '../../../ui/lists/useOpened.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import type { Endpoint } from '../../../features/webhooks/webhookQueries.ts';
import { eventTypeName } from '../../../features/webhooks/webhookWords.ts';
import { AttemptTimeline } from '../../../features/webhook-deliveries/AttemptTimeline.tsx';
import { deliveryQuery, type Delivery } from '../../../features/webhook-deliveries/deliveryQueries.ts';
import { isReplayable, isUnderWay } from '../../../features/webhook-deliveries/DeliveryTable.tsx';
import { StateOfDelivery } from '../../../features/webhook-deliveries/StateOfDelivery.tsx';
import { TryNow } from '../../../features/webhook-deliveries/TryNow.tsx';
import { useReplay } from '../../../features/webhook-deliveries/useReplay.ts';

type DeliveryPanelProps = {
  endpoint: Pick<Endpoint, 'id' | 'status'>;
  opened: Opened;
  /** The list that it is opened beside. */
  deliveries: readonly Delivery[];
  onTried: () => void;
};

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** The delivery that is open: why it is where it is, and each attempt at it. */
export function DeliveryPanel({ endpoint, opened, deliveries, onTried }: DeliveryPanelProps) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const place = deliveries.findIndex(({ id }) => id === opened.id);
  const wayTo = (other: Delivery | undefined) => (place === -1 || !other ? null : () => opened.change(other.id));
  const [result, read] = usePolledQuery({
    query: deliveryQuery,
    variables: { id: opened.id },
    whileTrue: ({ webhookDelivery }) => isUnderWay(webhookDelivery),
    every: 2000,
    context: fresh,
  });
  const { replay, busy, problem } = useReplay();
  const type = (deliveries[place] ?? result.data?.webhookDelivery)?.event.type;
  return (
    <SidePanel
      title={type ? eventTypeName(type) : 'Delivery'}
      about="delivery"
      onClose={() => opened.change('')}
      onPrevious={wayTo(deliveries[place - 1])}
      onNext={wayTo(deliveries[place + 1])}
    >
      <Loaded shape="text" result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ webhookDelivery: delivery }) => (
          <Stack gap="sm">
            <Group gap="xs" role="status">
              <StatusBadge tone={deliveryFacts[delivery.state].tone}>{deliveryFacts[delivery.state].word}</StatusBadge>
              {delivery.event.test && <Text size="sm">Test event</Text>}
            </Group>
            <StateOfDelivery delivery={delivery} />
            {problem && <ErrorMessage message={problem} />}
            <TryNow
              {...{ delivery, endpoint }}
              onTried={() => {
                read({ requestPolicy: 'network-only' });
                onTried();
              }}
            />
            <Group gap="sm">
              {!readOnly && isReplayable(delivery) && webhookEndpointFacts[endpoint.status].receives === 'yes' && (
                <Button
                  variant="default"
                  size="xs"
                  loading={busy}
                  onClick={() => {
                    void replay(delivery.id).then((made) => made && opened.change(made));
                  }}
                >
                  Replay this delivery
                </Button>
              )}
              <Anchor component={Link} to={to.webhookDelivery(endpoint.id, delivery.id)} size="sm">
                Identifiers, headers and signature
              </Anchor>
            </Group>
            {delivery.attempts.length > 0 ? (
              <AttemptTimeline attempts={delivery.attempts} />
            ) : (
              <EmptyState kind="nothingYet" title={isUnderWay(delivery) ? 'No attempt yet.' : 'No attempt was made.'} />
            )}
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  );
}

import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { BackLink } from '../../ui/layout/BackLink.tsx';
import { ChallengePanel } from '../../features/webhooks/ChallengePanel.tsx';
import { deliveriesPart, deliveriesQuery } from '../../features/webhook-deliveries/deliveryQueries.ts';
import { deliveryPage, noFilters } from '../../features/webhook-deliveries/useDeliveryFilters.ts';
import { endpointPart, endpointQuery, historyPart, historyQuery } from '../../features/webhooks/webhookQueries.ts';
import { DeliveriesPanel } from '../../features/webhook-deliveries/DeliveriesPanel.tsx';
import { EndpointHead } from '../../features/webhooks/EndpointHead.tsx';
import { EndpointTabs } from '../../features/webhooks/EndpointTabs.tsx';
import { HistoryPanel } from '../../features/webhook-history/HistoryPanel.tsx';
import { useEndpoint } from '../../features/webhooks/useEndpoint.ts';
import { useIntegrationPaths } from '../../features/integration/ownerView.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { graphql } from '../../graphql/graphql.ts';
import { share } from '../../graphql/questions.ts';
import { tabLoader } from '../../features/integration/tabLoader.ts';

const pageQuery = graphql(
  `
    query EndpointPage(
      $endpointId: ID!
      $period: ChartPeriod!
      $states: [DeliveryState!]
      $types: [WebhookEventType!]
      $from: DateTimeISO
      $to: DateTimeISO
      $eventId: ID
      $resourceId: ID
      $undelivered: Boolean
      $first: Int!
      $after: String
    ) {
      ...WebhookEndpointPart
      ...WebhookDeliveriesPart
      ...WebhookAttemptHistoryPart
    }
  `,
  [endpointPart, deliveriesPart, historyPart],
);

export const loader = tabLoader(({ ask, params: { endpointId = '' }, plain }) => {
  if (!plain) return ask(endpointQuery, { endpointId });
  const newest = deliveryPage(endpointId, noFilters, new Date(), null);
  const day = { endpointId, period: 'day' } as const;
  ask(
    pageQuery,
    { ...newest, ...day },
    share(endpointQuery, { endpointId }, ({ webhookEndpoint }) => ({ webhookEndpoint })),
    share(deliveriesQuery, newest, ({ webhookEndpoint }) => ({ webhookEndpoint })),
    share(historyQuery, day, ({ webhookEndpoint }) => ({ webhookEndpoint })),
  );
});

/** One endpoint: whether deliveries arrive, each of them, and how they went over a day or a week. */
export function Component() {
  const to = useIntegrationPaths();
  const { endpointId = '' } = useParams();
  const { integration } = useIntegration();
  const [result, reread] = useEndpoint(endpointId);
  return (
    <Loaded result={result} onRetry={reread}>
      {({ webhookEndpoint: endpoint }) => (
        <Stack gap="lg">
          <BackLink to={to.webhooks()}>All endpoints</BackLink>
          <EndpointHead {...{ endpoint, integration }} onChange={reread} />
          <EndpointTabs endpointId={endpoint.id} />
          <ChallengePanel endpoint={endpoint} onChange={reread} />
          <DeliveriesPanel endpoint={endpoint} onChange={reread} />
          {endpoint.provenAt !== null && <HistoryPanel endpointId={endpoint.id} />}
        </Stack>
      )}
    </Loaded>
  );
}

import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { ReceiverCheckPanel } from '../../features/webhook-tests/ReceiverCheckPanel.tsx';
import { receiverCheckPart, receiverCheckQuery } from '../../features/webhook-tests/testQueries.ts';
import { SignedSamplePanel } from '../../features/webhook-tests/SignedSamplePanel.tsx';
import { TestEventPanel } from '../../features/webhook-tests/TestEventPanel.tsx';
import { EndpointHead } from '../../features/webhooks/EndpointHead.tsx';
import { EndpointTabs } from '../../features/webhooks/EndpointTabs.tsx';
import { useEndpoint } from '../../features/webhooks/useEndpoint.ts';
import { useIntegrationPaths } from '../../features/integration/ownerView.ts';
import { BackLink } from '../../ui/layout/BackLink.tsx';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { endpointPart, endpointQuery } from '../../features/webhooks/webhookQueries.ts';
import { graphql } from '../../graphql/graphql.ts';
import { share } from '../../graphql/questions.ts';
import { tabLoader } from '../../features/integration/tabLoader.ts';

const pageQuery = graphql(
  `
    query ReceiverTestPage($endpointId: ID!) {
      ...WebhookEndpointPart
      ...ReceiverCheckPart
    }
  `,
  [endpointPart, receiverCheckPart],
);

export const loader = tabLoader(({ ask, params: { endpointId = '' } }) =>
  ask(
    pageQuery,
    { endpointId },
    share(endpointQuery, { endpointId }, ({ webhookEndpoint }) => ({ webhookEndpoint })),
    share(receiverCheckQuery, { endpointId }, ({ webhookEndpoint }) => ({ webhookEndpoint })),
  ),
);

/** Tries out a receiver: a test event, a series of right and wrong requests, and a signed request for a receiver on one's own computer. */
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
          {endpoint.environment === 'production' ? (
            <EmptyState kind="nothingYet" title="Receivers are tried out in the sandbox.">
              In production, events come from users alone.
            </EmptyState>
          ) : (
            <>
              {webhookEndpointFacts[endpoint.status].receives === 'yes' ? (
                <>
                  <TestEventPanel endpointId={endpoint.id} />
                  <ReceiverCheckPanel endpointId={endpoint.id} />
                </>
              ) : (
                <EmptyState kind="nothingYet" title="Test events and checks are for an active endpoint." />
              )}
              {webhookEndpointFacts[endpoint.status].receives !== 'never' && <SignedSamplePanel endpointId={endpoint.id} />}
            </>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

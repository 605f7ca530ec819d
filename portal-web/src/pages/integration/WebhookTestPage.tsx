import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { ReceiverCheckPanel } from '../../features/webhook-tests/ReceiverCheckPanel.tsx';
import { SignedSamplePanel } from '../../features/webhook-tests/SignedSamplePanel.tsx';
import { TestEventPanel } from '../../features/webhook-tests/TestEventPanel.tsx';
import { EndpointHead } from '../../features/webhooks/EndpointHead.tsx';
import { EndpointTabs } from '../../features/webhooks/EndpointTabs.tsx';
import { useEndpoint } from '../../features/webhooks/useEndpoint.ts';
import { paths } from '../../paths.ts';
import { BackLink } from '../../ui/layout/BackLink.tsx';
import { Empty } from '../../ui/states/Empty.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** Tries out a receiver: a test event, a series of right and wrong requests, and a signed request for a receiver on one's own computer. */
export function Component() {
  const { endpointId = '' } = useParams();
  const { integration } = useIntegration();
  const { slug } = integration;
  const [result, reread] = useEndpoint(endpointId);
  return (
    <Loaded result={result} onRetry={reread}>
      {({ webhookEndpoint: endpoint }) => (
        <Stack gap="lg">
          <BackLink to={paths.webhooks(slug)}>All endpoints</BackLink>
          <EndpointHead {...{ endpoint, integration, slug }} onChange={reread} />
          <EndpointTabs slug={slug} endpointId={endpoint.id} />
          {endpoint.environment === 'production' ? (
            <Empty>Receivers are tried out in the sandbox. In production, events come from users alone.</Empty>
          ) : (
            <>
              {endpoint.status === 'active' ? (
                <>
                  <TestEventPanel endpointId={endpoint.id} slug={slug} />
                  <ReceiverCheckPanel endpointId={endpoint.id} />
                </>
              ) : (
                <Empty>Test events and checks are for an active endpoint.</Empty>
              )}
              {endpoint.status !== 'removed' && <SignedSamplePanel endpointId={endpoint.id} />}
            </>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

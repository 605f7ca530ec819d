import { Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useMutation } from 'urql';
import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { useIntegrationPaths } from '../../features/integration/ownerView.ts';
import { tabLoader } from '../../features/integration/tabLoader.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { useFreshPasskey } from '../../features/passkey/useFreshPasskey.ts';
import { deliveryStateQuery } from '../../features/webhook-deliveries/deliveryQueries.ts';
import { isUnderWay } from '../../features/webhook-deliveries/DeliveryTable.tsx';
import { lastAttemptWords } from '../../features/webhook-deliveries/deliveryWords.ts';
import { CheckVerdict } from '../../features/webhook-tests/CheckVerdict.tsx';
import { ProbeTable } from '../../features/webhook-tests/ProbeTable.tsx';
import {
  checkReceiverMutation,
  type ReceiverCheck,
  receiverCheckPart,
  receiverCheckQuery,
  requestSignedSampleMutation,
  sendTestEventMutation,
  signedSampleQuery,
} from '../../features/webhook-tests/testQueries.ts';
import { EndpointHead } from '../../features/webhooks/EndpointHead.tsx';
import { EndpointTabs } from '../../features/webhooks/EndpointTabs.tsx';
import { useEndpoint } from '../../features/webhooks/useEndpoint.ts';
import { endpointPart, endpointQuery, type EventType } from '../../features/webhooks/webhookQueries.ts';
import { eventTypes, eventTypeWords } from '../../features/webhooks/webhookWords.ts';
import type { DescribedError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { share } from '../../graphql/questions.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { BackLink } from '../../ui/layout/BackLink.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';

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
            <EmptyState kind="nothingYet" title="Test your receivers in the sandbox.">
              In production, only users cause events.
            </EmptyState>
          ) : (
            <>
              {webhookEndpointFacts[endpoint.status].receives === 'yes' ? (
                <>
                  <TestEventPanel endpointId={endpoint.id} />
                  <ReceiverCheckPanel endpointId={endpoint.id} />
                </>
              ) : (
                <EmptyState kind="nothingYet" title="Test events and checks need an active endpoint." />
              )}
              {webhookEndpointFacts[endpoint.status].receives !== 'never' && <SignedSamplePanel endpointId={endpoint.id} />}
            </>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

/** Sends a real, signed delivery about a fixture of the test data. */
function TestEventPanel({ endpointId }: { endpointId: string }) {
  const [type, setType] = useState<EventType>('resource_updated');
  const [sent, setSent] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [, sendTestEvent] = useMutation(sendTestEventMutation);
  const confirmed = useFreshPasskey();

  async function send() {
    setBusy(true);
    setProblem(null);
    setSent(null);
    const { data, error } = await confirmed(() => sendTestEvent({ input: { endpointId, type } }));
    setBusy(false);
    setProblem(error?.message ?? null);
    setSent(data?.sendTestEvent.id ?? null);
  }

  return (
    <Panel
      title="Send a test event"
      lead="A real delivery with a real signature, about a fixture in your test data. Your receiver cannot tell it from any other; only this portal marks it as a test."
    >
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label="Event type"
            value={type}
            onChange={(event) => setType(event.currentTarget.value as EventType)}
            data={eventTypes.map((value) => ({ value, label: eventTypeWords[value].name }))}
          />
          <Button loading={busy} onClick={() => void send()}>
            Send test event
          </Button>
        </Group>
        {sent && <Followed key={sent} endpointId={endpointId} id={sent} />}
      </Stack>
    </Panel>
  );
}

/** What becomes of a delivery, until it has arrived or an attempt has failed. */
function Followed({ endpointId, id }: { endpointId: string; id: string }) {
  const to = useIntegrationPaths();
  const [{ data }] = usePolledQuery({
    query: deliveryStateQuery,
    variables: { id },
    whileTrue: ({ webhookDelivery }) => isUnderWay(webhookDelivery),
    every: 1000,
    context: fresh,
  });
  const delivery = data?.webhookDelivery;
  const last = delivery?.lastAttempt;
  const answer = last ? `: ${lastAttemptWords(last)}` : '';
  return (
    <Text role="status">
      {delivery === undefined || (!last && isUnderWay(delivery))
        ? 'The event is on its way.'
        : [`${deliveryFacts[delivery.state].word}${answer}.`, last?.failure].filter(Boolean).join(' ')}{' '}
      <Anchor component={Link} to={to.webhookDelivery(endpointId, id)} inherit>
        Follow its delivery
      </Anchor>
    </Text>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Sends good and broken requests to a receiver, and shows which it should have refused. */
function ReceiverCheckPanel({ endpointId }: { endpointId: string }) {
  const [result, read] = usePolledQuery({
    query: receiverCheckQuery,
    variables: { endpointId },
    whileTrue: ({ webhookEndpoint }) => webhookEndpoint.receiverCheck?.state === 'running',
    every: 1000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const [, checkReceiver] = useMutation(checkReceiverMutation);
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function check() {
    setBusy(true);
    const { error } = await confirmed(() => checkReceiver({ input: { endpointId } }));
    setBusy(false);
    setProblem(error?.message ?? null);
    reread();
  }

  return (
    <Panel
      title="Check your receiver"
      lead="We send a series of requests, most of them deliberately wrong, and check that your receiver accepts and refuses the right ones. Reviewers see the last result."
    >
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Loaded shape="table" result={result} onRetry={reread}>
          {({ webhookEndpoint: { receiverCheck } }) => (
            <>
              {receiverCheck && <Verdict check={receiverCheck} />}
              <Button
                w="fit-content"
                // What has passed needs no second try.
                variant={receiverCheck?.passed ? 'default' : 'filled'}
                loading={busy || receiverCheck?.state === 'running'}
                onClick={() => void check()}
              >
                {receiverCheck ? 'Check again' : 'Check the receiver'}
              </Button>
              {receiverCheck && receiverCheck.probedAt !== null && <ProbeTable probes={receiverCheck.probes} />}
            </>
          )}
        </Loaded>
      </Stack>
    </Panel>
  );
}

/** What the last check found, or how far the one that is running has come. */
function Verdict({ check }: { check: ReceiverCheck }) {
  const { state, failure, probedAt } = check;
  return (
    <>
      {state === 'running' && <Text role="status">The requests are being sent. This takes seconds if your receiver answers at once.</Text>}
      {failure !== null && <ErrorMessage message={failure} />}
      {probedAt !== null && (
        <Group gap="sm" role="status">
          <CheckVerdict check={check} />
          <Text size="sm" c="dimmed">
            Checked <Time value={probedAt} />
          </Text>
        </Group>
      )}
    </>
  );
}

/** Makes a command that sends one signed request to a receiver on the reader’s own computer. */
function SignedSamplePanel({ endpointId }: { endpointId: string }) {
  const [type, setType] = useState<EventType>('resource_updated');
  const [url, setUrl] = useState('http://localhost:8080/webhooks');
  const [sample, setSample] = useState<string | null>(null);
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const [, requestSample] = useMutation(requestSignedSampleMutation);
  const confirmed = useFreshPasskey();

  async function request() {
    setBusy(true);
    setProblem(null);
    const { data, error } = await confirmed(() => requestSample({ input: { endpointId, type, url: url.trim() } }));
    setBusy(false);
    setProblem(error ?? null);
    setSample(data?.requestSignedSample.id ?? null);
  }

  return (
    <Panel
      title="Sign a sample for your own computer"
      lead="A curl command with a signed request, for a receiver that you are still writing. Write its URL, with http or https, as the receiver expects it in the signature. Only for localhost, 127.0.0.1 and [::1]: signing for public URLs would help forgers."
    >
      <Stack gap="md">
        {problem && !problem.fields['url'] && <ErrorMessage message={problem.message} />}
        <Group align="flex-start" gap="sm">
          <TextInput
            label="URL of your local receiver"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={problem?.fields['url']}
            spellCheck={false}
            autoComplete="off"
            flex="1 1 18rem"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <NativeSelect
            label="Event type of the sample"
            value={type}
            onChange={(event) => setType(event.currentTarget.value as EventType)}
            data={eventTypes.map((value) => ({ value, label: eventTypeWords[value].name }))}
          />
        </Group>
        <Button variant="default" w="fit-content" loading={busy} onClick={() => void request()}>
          Create the command
        </Button>
        {sample && <Sample key={sample} id={sample} />}
      </Stack>
    </Panel>
  );
}

function Sample({ id }: { id: string }) {
  const [result, read] = usePolledQuery({
    query: signedSampleQuery,
    variables: { id },
    whileTrue: ({ signedSample }) => signedSample.command === null,
    every: 1000,
  });
  return (
    <Loaded shape="text" result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ signedSample: { command } }) => {
        if (command === null) return <Text role="status">A worker is signing the request, which takes about a second…</Text>;
        return <CopyableCode value={command} label="the command" block />;
      }}
    </Loaded>
  );
}

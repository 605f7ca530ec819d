import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useMutation } from 'urql';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { challengeFacts } from '../../../../../server/domain/webhook/challengeFacts.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { tabLoader } from '../../../features/integration/tabLoader.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { deliveriesPart, deliveriesQuery } from '../../../features/webhook-deliveries/deliveryQueries.ts';
import { EndpointHead } from '../../../features/webhooks/EndpointHead.tsx';
import { EndpointTabs } from '../../../features/webhooks/EndpointTabs.tsx';
import { useEndpoint } from '../../../features/webhooks/useEndpoint.ts';
import { verifyWebhookEndpointMutation } from '../../../features/webhooks/webhookMutations.ts';
import {
  type Challenge,
  type Endpoint,
  endpointPart,
  endpointQuery,
  historyPart,
  historyQuery,
} from '../../../features/webhooks/webhookQueries.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { share } from '../../../graphql/questions.ts';
import { BackLink } from '../../../ui/layout/BackLink.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { ProgressSteps, type Step } from '../../../ui/states/ProgressSteps.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { serverTime } from '../../../ui/time/serverTime.ts';
import { durationWords } from '../../../ui/time/timeWords.ts';
import { DeliveriesPanel } from './DeliveriesPanel.tsx';
import { HistoryPanel } from './HistoryPanel.tsx';
import { deliveryPage, noFilters } from './useDeliveryFilters.ts';

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
  const newest = deliveryPage(endpointId, noFilters, new Date(serverTime()), null);
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

type ChallengePanelProps = {
  endpoint: Pick<Endpoint, 'id' | 'url' | 'status' | 'provenAt'> & { readonly challenge: Challenge | null };
  onChange: () => void;
};

/** The ownership challenge as it runs, step by step, and what to do where it failed. An endpoint that is proven shows only when. */
function ChallengePanel({ endpoint, onChange }: ChallengePanelProps) {
  const { id: endpointId, status, provenAt, challenge } = endpoint;
  const [, verify] = useMutation(verifyWebhookEndpointMutation);
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const readOnly = useReadOnly();
  const { receives } = webhookEndpointFacts[status];
  if (receives === 'never') return null;
  const running = challenge !== null && challengeFacts[challenge.status].isRunning;
  const failed = challenge !== null && !running && !challengeFacts[challenge.status].proves;

  async function prove() {
    setBusy(true);
    const { error } = await confirmed(() => verify({ input: { endpointId } }));
    setBusy(false);
    setProblem(error?.message ?? null);
    onChange();
  }

  const again = !readOnly && (
    <Button
      variant={receives === 'notYet' ? 'filled' : 'default'}
      size={receives === 'notYet' ? 'sm' : 'xs'}
      w="fit-content"
      loading={busy}
      onClick={() => void prove()}
    >
      {challenge ? 'Send the challenge again' : 'Send the challenge'}
    </Button>
  );
  if (provenAt !== null && !failed && !running) {
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          The address was proven <Time value={provenAt} />.
        </Text>
        {again}
        {problem && <ErrorMessage message={problem} />}
      </Group>
    );
  }
  return (
    <Panel
      title="Proof that the address is yours"
      lead="We post a random value to your URL. Your receiver answers with a 2xx status and a JSON object that repeats it."
    >
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        {challenge && (
          <div role="status">
            <ProgressSteps steps={stepsOf(challenge)} />
          </div>
        )}
        {failed && <Cure challenge={challenge} />}
        {!running && again}
      </Stack>
    </Panel>
  );
}

function stepsOf({ id, status, steps }: Challenge): readonly Step[] {
  const past: readonly Step[] = steps.map((step) => ({
    key: `${id} ${step.name}`,
    state: step.outcome === 'failed' ? 'failed' : 'done',
    words: step.tookMs > 0 ? `${step.detail} (${durationWords(step.tookMs)})` : step.detail,
  }));
  return challengeFacts[status].isRunning
    ? [...past, { key: `${id} next`, state: 'working', words: steps.length === 0 ? 'Queued. It starts within seconds.' : 'On the way…' }]
    : past;
}

function Cure({ challenge }: { challenge: Challenge }) {
  const { failure, finishedAt, steps } = challenge;
  const told = steps.some(({ outcome }) => outcome === 'failed');
  return (
    <Text>
      {!told && failure} <strong>{cureOf(challenge)}</strong>
      {finishedAt && (
        <Text span size="sm" c="dimmed">
          {' '}
          Tried <Time value={finishedAt} />.
        </Text>
      )}
    </Text>
  );
}

/** What helps where a challenge failed, by the step at which it did. The service says what it has found. */
const cures = {
  addresses: 'Check the spelling of the host and its A and AAAA records: all of them must lead to public addresses.',
  connection: 'Start your receiver, or the proxy in front of it, and allow port 443 from everywhere, because our addresses can change.',
  tls: 'Install a certificate of a public authority for exactly this host, with its intermediate certificates, and check that the server picks it for this name (SNI).',
  status: 'Accept a POST on this path without a password, a cookie or a redirect, and answer 200. The challenge has no signature.',
  body: 'Answer with a body such as {"challenge": "the value of this very request"}. Each challenge is a new value.',
  unknown: 'Send the challenge again.',
} as const satisfies Record<Challenge['steps'][number]['name'], string>;

/** The step that helps after a failed challenge. */
function cureOf({ steps }: Pick<Challenge, 'steps'>): string {
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  return failed ? cures[failed.name] : 'Send the challenge again.';
}

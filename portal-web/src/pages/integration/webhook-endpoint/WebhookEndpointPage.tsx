import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, useCallback, useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { useMutation } from 'urql';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { challengeFacts } from '../../../../../server/domain/webhook/challengeFacts.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { tabLoader } from '../../../features/integration/tabLoader.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { DeliveriesPanel } from './DeliveriesPanel.tsx';
import { deliveriesPart, deliveriesQuery } from '../../../features/webhook-deliveries/deliveryQueries.ts';
import { deliveryPage, noFilters } from './useDeliveryFilters.ts';
import classes from './AttemptCharts.module.css';
import { attemptOutcomeNames, attemptOutcomes, countsWords, sumOf, totalsOf } from '../../../features/webhooks/attemptOutcomes.ts';
import { cureOf } from './challengeWords.ts';
import { EndpointHead } from '../../../features/webhooks/EndpointHead.tsx';
import { EndpointTabs } from '../../../features/webhooks/EndpointTabs.tsx';
import { useEndpoint } from '../../../features/webhooks/useEndpoint.ts';
import { verifyWebhookEndpointMutation } from '../../../features/webhooks/webhookMutations.ts';
import {
  type AttemptBucket,
  type Challenge,
  type Endpoint,
  endpointPart,
  endpointQuery,
  historyPart,
  historyQuery,
} from '../../../features/webhooks/webhookQueries.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { share } from '../../../graphql/questions.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { ChartFrame, NoPicture } from '../../../ui/charts/ChartFrame.tsx';
import { scaleEnd } from '../../../ui/charts/scaleEnd.ts';
import { BackLink } from '../../../ui/layout/BackLink.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { ProgressSteps, type Step } from '../../../ui/states/ProgressSteps.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { durationWords, hourWords } from '../../../ui/time/timeWords.ts';

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
          Proven <Time value={provenAt} />.
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

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** How deliveries to an endpoint went over a day or a week: what came of the attempts, and how fast it answered. */
function HistoryPanel({ endpointId }: { endpointId: string }) {
  const [period, changePeriod] = useAttemptPeriod();
  const [result, read] = usePolledQuery({
    query: historyQuery,
    variables: { endpointId, period },
    whileTrue: () => true,
    every: 15_000,
    context: fresh,
  });
  return (
    <Panel
      title="Attempts and response times"
      marks={
        <SegmentedControl
          aria-label="Period"
          size="xs"
          data={[
            { value: 'day', label: '24 hours' },
            { value: 'week', label: '7 days' },
          ]}
          value={period}
          onChange={(value) => changePeriod(value === 'week' ? 'week' : 'day')}
        />
      }
    >
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ webhookEndpoint: { attemptHistory } }) =>
          attemptHistory.some((bucket) => sumOf(bucket) > 0) ? (
            <Stack gap="lg">
              <AttemptChart buckets={attemptHistory} period={period} />
              <ResponseTimeChart buckets={attemptHistory} />
              <details>
                <summary>Read the charts as a table</summary>
                <DataTable
                  caption="Attempts and response times"
                  columns={columns}
                  rows={attemptHistory.filter((bucket) => sumOf(bucket) > 0).toReversed()}
                  rowKey={({ from }) => from}
                />
              </details>
            </Stack>
          ) : (
            <EmptyState kind="nothingFits" title="No attempts in this period." />
          )
        }
      </Loaded>
    </Panel>
  );
}

const columns: readonly Column<AttemptBucket>[] = [
  { header: 'From (UTC)', cell: ({ from }) => hourWords(new Date(from)), sortBy: ({ from }) => from },
  ...attemptOutcomeNames.map((name) => ({
    header: attemptOutcomes[name],
    figures: true,
    cell: (bucket: AttemptBucket) => bucket[name],
    sortBy: (bucket: AttemptBucket) => bucket[name],
  })),
  ...(['p50Ms', 'p95Ms'] as const).map((name) => ({
    header: name === 'p50Ms' ? 'p50' : 'p95',
    figures: true,
    cell: (bucket: AttemptBucket) => (bucket[name] === null ? '–' : durationWords(bucket[name])),
    sortBy: (bucket: AttemptBucket) => bucket[name] ?? -1,
  })),
];

/** How far back an endpoint’s history goes, kept in its page’s address. */
function useAttemptPeriod(): [AttemptPeriod, (period: AttemptPeriod) => void] {
  const [{ period }, change] = useUrlFilters(['period'], null);
  return [period === 'week' ? 'week' : 'day', (wanted) => change({ period: wanted === 'week' ? 'week' : '' })];
}

/** The library that draws the bars is loaded only where a chart is shown. If it does not load, the page works without it. */
const StackedBars = lazy(() => import('../../../ui/charts/StackedBars.tsx').catch(() => ({ default: NoPicture })));

/** An endpoint’s attempts over time, stacked by what came of them. The table below has the same figures. */
function AttemptChart({ buckets, period }: { buckets: readonly AttemptBucket[]; period: AttemptPeriod }) {
  const totals = totalsOf(buckets);
  const end = scaleEnd(Math.max(0, ...buckets.map(sumOf)));
  const layers = useMemo(
    () => attemptOutcomeNames.map((name) => ({ colour: `--${name}`, values: buckets.map((bucket) => bucket[name]) })),
    [buckets],
  );
  const words = useCallback((bar: number) => bucketWords(buckets[bar]), [buckets]);
  return (
    <ChartFrame
      className={classes.figure}
      legend={attemptOutcomeNames.map((name) => ({
        key: name,
        swatch: classes[name],
        words: (
          <>
            {attemptOutcomes[name]} <strong>{totals[name].toLocaleString('en')}</strong>
          </>
        ),
      }))}
      scale={[end, end / 2, 0].map((figure) => figure.toLocaleString('en'))}
      times={timesBelow(buckets)}
      summary={`${countsWords(totals, period === 'day' ? 'in the last 24 hours' : 'in the last 7 days')}. The table below has every figure.`}
      caption="Attempts by what came of them. Times are in UTC."
    >
      <StackedBars {...{ layers, end, words }} />
    </ChartFrame>
  );
}

function bucketWords(bucket: AttemptBucket | undefined): string {
  return bucket ? countsWords(bucket, `in the hour from ${hourWords(new Date(bucket.from))} UTC`) : '';
}

const Lines = lazy(() => import('../../../ui/charts/Lines.tsx').catch(() => ({ default: NoPicture })));

const lines = {
  p50: { word: 'Half of all answers within this (p50)', read: ({ p50Ms }: AttemptBucket) => p50Ms },
  p95: { word: '95% of all answers within this (p95)', read: ({ p95Ms }: AttemptBucket) => p95Ms },
} as const;
const lineNames = Object.keys(lines) as (keyof typeof lines)[];

/** How fast an endpoint answers, over time. The table below has the same figures. */
function ResponseTimeChart({ buckets }: { buckets: readonly AttemptBucket[] }) {
  const shown = useMemo(() => lineNames.map((name) => ({ colour: `--${name}`, values: buckets.map(lines[name].read) })), [buckets]);
  const highest = Math.max(0, ...shown.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const end = scaleEnd(highest);
  const words = useCallback((place: number) => timesOf(buckets[place]), [buckets]);
  return (
    <ChartFrame
      className={classes.figure}
      legend={lineNames.map((name) => ({ key: name, swatch: classes[name], words: lines[name].word }))}
      scale={[end, end / 2, 0].map(durationWords)}
      times={timesBelow(buckets)}
      summary={
        highest === 0
          ? 'No answers in this period.'
          : `Response times in this period, at most ${durationWords(highest)} at p95. The table below has every figure.`
      }
      caption="From sending a request to the end of the answer, as a histogram estimates it. Times are in UTC."
    >
      <Lines lines={shown} {...{ end, words }} />
    </ChartFrame>
  );
}

function timesOf(bucket: AttemptBucket | undefined): string {
  if (!bucket) return '';
  const { from, p50Ms, p95Ms } = bucket;
  const times = p50Ms === null || p95Ms === null ? 'no answers' : `p50 ${durationWords(p50Ms)}, p95 ${durationWords(p95Ms)}`;
  return `${hourWords(new Date(from))} UTC: ${times}`;
}

type AttemptPeriod = 'day' | 'week';

/** The times below a chart: of its first bucket, the middle one and the last. */
function timesBelow(buckets: readonly { readonly from: string }[]): string[] {
  return [0, Math.floor(buckets.length / 2), buckets.length - 1].map((index) =>
    buckets[index] ? hourWords(new Date(buckets[index].from)) : '',
  );
}

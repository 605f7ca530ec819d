import { Anchor, Button, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { corpusFacts } from '../../../../../server/domain/sandbox/corpusFacts.ts';
import { quotaWords } from '../../../features/administration/quotaWords.ts';
import { tabPath } from '../../../features/attention/actPath.ts';
import { DueTime } from '../../../features/attention/DueTime.tsx';
import type { Health } from '../../../features/attention/healthFragment.ts';
import { findingWords, isPressing, signalTones, signalWords, stateWord, toldOnOverview } from '../../../features/attention/healthWords.ts';
import { NeedsYou } from '../../../features/attention/NeedsYou.tsx';
import { StatusLine } from '../../../features/attention/StatusLine.tsx';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { type Client, type Integration, sandboxClient } from '../../../features/integration/integrationQuery.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { tabWords } from '../../../features/integration/tabWords.ts';
import { type IntegrationContext, type Service, useIntegration } from '../../../features/integration/useIntegration.ts';
import { OnboardingSteps } from '../../../features/overview/OnboardingSteps.tsx';
import { ScopeList } from '../../../features/scopes/ScopeList.tsx';
import type { ResultOf } from '../../../graphql/graphql.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { unbroken } from '../../../ui/text/unbroken.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { Timeline, type TimelineEntry } from '../../../ui/time/Timeline.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { ContactLink } from '../../../ui/values/ContactLink.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusIcon } from '../../../ui/values/StatusBadge.tsx';
import type { StatusTone } from '../../../ui/values/statusTone.ts';
import { FirstCalls, LastDay } from './Calls.tsx';
import nextStepClasses from './NextStep.module.css';
import classes from './Overview.module.css';
import { type Overview, overviewQuery } from './overviewQuery.ts';
import { isPractising, Practice } from './Practice.tsx';
import { reviewLine } from './reviewLine.ts';
import signalListClasses from './SignalList.module.css';

/** How often it is read again: an owner who has just made a call, or mended something, is waiting for it. */
const soon = 2_500;
const later = 30_000;
const fresh = { requestPolicy: 'cache-and-network' } as const;

type Read = ResultOf<typeof overviewQuery>;
const isAlive = ({ integration }: Read) => integration.sandbox.level !== 'retired';
const isSettled = ({ integration: { sandbox, production, clients, evidence } }: Read) =>
  sandbox.level === 'healthy' && (clients.length === 1 ? !isPractising(evidence) : production.level === 'healthy');

/** Whether data flows in each environment, if not why, and what the reader does next. */
export function Component() {
  const context = useIntegration();
  const { slug } = context.integration;
  const [every, setEvery] = useState(soon);
  const [result, read] = usePolledQuery({ query: overviewQuery, variables: { slug }, whileTrue: isAlive, every, context: fresh });
  const next = result.data && isSettled(result.data) ? later : soon;
  if (next !== every) setEvery(next);
  const reread = () => {
    read({ requestPolicy: 'network-only' });
    context.reread();
  };
  return (
    <Loaded result={result} onRetry={reread}>
      {({ integration: overview }) => <Shown {...{ overview, ...context, reread }} />}
    </Loaded>
  );
}

function Shown({ overview, integration, service, reread }: IntegrationContext & { overview: Overview }) {
  const [environment] = useEnvironment();
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const client = overview.clients.find((each) => each.environment === environment);
  const known = integration.clients.find((each) => each.environment === environment);
  const health = overview[environment];
  const begins = !readOnly && isBeginning(integration, overview);
  const practises = !readOnly && !begins && mayPractise(integration) && known?.environment === 'sandbox';
  const step = overview.nextStep && !begins && <NextStep step={overview.nextStep} contact={service.supportContact} />;
  const told = { listed: !begins, next: begins ? null : (overview.nextStep?.title ?? null) };
  // The first is the next step.
  const others = begins ? [] : overview.attention.slice(1);
  // What needs the owner stands first; the submission comes after what the reviewers look for.
  const comesAfter = practises && overview.nextStep?.level === null;
  // Where the submission is the next step, that has the button.
  const leads = integration.status === 'sandbox' && overview.nextStep?.act?.page !== 'production' && !readOnly;
  return (
    <Stack gap="md">
      <div className={classes.lines}>
        {integration.clients.some((each) => each.environment === 'production') && (
          <StatusLine health={overview.production} told={toldOnOverview(overview.production, told)} />
        )}
        <StatusLine health={overview.sandbox} told={toldOnOverview(overview.sandbox, told)} />
      </div>
      {!comesAfter && step}
      {others.length > 0 && (
        <div className={classes.others}>
          <NeedsYou items={others} label="Also needs your attention" within />
        </div>
      )}
      <div className={classes.columns}>
        <div className={classes.main}>
          <Stack gap="lg">
            {practises && <Practice evidence={overview.evidence} client={known} service={service} />}
            {comesAfter && step}
            {begins ? <FirstSteps {...{ integration, overview, service, reread }} /> : client && <LastDay client={client} />}
          </Stack>
        </div>
        <section aria-labelledby="signals" className={classes.signals}>
          <Title order={2} id="signals" mb="xs">
            {environment === 'sandbox' ? 'Sandbox' : 'Production'}
          </Title>
          <SignalList
            health={health}
            more={[
              {
                word: tabWords.production,
                found: reviewLine(integration, overview.missingForReview ?? null),
                to: to.production(),
                label: leads ? 'Go to the checklist' : null,
              },
            ]}
          />
        </section>
        <div className={classes.folds}>
          {known && <Identifiers integration={integration} client={known} limits={service.limits} />}
          {/* Where nothing is to be done there is room for it. */}
          <History timeline={integration.timeline} open={!overview.nextStep && !begins && client?.errorGroups.length === 0} />
        </div>
      </div>
    </Stack>
  );
}

/** Whether the sandbox has not been called successfully yet, and nobody has been asked to review it. */
function isBeginning({ status }: Integration, { clients }: Overview): boolean {
  const sandbox = clients.find(({ environment }) => environment === 'sandbox');
  return status === 'sandbox' && sandbox !== undefined && !hasCalled(sandbox);
}

/** Whether the profile can be submitted: what the reviewers look for then comes first, and stays in view as a line once all of it is seen. */
function mayPractise({ availableActions }: Integration): boolean {
  return availableActions.includes('submitForReview');
}

/** A refused call is none: its caller has still something to mend. */
function hasCalled({ lastRequestAt, lastSyncAt, traffic }: Overview['clients'][number]): boolean {
  if (lastRequestAt === null) return false;
  return lastSyncAt !== null || traffic.some(({ total, failed }) => total > failed) || traffic.every(({ total }) => total === 0);
}

function FirstSteps({ integration, service, reread, overview }: IntegrationContext & { overview: Overview }) {
  const to = useIntegrationPaths();
  const client = sandboxClient(integration);
  // Of the same answer as the step and the health, so that the page never says both that the data is ready and that it is not.
  const seen = overview.clients.find(({ environment }) => environment === 'sandbox');
  const called = seen !== undefined && hasCalled(seen);
  const ready = seen?.corpus ? corpusFacts[seen.corpus.state].isReady : false;
  const step = overview.nextStep;
  return (
    <OnboardingSteps
      steps={[
        { title: 'Describe your integration', done: true },
        {
          title: 'Get a sandbox certificate',
          done: client?.certificatesInUse.some(({ status }) => certificateFacts[status].stage === 'working') ?? false,
          content: (
            <>
              <Text size="sm">{step?.text}</Text>
              <Button component={Link} to={to.certificates({ environment: 'sandbox' })} size="sm">
                {step?.act?.label ?? 'Go to certificates'}
              </Button>
            </>
          ),
        },
        {
          title: ready ? 'Test data is ready' : 'Wait for your test data',
          done: ready,
          content: (
            <Text size="sm" role="status">
              {step?.text}
            </Text>
          ),
        },
        {
          title: 'Call your sandbox',
          done: called,
          content: client && <FirstCalls client={client} service={service} onAnswered={reread} />,
        },
        { title: 'Submit for production review', done: false },
      ]}
    />
  );
}

type IdentifiersProps = { integration: Integration; client: Client; limits: Service['limits'] };

/** The names by which the integration and its client are known, the client’s scopes and its quotas; folded. */
function Identifiers({ integration: { id, slug }, client, limits }: IdentifiersProps) {
  const { environment, commonName, scopes, quotaOverrides } = client;
  const baseline = `${limits.requestsPerHour} requests per hour, ${limits.requestsPerMinute} per minute, ${limits.concurrentRequests} at a time; poll every ${limits.pollingMinutes} minutes`;
  return (
    <Fold summary={`IDs, scopes and quotas (${environment})`}>
      <Facts
        facts={[
          ['Client ID', <Identifier key="client" value={client.id} label="the client ID" />],
          ['Common name for the CSR', <Identifier key="cn" value={commonName} label="the common name" />],
          ['Integration ID', <Identifier key="id" value={id} label="the integration ID" />],
          ['Slug', <Identifier key="slug" value={slug} label="the slug" />],
          ['Scopes', <ScopeList key="scopes" scopes={scopes} />],
          ...quotaOverrides.map(({ quota, value }) => [quotaWords[quota], `${value.toLocaleString('en')} (override)`] as const),
          [quotaOverrides.length > 0 ? 'Baseline quota' : 'Quota', baseline],
        ]}
      />
    </Fold>
  );
}

/** Whether nothing needs the owner about it: what does is listed with its deadline. */
const isQuiet = (level: Health['signals'][number]['level']): boolean => level === 'quiet' || level === 'healthy';

/** `label`: of a link beside what is found, where that is something to do. */
type MoreSignal = { readonly word: string; readonly found: string; readonly to: string; readonly label: string | null };
type SignalListProps = { health: Health; more?: readonly MoreSignal[] };

const none: NonNullable<SignalListProps['more']> = [];

/** What the health of one environment is made of, one line each with a link to the page that shows more. */
function SignalList({ health: { environment, signals }, more = none }: SignalListProps) {
  const to = useIntegrationPaths();
  const now = useNow();
  return (
    <ul className={signalListClasses.list}>
      {signals.map((signal) => (
        <li key={signal.signal} className={signalListClasses.line} data-level={signal.level}>
          <StatusIcon tone={isPressing(signal, now) ? 'bad' : signalTones[signal.level]} />
          <Anchor component={Link} inherit to={tabPath({ page: signal.page, environment, objectId: null }, to)}>
            {signalWords[signal.signal]}
          </Anchor>
          <span>
            {stateWord(signal) && <VisuallyHidden>{`${stateWord(signal)}: `}</VisuallyHidden>}
            {unbroken(findingWords(signal))}
            {signal.deadline && isQuiet(signal.level) && (
              <>
                {' '}
                <span className={signalListClasses.deadline}>
                  <Time value={signal.deadline} form="deadline" />
                </span>
              </>
            )}
          </span>
        </li>
      ))}
      {more.map(({ word, found, to: path, label }) => (
        <li key={word} className={signalListClasses.line}>
          <StatusIcon tone="neutral" />
          <Anchor component={Link} inherit to={path}>
            {word}
          </Anchor>
          <span>
            {found}
            {label && (
              <>
                {' '}
                <Anchor component={Link} inherit to={path} className={signalListClasses.act}>
                  {label}
                </Anchor>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

type Entry = Integration['timeline'][number];

const steps: Record<Entry['step'], { word: string; tone: StatusTone }> = {
  created: { word: 'Created with a sandbox', tone: 'neutral' },
  submitted: { word: 'Submitted for production review', tone: 'underWay' },
  rejected: { word: 'Rejected', tone: 'bad' },
  withdrawn: { word: 'Submission withdrawn', tone: 'neutral' },
  approved: { word: 'Approved', tone: 'good' },
  activated: { word: 'Activated for production', tone: 'good' },
  suspended: { word: 'Suspended', tone: 'bad' },
  reactivated: { word: 'Reactivated', tone: 'good' },
  retired: { word: 'Retired', tone: 'stopped' },
  gateOpened: { word: 'Production gate opened', tone: 'good' },
  gateClosed: { word: 'Production gate closed', tone: 'stopped' },
};

const authors: Record<Entry['by'], string> = { owner: 'by you', staff: 'by staff', service: 'automatically' };

/** How many entries are shown at first. */
const latest = 5;

/** What has become of the integration so far, the latest first. `open`: at first, in two columns; nothing moves when that changes. */
function History({ timeline, open }: Pick<Integration, 'timeline'> & { open: boolean }) {
  const [openAtFirst] = useState(() => open && window.matchMedia('(min-width: 56.25em)').matches);
  const [all, setAll] = useState(false);
  const shown = all ? timeline : timeline.slice(0, latest);
  return (
    <Fold summary={`History (${timeline.length})`} open={openAtFirst}>
      <Timeline label="History" entries={shown.map(entryOf)} />
      {shown.length < timeline.length && (
        <Button variant="default" size="xs" mt="md" onClick={() => setAll(true)}>
          Show {timeline.length} steps
        </Button>
      )}
    </Fold>
  );
}

function entryOf({ step, at, by, reason }: Entry): TimelineEntry {
  const { word, tone } = steps[step];
  return { key: `${at} ${step}`, tone, what: word, at, by: authors[by], more: reason };
}

type NextStepProps = { step: NonNullable<Overview['nextStep']>; contact: Service['supportContact'] };

/** The one thing to do next, or to wait for. */
function NextStep({ step: { level, title, detail, text, since, deadline, timeForm, act, contact: asks }, contact }: NextStepProps) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const now = useNow();
  const tone = level && (isPressing({ level, deadline }, now) ? 'bad' : signalTones[level]);
  return (
    <section className={nextStepClasses.root} data-tone={tone ?? undefined} aria-labelledby="next-step">
      <div className={nextStepClasses.words} aria-live="polite">
        <div className={nextStepClasses.head}>
          <Title order={2} id="next-step">
            {title}
          </Title>
          <Text size="sm" c="dimmed" component="span">
            <DueTime {...{ timeForm, deadline, since, act }} />
          </Text>
        </div>
        {detail && (
          <Text size="sm" fw={550}>
            {detail}
          </Text>
        )}
        <Text size="sm" maw={680}>
          {text}
          {asks && (
            <>
              {' '}
              Contact: <ContactLink contact={contact} />
            </>
          )}
        </Text>
      </div>
      {act && !readOnly && act.page !== 'overview' && (
        <Button component={Link} to={tabPath(act, to)}>
          {act.label}
        </Button>
      )}
      {asks && !readOnly && (
        <Button component="a" href={contact.url} variant={act && act.page !== 'overview' ? 'default' : 'filled'}>
          Contact support
        </Button>
      )}
    </section>
  );
}

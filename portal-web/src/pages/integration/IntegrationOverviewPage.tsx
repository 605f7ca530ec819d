import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { corpusFacts } from '../../../../server/domain/sandbox/corpusFacts.ts';
import { FirstCall } from '../../features/overview/FirstCall.tsx';
import { History } from '../../features/overview/History.tsx';
import { Identifiers } from '../../features/overview/Identifiers.tsx';
import { LastDay } from '../../features/overview/LastDay.tsx';
import { NextStep } from '../../features/overview/NextStep.tsx';
import { OnboardingSteps } from '../../features/overview/OnboardingSteps.tsx';
import classes from '../../features/overview/Overview.module.css';
import { overviewQuery, type Overview } from '../../features/overview/overviewQuery.ts';
import { reviewLine } from '../../features/overview/reviewLine.ts';
import { SignalList } from '../../features/attention/SignalList.tsx';
import { StatusLine } from '../../features/attention/StatusLine.tsx';
import { useEnvironment } from '../../features/integration/environment.ts';
import { sandboxClient, type Integration } from '../../features/integration/integrationQuery.ts';
import { useIntegrationPaths, useReadOnly } from '../../features/integration/ownerView.ts';
import { useIntegration, type IntegrationContext } from '../../features/integration/useIntegration.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** How often it is read again: whoever has just made a call, or mended something, is waiting for it. */
const soon = 2_500;
const later = 30_000;
const fresh = { requestPolicy: 'cache-and-network' } as const;

type Read = ResultOf<typeof overviewQuery>;
const isAlive = ({ integration }: Read) => integration.sandbox.level !== 'retired';
const isSettled = ({ integration: { sandbox, production, clients } }: Read) =>
  sandbox.level === 'healthy' && (production.level === 'healthy' || clients.length === 1);

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
      {({ integration: overview }) => <Shown overview={overview} {...context} reread={reread} />}
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
  return (
    <Stack gap="md">
      <div className={classes.lines}>
        {integration.clients.some((each) => each.environment === 'production') && <StatusLine health={overview.production} />}
        <StatusLine health={overview.sandbox} />
      </div>
      {overview.nextStep && !begins && (
        <NextStep step={overview.nextStep} reason={integration.statusReason ?? null} contact={service.supportContact} />
      )}
      <div className={classes.columns}>
        <div className={classes.main}>
          {begins ? <FirstSteps {...{ integration, overview, service, reread }} /> : client && <LastDay client={client} />}
        </div>
        <section aria-labelledby="signals">
          <Title order={2} id="signals" mb="xs">
            {environment === 'sandbox' ? 'Sandbox' : 'Production'}
          </Title>
          <SignalList health={health} more={[{ word: 'Review', found: reviewLine(integration), to: to.production() }]} />
        </section>
      </div>
      <div>
        {known && <Identifiers integration={integration} client={known} limits={service.limits} />}
        <History timeline={integration.timeline} />
      </div>
    </Stack>
  );
}

/** Whether the sandbox has not been called successfully yet, and nobody has been asked to review it. */
function isBeginning({ status }: Integration, { clients }: Overview): boolean {
  const sandbox = clients.find(({ environment }) => environment === 'sandbox');
  return status === 'sandbox' && sandbox !== undefined && !hasCalled(sandbox);
}

/** A refused call is none: its caller has still something to mend. */
function hasCalled({ lastRequestAt, lastSyncAt, traffic }: Overview['clients'][number]): boolean {
  if (lastRequestAt === null) return false;
  return lastSyncAt !== null || traffic.some(({ total, failed }) => total > failed) || traffic.every(({ total }) => total === 0);
}

function FirstSteps({ integration, service, reread, overview }: IntegrationContext & { overview: Overview }) {
  const to = useIntegrationPaths();
  const client = sandboxClient(integration);
  const called = overview.clients.some((each) => each.environment === 'sandbox' && hasCalled(each));
  const step = overview.nextStep;
  return (
    <OnboardingSteps
      steps={[
        { title: 'Describe your integration', done: true },
        {
          title: 'Get a client certificate',
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
          title: 'Wait for your test data',
          done: client?.corpus ? corpusFacts[client.corpus.state].isReady : false,
          content: (
            <Text size="sm" role="status">
              {step?.text}
            </Text>
          ),
        },
        {
          title: 'Call your sandbox',
          done: called,
          content: client && <FirstCall client={client} service={service} onAnswered={reread} />,
        },
        { title: 'Submit for production review', done: false },
      ]}
    />
  );
}

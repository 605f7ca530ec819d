import { Anchor, Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import type { HoldingPhase } from '../../../../../server/domain/integration/integrationFacts.ts';
import { sandboxInSuspension } from '../../../../../server/domain/notification/words/consequences.ts';
import { corpusFacts } from '../../../../../server/domain/sandbox/corpusFacts.ts';
import { hasIssued } from '../../../features/integration/hasIssued.ts';
import { type Client, isOver, type Phase, productionClient, sandboxClient } from '../../../features/integration/integrationQuery.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { integrationOf, tabLoader } from '../../../features/integration/tabLoader.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { share } from '../../../graphql/questions.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Notice } from '../../../ui/states/Notice.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { AboutCorpus, CorpusHead } from './CorpusHead.tsx';
import { LinkCodeAct } from './LinkCodeAct.tsx';
import nextSyncPanelClasses from './NextSyncPanel.module.css';
import { nextSyncWords, subjectOf, syncRecordWords } from './sandboxWords.ts';
import classes from './Sandbox.module.css';
import { SandboxContents } from './SandboxContents.tsx';
import type { PublishedStatistics } from './sandboxMutations.ts';
import {
  latestLinkCodes,
  resourcePage,
  type Sandbox as SandboxActsSandbox,
  sandboxContext,
  sandboxLinkCodesPart,
  sandboxLinkCodesQuery,
  sandboxNextSyncPart,
  sandboxNextSyncQuery,
  sandboxPart,
  sandboxQuery,
  sandboxResourcesPart,
  sandboxResourcesQuery,
} from './sandboxQueries.ts';
import { noFilters } from './useResourceFilters.ts';
import { useSimulator } from './useSimulator.ts';

const pageQuery = graphql(
  `
    query SandboxPage($clientId: ID!, $type: ResourceType, $status: String, $connectionId: ID, $id: String, $after: String) {
      ...SandboxPart
      ...SandboxLinkCodesPart
      ...SandboxResourcesPart
      ...SandboxNextSyncPart
    }
  `,
  [sandboxPart, sandboxLinkCodesPart, sandboxResourcesPart, sandboxNextSyncPart],
);

export const loader = tabLoader(async (page) => {
  if (!page.plain) return;
  const integration = await integrationOf(page);
  const clientId = integration && !isOver(integration) && sandboxClient(integration)?.id;
  if (!clientId) return;
  const resources = resourcePage(clientId, noFilters, null);
  page.ask(
    pageQuery,
    resources,
    share(sandboxQuery, { clientId }, ({ sandbox }) => ({ sandbox }), sandboxContext),
    share(sandboxLinkCodesQuery, latestLinkCodes(clientId), ({ sandboxLinkCodes }) => ({ sandboxLinkCodes }), sandboxContext),
    share(sandboxResourcesQuery, resources, ({ sandboxResources }) => ({ sandboxResources }), sandboxContext),
    share(sandboxNextSyncQuery, { clientId }, ({ sandboxNextSync }) => ({ sandboxNextSync }), sandboxContext),
  );
});

/** The sandbox: what is in it, what can be made happen in it, and what the next sync brings. */
export function Component() {
  const { integration } = useIntegration();
  const client = sandboxClient(integration);
  if (isOver(integration))
    return <ClosedSandbox since={integration.statusChangedAt} shared={productionClient(integration) !== undefined} />;
  if (!client) return <ErrorMessage message="This integration has no sandbox client." />;
  return <Sandbox key={client.id} client={client} name={integration.profile.publicName} />;
}

/** `shared` says whether it ever had production, where users share their own data. */
function ClosedSandbox({ since, shared }: { since: string | null; shared: boolean }) {
  const to = useIntegrationPaths();
  return (
    <Panel title="The sandbox is closed">
      <Text maw={640}>
        The integration was retired
        {since && (
          <>
            {' '}
            <Time value={since} />
          </>
        )}
        , and its calls have been refused since.{' '}
        {shared ? (
          <>
            All connections were revoked; what still has to be deleted is listed under{' '}
            <Anchor component={Link} to={to.deletions({ environment: 'production' })} inherit>
              deletions
            </Anchor>
            .
          </>
        ) : (
          'Its test data was removed.'
        )}
      </Text>
    </Panel>
  );
}

const isPending = ({ certificatesInUse }: Client): boolean =>
  certificatesInUse.some(({ status }) => certificateFacts[status].stage === 'pending');

/** That the sandbox cannot be called, where that is so; one that was never called has no problem. */
function NotCallable({ client }: { client: Client }) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  if (hasIssued(client) || isPending(client)) return null;
  const act = !readOnly && (
    <Button component={Link} to={to.certificates({ environment: 'sandbox' })} size="xs" w="fit-content">
      Get a certificate
    </Button>
  );
  if (client.lastRequestAt === null) {
    return (
      <Panel title="No certificate yet" lead="Your back end can call the sandbox once it has one.">
        {act}
      </Panel>
    );
  }
  return <Notice title="Your back end cannot call the sandbox" words="It has no valid certificate." actions={act} />;
}

/** With what the sandbox can be called. */
function Callable({ client }: { client: Client }) {
  const usable = hasIssued(client);
  if (!usable && !isPending(client)) return null;
  return (
    <Text size="sm">
      {usable ? (
        <>
          Your back end can call the sandbox with the certificate <code>{keyNameOf(client)}</code>.
        </>
      ) : (
        'Your back end can call the sandbox once its certificate has been issued.'
      )}
    </Text>
  );
}

/** What production's state could make its owner wonder about. */
const productionNotes: Readonly<Record<HoldingPhase, string> & Record<Exclude<Phase, HoldingPhase>, null>> = {
  unapproved: null,
  prepared: null,
  open: null,
  suspended: sandboxInSuspension,
  over: null,
};

function Sandbox({ client, name }: { client: Client; name: string }) {
  const { integration, service } = useIntegration();
  const readOnly = useReadOnly();
  const clientId = client.id;
  const note = productionNotes[integration.phases.production];
  const [result, read] = usePolledQuery({
    query: sandboxQuery,
    variables: { clientId },
    // The operator's back end redeems codes and acknowledges deletions, so the page has to poll for what that changes.
    whileTrue: () => true,
    every: ({ sandbox: { corpus } }) => (corpus && corpusFacts[corpus.state].isUnderWay ? 1000 : 5000),
    context: sandboxContext,
  });
  return (
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandbox }) => {
        const { corpus } = sandbox;
        const isReady = corpus !== null && corpusFacts[corpus.state].isReady;
        // Regenerating the test data makes a new sandbox, so nothing of the old one stays on the page.
        const key = isReady ? corpus.generation : 'making';
        const shared = { clientId, sandbox };
        const individual = ['orders.read', 'vehicles.read'].some((scope) => sandbox.grantableScopes.includes(scope));
        const filled = individual && (isReady || sandbox.connections > 0);
        const about = (
          <Stack gap="xs">
            {isReady && !note && <Callable client={client} />}
            <AboutCorpus sandbox={sandbox} />
          </Stack>
        );
        return (
          <Stack gap="md">
            {isReady && <NotCallable client={client} />}
            <CorpusHead {...shared} name={name} planned={client.corpusContents} />
            {note && (
              <Stack gap={4}>
                {isReady && <Callable client={client} />}
                <Text size="sm">{note}</Text>
              </Stack>
            )}
            {!filled && about}
            {!filled && !readOnly && sandbox.statistics && <SandboxActs {...shared} />}
            {filled && (
              <div className={classes.columns}>
                {!readOnly && (
                  <div className={classes.main}>
                    <LinkCodeAct key={`codes ${key}`} {...shared} service={service} />
                    <SandboxActs {...shared} />
                  </div>
                )}
                <div className={classes.side}>
                  <NextSyncPanel clientId={clientId} />
                  <Panel title="About this data">{about}</Panel>
                </div>
                <div className={classes.contents}>
                  <SandboxContents key={`contents ${key}`} {...shared} />
                </div>
              </div>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/**
 * What the next sync brings, starting where the client's last one ended. The service keeps this position, so it does not depend on the
 * page.
 */
function NextSyncPanel({ clientId }: { clientId: string }) {
  const [result, read] = usePolledQuery({
    query: sandboxNextSyncQuery,
    variables: { clientId },
    // Syncs and redemptions come from the operator's back end, so the page has to poll for them.
    whileTrue: () => true,
    every: 5000,
    context: sandboxContext,
  });
  return (
    <Panel title="Your next sync brings">
      <Loaded shape="text" result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ sandboxNextSync: next }) => (
          <>
            <Text size="sm" role="status">
              {nextSyncWords(next)}
            </Text>
            {next.lastSyncAt && (
              <Text size="xs" c="dimmed" mb="sm">
                Last sync <Time value={next.lastSyncAt} />
              </Text>
            )}
            {!next.fromBeginning && next.total > 0 && (
              <Text size="xs" c="dimmed" mb="sm">
                Your back end stores each record under its ID. A tombstone says what to delete, and names the revocation to acknowledge.
              </Text>
            )}
            {!next.fromBeginning && (
              <ol className={nextSyncPanelClasses.entries} aria-label="Records of the next sync">
                {next.records.map((record) => (
                  <li key={record.resourceId ?? record.connectionId} className={nextSyncPanelClasses.entry}>
                    <Text size="sm" component="div">
                      {subjectOf(record)} <Identifier value={record.resourceId ?? record.connectionId} copy={false} /> ·{' '}
                      {syncRecordWords(record)}
                      {record.revocationId && (
                        <>
                          {', to acknowledge as '}
                          <Identifier value={record.revocationId} copy={false} />
                        </>
                      )}
                    </Text>
                    <Text size="xs" c="dimmed">
                      <Time value={record.at} />
                    </Text>
                  </li>
                ))}
              </ol>
            )}
            {!next.fromBeginning && next.total > next.records.length && (
              <Text size="sm" c="dimmed" mt="sm">
                and {counted(next.total - next.records.length, 'earlier one')}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

type SandboxActsProps = { clientId: string; sandbox: Pick<SandboxActsSandbox, 'orders' | 'vehicles' | 'grantableScopes'> };

/** Lets time pass in the sandbox: advances any resources, and publishes a generation of statistics. */
function SandboxActs({ clientId, sandbox }: SandboxActsProps) {
  const { advance, publish, published, problem, busy } = useSimulator(clientId);
  const [count, setCount] = useState<number | string>(5);
  const [type, setType] = useState<'order' | 'vehicle' | ''>('');
  const both = sandbox.orders > 0 && sandbox.vehicles > 0;
  return (
    <div role="group" aria-label="Let time pass">
      {problem && <ErrorMessage message={problem} />}
      <div className={classes.acts}>
        {sandbox.orders + sandbox.vehicles > 0 && (
          <>
            <Button size="xs" variant="default" loading={busy} onClick={() => void advance({ count: Number(count), type: type || null })}>
              Advance
            </Button>
            <WholeNumberField aria-label="How many resources" size="xs" value={count} onChange={setCount} w={72} />
            {both && (
              <NativeSelect
                aria-label="Which resources"
                size="xs"
                value={type}
                onChange={({ currentTarget: { value } }) => setType(value as typeof type)}
                data={[
                  { value: '', label: 'orders and stock vehicles' },
                  { value: 'order', label: 'orders' },
                  { value: 'vehicle', label: 'stock vehicles' },
                ]}
              />
            )}
            <Text size="sm">{both ? 'by one step' : `${sandbox.orders > 0 ? 'orders' : 'stock vehicles'} by one step`}</Text>
          </>
        )}
        {sandbox.grantableScopes.includes('statistics.orders.read') && (
          <Button size="xs" variant="default" loading={busy} onClick={() => void publish()}>
            Publish statistics
          </Button>
        )}
      </div>
      {published && (
        <Text size="sm" mt="xs" role="status" style={{ overflowWrap: 'anywhere' }}>
          {publishedWords(published)}
        </Text>
      )}
    </div>
  );
}

/** What a client sees of a new generation. */
function publishedWords({ generationId, groupCount, alteredCount }: PublishedStatistics): string {
  const groups = `GET /v1/statistics/orders now returns ${generationId} with ${counted(groupCount, 'group')}.`;
  if (alteredCount === 0) {
    return `${groups} No value has changed: a value changes only once the data of at least 20 users in its group has. Advance many orders first.`;
  }
  return `${groups} ${alteredCount} ${alteredCount === 1 ? 'group has' : 'groups have'} changed.`;
}

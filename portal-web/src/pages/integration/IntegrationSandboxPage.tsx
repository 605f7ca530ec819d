import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { corpusFacts } from '../../../../server/domain/sandbox/corpusFacts.ts';
import { hasIssued } from '../../features/integration/hasIssued.ts';
import { keyNameOf } from '../../features/integration/keyNameOf.ts';
import { productionClient, sandboxClient, type Client, isOver } from '../../features/integration/integrationQuery.ts';
import { useIntegrationPaths, useReadOnly } from '../../features/integration/ownerView.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { LinkCodeAct } from '../../features/link-codes/LinkCodeAct.tsx';
import { CorpusHead } from '../../features/sandbox/CorpusHead.tsx';
import { NextSyncPanel } from '../../features/sandbox/NextSyncPanel.tsx';
import classes from '../../features/sandbox/Sandbox.module.css';
import { SandboxActs } from '../../features/sandbox/SandboxActs.tsx';
import { SandboxContents } from '../../features/sandbox/SandboxContents.tsx';
import { sandboxNextSyncPart, sandboxNextSyncQuery } from '../../features/sandbox/nextSyncQuery.ts';
import {
  latestLinkCodes,
  resourcePage,
  sandboxContext,
  sandboxLinkCodesPart,
  sandboxLinkCodesQuery,
  sandboxPart,
  sandboxQuery,
  sandboxResourcesPart,
  sandboxResourcesQuery,
} from '../../features/sandbox/sandboxQueries.ts';
import { noFilters } from '../../features/sandbox/useResourceFilters.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Notice } from '../../ui/states/Notice.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { graphql } from '../../graphql/graphql.ts';
import { share } from '../../graphql/questions.ts';
import { integrationOf, tabLoader } from '../../features/integration/tabLoader.ts';

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

/** Whether anybody can call the sandbox, and with what. */
function Callable({ client }: { client: Client }) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const usable = hasIssued(client);
  const pending = client.certificatesInUse.some(({ status }) => certificateFacts[status].stage === 'pending');
  if (!usable && !pending) {
    return (
      <Notice
        title="Your back end cannot call the sandbox"
        words="It has no valid certificate."
        actions={
          !readOnly && (
            <Button component={Link} to={to.certificates({ environment: 'sandbox' })} size="xs">
              Get a certificate
            </Button>
          )
        }
      />
    );
  }
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

function Sandbox({ client, name }: { client: Client; name: string }) {
  const { integration, service } = useIntegration();
  const readOnly = useReadOnly();
  const clientId = client.id;
  const [result, read] = usePolledQuery({
    query: sandboxQuery,
    variables: { clientId },
    whileTrue: ({ sandbox }) => sandbox.corpus !== null && corpusFacts[sandbox.corpus.state].isUnderWay,
    context: sandboxContext,
    every: 1000,
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
        return (
          <Stack gap="md">
            <CorpusHead {...shared} name={name} planned={client.corpusContents} />
            {isReady && <Callable client={client} />}
            {integration.phases.production === 'suspended' && (
              <Text size="sm">The suspension affects production only. The sandbox works as usual.</Text>
            )}
            {!filled && !readOnly && sandbox.statistics && <SandboxActs {...shared} />}
            {filled && (
              <div className={classes.columns}>
                <div className={classes.main}>
                  {!readOnly && <LinkCodeAct key={`codes ${key}`} {...shared} service={service} />}
                  {!readOnly && <SandboxActs {...shared} />}
                  <SandboxContents key={`contents ${key}`} {...shared} />
                </div>
                <div className={classes.side}>
                  <NextSyncPanel clientId={clientId} />
                </div>
              </div>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

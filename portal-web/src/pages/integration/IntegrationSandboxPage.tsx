import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { sandboxClient } from '../../features/integration/integrationQuery.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { ConnectionPanel } from '../../features/sandbox/ConnectionPanel.tsx';
import { LinkCodePanel } from '../../features/link-codes/LinkCodePanel.tsx';
import { NextSyncPanel } from '../../features/sandbox/NextSyncPanel.tsx';
import { ResourcePanel } from '../../features/sandbox/ResourcePanel.tsx';
import { SandboxCorpusPanel } from '../../features/sandbox/SandboxCorpusPanel.tsx';
import { sandboxContext, sandboxQuery } from '../../features/sandbox/sandboxQueries.ts';
import classes from '../../features/sandbox/Simulator.module.css';
import { SimulatorPanel } from '../../features/sandbox/SimulatorPanel.tsx';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { paths } from '../../paths.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';

/** The sandbox: its test data, link codes to try, and a simulator. */
export function Component() {
  const { integration } = useIntegration();
  const client = sandboxClient(integration);
  if (integration.status === 'retired') return <ClosedSandbox slug={integration.slug} />;
  if (!client) return <ErrorMessage message="This integration has no sandbox client." />;
  return <Sandbox key={client.id} clientId={client.id} name={integration.profile.publicName} />;
}

function ClosedSandbox({ slug }: { slug: string }) {
  return (
    <Panel title="The sandbox is closed" marks={<EnvironmentTag environment="sandbox" />}>
      <Text maw={640}>
        The integration is retired, so the sandbox can no longer be used. All connections have been revoked; what remains to be done is
        listed under{' '}
        <Anchor component={Link} to={paths.deletions(slug)} inherit>
          deletions
        </Anchor>
        .
      </Text>
    </Panel>
  );
}

function Sandbox({ clientId, name }: { clientId: string; name: string }) {
  const { service } = useIntegration();
  const [result, read] = usePolledQuery({
    query: sandboxQuery,
    variables: { clientId },
    whileTrue: ({ sandbox }) => sandbox.corpus?.state === 'queued' || sandbox.corpus?.state === 'building',
    context: sandboxContext,
    every: 1000,
  });
  return (
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandbox }) => {
        const { corpus } = sandbox;
        // Regenerating the test data makes a new sandbox, so nothing of the old one stays on the page.
        const key = corpus?.state === 'ready' ? corpus.generation : 'making';
        const shared = { clientId, sandbox };
        const individual = ['orders.read', 'vehicles.read'].some((scope) => sandbox.grantableScopes.includes(scope));
        if (!individual) {
          return (
            <Stack gap="lg">
              <SandboxCorpusPanel {...shared} name={name} />
              {sandbox.statistics && <SimulatorPanel {...shared} />}
            </Stack>
          );
        }
        return (
          <Stack gap="lg">
            <SandboxCorpusPanel {...shared} name={name} />
            {(corpus?.state === 'ready' || sandbox.connections > 0) && (
              <>
                <LinkCodePanel key={`codes ${key}`} {...shared} service={service} />
                <div className={classes.columns}>
                  <div className={classes.main}>
                    <SimulatorPanel {...shared} />
                  </div>
                  <div className={classes.log}>
                    <NextSyncPanel clientId={clientId} />
                  </div>
                  <div className={classes.main}>
                    <ResourcePanel key={`resources ${key}`} {...shared} />
                    <ConnectionPanel key={`connections ${key}`} clientId={clientId} />
                  </div>
                </div>
              </>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

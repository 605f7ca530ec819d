import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { firstCallCommands } from '../../../features/integration/firstCallCommands.ts';
import { hasIssued } from '../../../features/integration/hasIssued.ts';
import type { Client, Phase } from '../../../features/integration/integrationQuery.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { clientsTabLoader } from '../../../features/integration/tabLoader.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { newestRequests } from './RequestLog.tsx';
import { RequestsView } from './RequestsView.tsx';
import { requestsQuery } from './usageQueries.ts';
import { paths } from '../../../paths.ts';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';

/** Why every call is refused, whatever it asks for. */
const refusals: Readonly<Record<Phase, string | null>> = {
  unapproved: 'Every call is refused until you activate production access.',
  prepared: 'Every call is refused until you activate production access.',
  open: null,
  suspended: 'Every call is refused while the integration is suspended.',
  over: 'Every call is refused, because the integration is retired.',
};

export const loader = clientsTabLoader(requestsQuery, (slug, { id }) => newestRequests(slug, id));

/** The requests of an integration's client: what is refused now and why, the log, and one request beside it. */
export function Component() {
  const to = useIntegrationPaths();
  const { integration } = useIntegration();
  const [shown] = useEnvironment();
  const client = integration.clients.find(({ environment }) => environment === shown);
  if (!client) return <ErrorMessage message="This integration has no client." />;
  const refusedBecause = refusals[integration.phases[client.environment]];
  const certificatesPath = to.certificates({ environment: client.environment });
  return (
    <RequestsView
      key={client.id}
      client={client}
      slug={integration.slug}
      refusedBecause={refusedBecause}
      callable={refusedBecause === null && hasIssued(client)}
      certificatesPath={certificatesPath}
      none={<FirstRequest {...{ client, certificatesPath, refusedBecause }} />}
    />
  );
}

type FirstRequestProps = {
  client: Client;
  certificatesPath: string;
  /** Why every call is refused, which the page says above; null where calls are answered. */
  refusedBecause: string | null;
};

/** Shown to owners while the request log is empty: the command for a first call. */
function FirstRequest({ client, certificatesPath, refusedBecause }: FirstRequestProps) {
  const { service } = useIntegration();
  const readOnly = useReadOnly();
  const keyName = keyNameOf(client);
  if (refusedBecause !== null) return <Text>No requests in the last 7 days.</Text>;
  const [first] = firstCallCommands({ ...service, keyName });
  if (!hasIssued(client)) {
    const pending = client.certificatesInUse.length > 0;
    return (
      <Stack gap="sm" align="flex-start" pt="xs">
        <Title order={2}>{pending ? 'The certificate is being issued' : 'To call the API, your back end needs a client certificate'}</Title>
        {!pending && !readOnly && (
          <Button component={Link} to={certificatesPath}>
            Get a certificate
          </Button>
        )}
        <Text size="sm" c="dimmed">
          The command for a call appears here once you have one.
        </Text>
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <Text>
        Run this in the folder with <code>{keyName}.key</code> and <code>{keyName}.pem</code>
        {service.developmentCa && (
          <>
            {' '}
            (and{' '}
            <Anchor href={paths.developmentCa} download="ca.pem" inherit>
              ca.pem
            </Anchor>
            )
          </>
        )}
        :
      </Text>
      {first && <CopyableCode value={first.command} label="the command for the first call" block />}
      <Text size="sm" c="dimmed">
        The call appears here within three seconds of its response. If it is refused, you see why and what to do.
      </Text>
    </Stack>
  );
}

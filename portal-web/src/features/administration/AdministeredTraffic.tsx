import { Stack, Text } from '@mantine/core';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { EnvironmentContext, useEnvironment } from '../integration/environment.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { CertificateTable } from '../certificates/CertificateTable.tsx';
import { certificatesQuery } from '../certificates/certificatesQuery.ts';
import { RequestsView } from '../request-log/RequestsView.tsx';
import type { AdministeredClient } from './integrationQueries.ts';

const pageSize = 5;
const fresh = { requestPolicy: 'cache-and-network' } as const;

/**
 * How an integration calls the machine API, one environment at a time: its certificates and its request log. Administrators can only read
 * them.
 */
export function AdministeredTraffic({ clients }: { clients: readonly AdministeredClient[] }) {
  return (
    <EnvironmentContext value={{ usual: 'sandbox', several: clients.length > 1 }}>
      <Traffic clients={clients} />
    </EnvironmentContext>
  );
}

function Traffic({ clients }: { clients: readonly AdministeredClient[] }) {
  const [wanted, changeEnvironment] = useEnvironment();
  const client = clients.find(({ environment }) => environment === wanted) ?? clients[0];
  if (!client) return null;
  return (
    <>
      <EnvironmentSwitch clients={clients} value={client.environment} onChange={changeEnvironment} />
      <Stack gap="lg" key={client.id}>
        <AdministeredCertificates client={client} />
        <RequestsView
          client={client}
          slug={null}
          retired={false}
          certificatesPath={null}
          none={<Text c="dimmed">No requests in the last 7 days.</Text>}
        />
      </Stack>
    </>
  );
}

function AdministeredCertificates({ client }: { client: AdministeredClient }) {
  const place = usePlace('certificates');
  const [result, read] = usePolledQuery({
    query: certificatesQuery,
    variables: { clientId: client.id, first: pageSize, after: place.after },
    whileTrue: ({ certificates }) => certificates.edges.some(({ node }) => node.status === 'pending'),
    context: fresh,
  });
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ certificates: page }) => (
        <Panel title="Certificates" marks={<EnvironmentTag environment={client.environment} />}>
          <PagedList label="Certificates" {...{ place, page }} none={<Text c="dimmed">The owner has not requested any.</Text>}>
            {(certificates) => <CertificateTable caption="Certificates" certificates={certificates} />}
          </PagedList>
        </Panel>
      )}
    </LoadedList>
  );
}

import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { useEnvironment } from '../../ui/lists/useEnvironment.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { CertificateList } from '../certificates/CertificateList.tsx';
import { certificatesQuery } from '../certificates/certificatesQuery.ts';
import { RequestLogPanel } from '../usage/RequestLogPanel.tsx';
import type { AdministeredClient } from './integrationQueries.ts';

const pageSize = 5;
const fresh = { requestPolicy: 'cache-and-network' } as const;

/**
 * How an integration calls the machine API, one environment at a time: its certificates and its request log. Administrators can only read
 * them.
 */
export function AdministeredTraffic({ clients }: { clients: readonly AdministeredClient[] }) {
  const [wanted, changeEnvironment] = useEnvironment();
  const [live, setLive] = useState(true);
  const client = clients.find(({ environment }) => environment === wanted) ?? clients[0];
  if (!client) return null;
  return (
    <>
      <EnvironmentSwitch clients={clients} value={client.environment} onChange={changeEnvironment} />
      <Stack gap="lg" key={client.id}>
        <AdministeredCertificates client={client} />
        <RequestLogPanel
          client={client}
          live={live}
          onLive={setLive}
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
        <CertificateList
          title="Certificates"
          environment={client.environment}
          none="The owner has not requested any."
          {...{ page, place }}
        />
      )}
    </LoadedList>
  );
}

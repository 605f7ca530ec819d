import { Anchor, Stack } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { paths } from '../../paths.ts';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { filterNavigation } from '../../ui/lists/filterNavigation.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import type { Client } from '../integration/integrationQuery.ts';
import { useIntegration } from '../integration/useIntegration.ts';
import { NewCertificate } from '../new-certificate/NewCertificate.tsx';
import { CertificateList } from './CertificateList.tsx';
import { RenewalPanel } from './RenewalPanel.tsx';
import { CertificatesInUse } from './CertificatesInUse.tsx';
import { certificatesQuery } from './certificatesQuery.ts';

const pageSize = 20;
const fresh = { requestPolicy: 'cache-and-network' } as const;

/** The certificates of one client, and how to get another one. Use the client's ID as the key. */
export function ClientCertificates({ client }: { client: Client }) {
  const { integration, service, reread } = useIntegration();
  const place = usePlace();
  const navigate = useNavigate();
  const [result, read] = usePolledQuery({
    query: certificatesQuery,
    variables: { clientId: client.id, first: pageSize, after: place.after },
    whileTrue: ({ certificates }) => certificates.edges.some(({ node }) => node.status === 'pending'),
    context: fresh,
  });
  // A new or revoked certificate shows on the first page of the list, and can change the integration's next step.
  const onChange = () => {
    if (place.after !== null) void navigate(place.first.to, { ...filterNavigation, state: place.first.state });
    read({ requestPolicy: 'network-only' });
    reread();
  };
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ certificates: page }) => (
        <Stack gap="lg">
          <CertificatesInUse client={client} />
          {integration.status !== 'retired' && <NewCertificate {...{ client, service, onChange }} />}
          <CertificateList
            title="Your certificates"
            environment={client.environment}
            none={integration.status === 'retired' ? 'None. The integration is retired, so none can be requested.' : <NoCertificates />}
            {...{ page, place, onChange }}
          />
          {integration.status !== 'retired' && <RenewalPanel {...{ client, service }} onChange={reread} />}
        </Stack>
      )}
    </LoadedList>
  );
}

function NoCertificates() {
  return (
    <>
      None yet. The first one appears here a few seconds after you request it.{' '}
      <Anchor component={Link} to={paths.guide('certificates')} inherit>
        About certificates and rotation
      </Anchor>
    </>
  );
}

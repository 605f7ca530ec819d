import { Button, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { p12Facts } from '../../../../server/domain/certificate/p12/package/p12Facts.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Fold } from '../../ui/layout/Fold.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { type Client, isOver } from '../integration/integrationQuery.ts';
import { useReadOnly } from '../integration/ownerView.ts';
import { useIntegration } from '../integration/useIntegration.ts';
import { useInHand } from '../new-certificate/inHand.ts';
import { useKeyTrace } from '../new-certificate/keyTrace.ts';
import { NewCertificate } from '../new-certificate/NewCertificate.tsx';
import classes from './ClientCertificates.module.css';
import { certificateAnswer } from './certificateEnd.ts';
import { CertificateTable } from './CertificateTable.tsx';
import { CertificateWarnings } from './CertificateWarnings.tsx';
import { certificatesPage, clientCertificatesQuery, type Certificate } from './certificatesQuery.ts';
import { CertificateDays } from './CertificateDays.tsx';
import { RevokeDialog } from './RevokeDialog.tsx';
import { useStopped } from './useStopped.ts';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Which certificate a client uses, until when, and how to get the next one. Use the client's ID as the key. */
export function ClientCertificates({ client }: { client: Client }) {
  const { integration, service, reread } = useIntegration();
  const place = usePlace();
  const chosen = useSearchParams()[0].get('certificate');
  const [revoking, setRevoking] = useState<Certificate | null>(null);
  const [held] = useInHand(client.id);
  const trace = useKeyTrace(client.id);
  const [wanted, setWanted] = useState(false);
  const now = useNow();
  const [result, read] = usePolledQuery({
    query: clientCertificatesQuery,
    variables: certificatesPage(integration.slug, client.id, { after: place.after, chosen }),
    whileTrue: ({ inUse }) => inUse.edges.some(({ node }) => certificateFacts[node.status].stage === 'pending'),
    context: fresh,
  });
  const onChange = () => {
    read({ requestPolicy: 'network-only' });
    reread();
  };
  const readOnly = useReadOnly();
  const stopped = useStopped();
  const retired = isOver(integration);
  const mayRequest = !retired && !readOnly;
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ inUse: { edges }, ended, chosen: found, integration: { clients } }) => {
        const inUse = edges.map(({ node }) => node);
        const open =
          wanted ||
          held !== null ||
          trace !== null ||
          inUse.length === 0 ||
          inUse.some(({ p12 }) => p12 && p12Facts[p12.status].stage === 'ready');
        const elsewhere = (found?.edges ?? []).map(({ node }) => node).filter(({ id }) => inUse.every((each) => each.id !== id));
        return (
          <Stack gap="md">
            <div className={classes.head}>
              <div role="status">
                <Title order={2}>
                  {retired && inUse.length === 0
                    ? 'No certificate is in use, and none can be requested: the integration is retired'
                    : certificateAnswer(inUse, now, stopped)}
                </Title>
              </div>
              {mayRequest && !open && (
                <Button size="xs" onClick={() => setWanted(true)}>
                  New certificate
                </Button>
              )}
            </div>
            <CertificateWarnings inUse={inUse} refused={clients.find(({ id }) => id === client.id)?.errorGroups ?? []} />
            <CertificateDays inUse={inUse} />
            {inUse.length > 0 && (
              <CertificateTable
                caption="Certificates in use"
                certificates={inUse}
                chosen={chosen}
                onRevoke={readOnly ? undefined : setRevoking}
              />
            )}
            {elsewhere.length > 0 && (
              <CertificateTable caption="The certificate that you looked for" certificates={elsewhere} chosen={chosen} />
            )}
            {mayRequest && open && <NewCertificate {...{ client, service, onChange }} />}
            {(ended.edges.length > 0 || place.after !== null) && (
              <Fold summary="Ended certificates" open={retired || place.after !== null}>
                <PagedList label="Ended certificates" place={place} page={ended} none={null}>
                  {(certificates) => <CertificateTable caption="Ended certificates" certificates={certificates} />}
                </PagedList>
              </Fold>
            )}
            {revoking && (
              <RevokeDialog
                certificate={revoking}
                environment={client.environment}
                onClose={() => setRevoking(null)}
                onRevoked={onChange}
              />
            )}
          </Stack>
        );
      }}
    </LoadedList>
  );
}

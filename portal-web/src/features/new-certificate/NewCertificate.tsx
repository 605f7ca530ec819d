import { Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../ui/layout/Panel.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import type { Service } from '../integration/useIntegration.ts';
import { useInHand } from './inHand.ts';
import { KeyInBrowser } from './KeyInBrowser.tsx';
import { KeyInBrowserProgress } from './KeyInBrowserProgress.tsx';
import { useKeyTrace, writeKeyTrace } from './keyTrace.ts';
import { LostKeyNotice } from './LostKeyNotice.tsx';
import { OwnRequest } from './OwnRequest.tsx';
import { WayChoice, type Way } from './WayChoice.tsx';

type NewCertificateProps = {
  client: Client;
  service: Service;
  /** Called after a certificate was requested or revoked. */
  onChange: () => void;
};

/** The ways to the next certificate of a client, and what is under way on this page. */
export function NewCertificate({ client, service, onChange }: NewCertificateProps) {
  const [held, hold] = useInHand(client.id);
  const trace = useKeyTrace(client.id);
  const { certificateDays, certificatesPerEnvironment } = service.limits;
  const forgetTrace = () => writeKeyTrace(client.id, null);
  return (
    <Panel
      title="New certificate"
      marks={<EnvironmentTag environment={client.environment} />}
      lead={`A certificate is valid for ${certificateDays} days. At most ${certificatesPerEnvironment} can be in use at a time, so you can rotate keys without downtime.`}
    >
      {trace && !held && (
        <LostKeyNotice
          {...{ client, trace }}
          onDismiss={forgetTrace}
          onRevoked={() => {
            forgetTrace();
            onChange();
          }}
        />
      )}
      {isRequested(held) ? (
        <KeyInBrowserProgress
          {...{ held, service }}
          clientId={client.id}
          onDownloaded={forgetTrace}
          onDone={() => {
            hold(null);
            forgetTrace();
          }}
        />
      ) : (
        <Ways client={client} most={certificatesPerEnvironment} onRequested={onChange} />
      )}
    </Panel>
  );
}

function isRequested<Held extends { readonly certificateId: string | null }>(held: Held | null): held is Held & { certificateId: string } {
  return held !== null && held.certificateId !== null;
}

function Ways({ client, most, onRequested }: { client: Client; most: number; onRequested: () => void }) {
  const [way, setWay] = useState<Way>('browser');
  const inUse = client.certificatesInUse.length;
  if (inUse >= most) {
    return <Text>{inUse} certificates are in use. Before you request another, revoke the one that your back end no longer uses.</Text>;
  }
  return (
    <>
      <WayChoice value={way} onChange={setWay} />
      {way === 'browser' ? <KeyInBrowser {...{ client, onRequested }} /> : <OwnRequest {...{ client, onRequested }} />}
    </>
  );
}

import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Fold } from '../../ui/layout/Fold.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import type { Service } from '../integration/useIntegration.ts';
import { useInHand, type KeyInHand } from './inHand.ts';
import { KeyInBrowser } from './KeyInBrowser.tsx';
import { KeyInBrowserProgress } from './KeyInBrowserProgress.tsx';
import { useKeyTrace, writeKeyTrace } from './keyTrace.ts';
import { LostKeyNotice } from './LostKeyNotice.tsx';
import { LostTokenNotice } from '../p12-package/LostTokenNotice.tsx';
import { OwnRequest } from './OwnRequest.tsx';
import { P12Progress } from '../p12-package/P12Progress.tsx';
import { P12Request } from '../p12-package/P12Request.tsx';
import { isWaiting } from '../p12-package/p12Words.ts';
import { RenewalByEst } from './RenewalByEst.tsx';
import { WayChoice, ways, type Way } from './WayChoice.tsx';

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
  const waiting = client.certificatesInUse.find(({ p12 }) => p12 !== null && isWaiting(p12));
  const forgetTrace = () => writeKeyTrace(client.id, null);
  return (
    <Panel
      title="New certificate"
      marks={<EnvironmentTag environment={client.environment} />}
      lead={`A certificate is valid for ${certificateDays} days. At most ${certificatesPerEnvironment} can be in use at a time, so you can rotate keys without downtime.`}
    >
      <Stack gap="lg" align="stretch">
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
        {waiting && !held && <LostTokenNotice {...{ client, onChange }} certificateId={waiting.id} keyName={waiting.keyName} />}
        {held?.way === 'p12' ? (
          <P12Progress key={held.certificateId} {...{ held, service, onChange }} clientId={client.id} />
        ) : isRequested(held) ? (
          <KeyInBrowserProgress
            {...{ held, service }}
            clientId={client.id}
            onIssued={onChange}
            onDownloaded={forgetTrace}
            onDone={() => {
              hold(null);
              forgetTrace();
            }}
          />
        ) : (
          <Ways {...{ client, service }} onRequested={onChange} />
        )}
      </Stack>
    </Panel>
  );
}

function isRequested(held: KeyInHand | null): held is KeyInHand & { certificateId: string } {
  return held !== null && held.certificateId !== null;
}

function Ways({ client, service, onRequested }: { client: Client; service: Service; onRequested: () => void }) {
  const inUse = client.certificatesInUse.length;
  const [way, setWay] = useState<Way>('browser');
  const renewal = <RenewalByEst {...{ client, service }} onChange={onRequested} />;
  if (inUse >= service.limits.certificatesPerEnvironment) {
    return (
      <>
        <Text>{inUse} certificates are in use. Before you request another, revoke the one that your back end no longer uses.</Text>
        <Fold summary={ways.est.title}>{renewal}</Fold>
      </>
    );
  }
  return (
    <>
      <WayChoice offered={inUse === 0 ? firstWays : allWays} value={way} onChange={setWay} />
      {way === 'browser' && <KeyInBrowser {...{ client, onRequested }} />}
      {way === 'own' && <OwnRequest {...{ client, onRequested }} />}
      {way === 'p12' && <P12Request {...{ client, onRequested }} />}
      {way === 'est' && renewal}
    </>
  );
}

/** A back end can renew only what it has. */
const firstWays = ['browser', 'own', 'p12'] as const;
const allWays = [...firstWays, 'est'] as const;

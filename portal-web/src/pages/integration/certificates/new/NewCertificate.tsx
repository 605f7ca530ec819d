import { Anchor, Button, Stack, Switch, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { certificateFacts, overlapDays } from '../../../../../../server/domain/certificate/certificateFacts.ts';
import type { Client } from '../../../../features/integration/integrationQuery.ts';
import type { Service } from '../../../../features/integration/useIntegration.ts';
import { useFreshPasskey } from '../../../../features/passkey/useFreshPasskey.ts';
import { graphql } from '../../../../graphql/graphql.ts';
import { paths } from '../../../../paths.ts';
import { Fold } from '../../../../ui/layout/Fold.tsx';
import { Panel } from '../../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../../ui/states/ErrorMessage.tsx';
import { Notice } from '../../../../ui/states/Notice.tsx';
import { CopyableCode } from '../../../../ui/values/CopyableCode.tsx';
import { EnvironmentTag } from '../../../../ui/values/EnvironmentTag.tsx';
import { RevokeDialog } from '../RevokeDialog.tsx';
import { type UnsavedKey, useUnsaved } from './unsaved.ts';
import { KeyInBrowser, KeyInBrowserProgress } from './KeyInBrowser.tsx';
import { type KeyTrace, useKeyTrace, writeKeyTrace } from './keyTrace.ts';
import { OwnRequest } from './OwnRequest.tsx';
import { isWaiting, P12Progress, useRequestP12 } from './P12Progress.tsx';
import type { Following } from './useProgress.ts';
import classes from './WayChoice.module.css';

type NewCertificateProps = {
  client: Client;
  service: Service;
  /** What has become of the certificate that this page requested. */
  following: Following;
  /** Called after a certificate was requested or revoked. */
  onChange: () => void;
  /** Called when another certificate is wanted than the one that is under way on this page. */
  onNext: () => void;
};

/** The ways to the next certificate of a client, and what is under way on this page. */
export function NewCertificate({ client, service, following, onChange, onNext }: NewCertificateProps) {
  const [held, hold] = useUnsaved(client.id);
  const trace = useKeyTrace(client.id);
  const { certificateDays, certificatesPerEnvironment } = service.limits;
  const waiting = client.certificatesInUse.find(({ p12 }) => p12 !== null && isWaiting(p12));
  const forgetTrace = () => writeKeyTrace(client.id, null);
  const isIssued = held !== null && following.progress !== null && certificateFacts[following.progress.status].stage === 'working';
  const days = `Valid for ${certificateDays} days.`;
  const rotation = `At most ${certificatesPerEnvironment} can be in use at a time, so you can rotate keys without downtime.`;
  return (
    <Panel
      title={isIssued ? 'Your new certificate' : 'New certificate'}
      marks={<EnvironmentTag environment={client.environment} />}
      lead={held === null && (client.certificatesInUse.length === 0 ? days : `${days} ${rotation}`)}
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
          <P12Progress key={held.certificateId} {...{ client, held, following, service, onChange }} />
        ) : isRequested(held) ? (
          <KeyInBrowserProgress
            {...{ client, held, service }}
            progress={following.progress}
            onIssued={onChange}
            onHad={() => {
              hold({ ...held, keyPem: null });
              forgetTrace();
              onChange();
            }}
            onDone={() => {
              hold(null);
              forgetTrace();
              onNext();
            }}
          />
        ) : (
          <Ways {...{ client, service }} onRequested={onChange} />
        )}
      </Stack>
    </Panel>
  );
}

function isRequested(held: UnsavedKey | null): held is UnsavedKey & { certificateId: string } {
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
  const replaced = client.certificatesInUse.find(({ status }) => certificateFacts[status].stage === 'working');
  return (
    <>
      {replaced && (
        <Text size="sm" maw={640}>
          <code>{replaced.keyName}</code>, which is in use, ends {overlapDays} days after the new one is issued, if not before: switch to
          the new one by then.
        </Text>
      )}
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

/** Requests a P12 package. */
function P12Request({ client, onRequested }: { client: Client; onRequested: () => void }) {
  const { request, busy, problem } = useRequestP12(client.id, onRequested);
  return (
    <Stack gap="md" align="flex-start">
      {problem && <ErrorMessage message={problem} />}
      <Text size="sm" maw={640}>
        Stay on this page: it alone gets the claim token that opens the package, and keeps it in memory only. The package is ready about a
        second later. You then have 15 minutes to download <code>{client.nextKeyName}.p12</code>, once, and to note its password. You will
        be asked for your passkey.
      </Text>
      <Button loading={busy} onClick={() => void request()}>
        Request P12 package
      </Button>
    </Stack>
  );
}

type LostTokenNoticeProps = { client: Client; certificateId: string; keyName: string; onChange: () => void };

/** Says that a package waits whose claim token this page does not have, after a reload for instance, and offers to start again. */
function LostTokenNotice({ client, certificateId, keyName, onChange }: LostTokenNoticeProps) {
  const { request, busy, problem } = useRequestP12(client.id, onChange);
  return (
    <Notice
      title="This page cannot open your P12 package"
      words={`The package ${keyName}.p12 opens only with the claim token of the page that requested it. If that page is still open elsewhere, go on there. If it was reloaded or closed, the token is gone and the package cannot be opened: start again. This revokes its certificate and requests another package.`}
      actions={
        <Button size="xs" variant="default" loading={busy} onClick={() => void request(certificateId)}>
          Start again
        </Button>
      }
    >
      {problem && <ErrorMessage message={problem} />}
    </Notice>
  );
}

/** The ways to a certificate, in the order in which the page shows them, each with what it means for the private key. */
const ways = {
  browser: { title: 'In this browser', key: 'One click and your passkey. The key is never sent to us.' },
  own: { title: 'Your own request (CSR)', key: 'You make the key, with openssl or a security module.' },
  p12: { title: 'P12 package', key: 'We make the key, hand it over once, and keep no copy.' },
  est: { title: 'By your back end (EST)', key: 'Your back end makes each next key, and renews by itself.' },
} as const;

type Way = keyof typeof ways;

type WayChoiceProps = { offered: readonly Way[]; value: Way; onChange: (way: Way) => void };

/** The ways side by side, of which one is chosen. */
function WayChoice({ offered, value, onChange }: WayChoiceProps) {
  const id = useId();
  return (
    <fieldset className={classes.ways}>
      <legend>Where should the private key be made?</legend>
      {offered.map((way) => (
        <label key={way} className={classes.way}>
          <input
            type="radio"
            name={id}
            value={way}
            checked={way === value}
            onChange={() => onChange(way)}
            aria-labelledby={`${id}-${way}`}
            aria-describedby={`${id}-${way}-key`}
          />
          <span className={classes.title} id={`${id}-${way}`}>
            {ways[way].title}
          </span>
          <span id={`${id}-${way}-key`} className={classes.words}>
            {ways[way].key}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type LostKeyNoticeProps = {
  client: Client;
  trace: KeyTrace;
  /** Called when the reader needs the notice no longer. */
  onDismiss: () => void;
  onRevoked: () => void;
};

/**
 * Says after a reload that a key which was made on this page is no longer there, and what to do: revoke its certificate, which no one can
 * use without the key, and start again.
 */
function LostKeyNotice({ client, trace, onDismiss, onRevoked }: LostKeyNoticeProps) {
  const [revoking, setRevoking] = useState(false);
  const { keyName } = trace;
  // Where the answer was lost, the name may have gone to another certificate since: a package's, or one that somebody already calls with.
  const certificate = client.certificatesInUse.find(({ id, keyName: name, p12, lastUsedAt }) =>
    trace.certificateId ? id === trace.certificateId : name === keyName && p12 === null && lastUsedAt === null,
  );
  const saved = trace.certificateId !== null;
  return (
    <Notice
      title={saved ? 'This page no longer has your new key' : 'The key is gone'}
      words={wordsFor(keyName, saved, certificate !== undefined)}
      actions={
        <>
          {certificate && (
            <Button size="xs" variant="default" onClick={() => setRevoking(true)}>
              Revoke the certificate
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onDismiss}>
            {saved && certificate ? `I have ${keyName}.key` : 'Start again'}
          </Button>
        </>
      }
    >
      {certificate && revoking && (
        <RevokeDialog certificate={certificate} environment={client.environment} onClose={() => setRevoking(false)} onRevoked={onRevoked} />
      )}
    </Notice>
  );
}

function wordsFor(keyName: string, saved: boolean, certified: boolean): string {
  if (!certified) {
    return saved
      ? `It was made for ${keyName}, whose certificate is no longer in use. If your browser saved ${keyName}.key, delete it.`
      : `It existed only in the memory of this page, which has ended before ${keyName}.key was saved. No certificate was requested for it, so there is nothing to revoke.`;
  }
  return saved
    ? `It was in the memory of this page alone, which has been reloaded. Your browser was given it as ${keyName}.key. If that file is among your downloads, all is well: download its certificate from the table to go with it. If not, the key is gone, and its certificate is of no use. Revoke it, then start again.`
    : `It existed only in the memory of this page, which has ended before ${keyName}.key was saved. The certificate that was requested for it is of no use. Revoke it, then start again.`;
}

const setRenewalByEstMutation = graphql(`
  mutation SetRenewalByEst($input: SetRenewalByEstInput!) {
    setRenewalByEst(input: $input) {
      id
      renewalByEst
    }
  }
`);

type RenewalByEstProps = { client: Client; service: Service; onChange: () => void };

/** The switch that lets a client's back end renew its certificates by itself, and what that means. */
function RenewalByEst({ client, service, onChange }: RenewalByEstProps) {
  const [, setRenewalByEst] = useMutation(setRenewalByEstMutation);
  const confirmed = useFreshPasskey();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { renewalByEst } = client;

  async function change(enabled: boolean) {
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => setRenewalByEst({ input: { clientId: client.id, enabled } }));
    setBusy(false);
    if (error) return setProblem(error.message);
    onChange();
  }

  return (
    <Stack gap="md" align="flex-start">
      {problem && <ErrorMessage message={problem} />}
      <Text size="sm" maw={640}>
        Your back end renews its certificates by itself, through EST (RFC 7030): with a certificate in use, from two thirds of its lifetime
        on, and with a new key each time. We email you about every renewal. While this is on, an attacker who broke into our machine API
        could have a certificate that is due renewed for a key of their own, so revoke any renewal that is not yours.{' '}
        <Anchor component={Link} to={paths.guide('certificate-renewal')} inherit>
          How to set it up
        </Anchor>
      </Text>
      <Switch
        label="Let the back end renew its certificates"
        description="While this is on, anyone with the key of a certificate in use can get the next one without your passkey. Switching it off takes effect with the next request."
        checked={renewalByEst}
        disabled={busy}
        onChange={(event) => void change(event.currentTarget.checked)}
        maw={640}
      />
      {renewalByEst && (
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            Your EST client needs this address:
          </Text>
          <CopyableCode value={new URL('/.well-known/est', service.machineApiUrl).href} label="the address for EST" />
        </div>
      )}
    </Stack>
  );
}

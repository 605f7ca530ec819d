import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { p12Facts } from '../../../../../../server/domain/certificate/p12/package/p12Facts.ts';
import { FirstCall } from '../../../../features/first-call/FirstCall.tsx';
import type { Client } from '../../../../features/integration/integrationQuery.ts';
import type { Service } from '../../../../features/integration/useIntegration.ts';
import { useFreshPasskey } from '../../../../features/passkey/useFreshPasskey.ts';
import { graphql } from '../../../../graphql/graphql.ts';
import { ErrorMessage } from '../../../../ui/states/ErrorMessage.tsx';
import { ProgressSteps, type Step } from '../../../../ui/states/ProgressSteps.tsx';
import { useLeaveWarning } from '../../../../ui/states/useLeaveWarning.ts';
import { downloadFile } from '../../../../ui/text/downloadFile.ts';
import { CountDown } from '../../../../ui/time/CountDown.tsx';
import { CopyableCode } from '../../../../ui/values/CopyableCode.tsx';
import { revokeCertificateMutation } from '../certificateQueries.ts';
import { P12Commands } from '../P12Commands.tsx';
import { type Claimed, type UnsavedPackage, useUnsaved } from './unsaved.ts';
import type { Following, Progress } from './useProgress.ts';

const claimP12Mutation = graphql(`
  mutation ClaimP12($input: ClaimP12Input!) {
    claimP12(input: $input) {
      fileName
      package
      password
    }
  }
`);

type P12ProgressProps = { client: Client; held: UnsavedPackage; following: Following; service: Service; onChange: () => void };

/** What has become of a package that was requested on this page, from its making to the moment at which its owner has it. */
export function P12Progress({ client, held, following: { progress, reread }, service, onChange }: P12ProgressProps) {
  const clientId = client.id;
  const [, hold] = useUnsaved(clientId);
  const { request, busy, problem: requestProblem } = useRequestP12(clientId, onChange);
  const { claim, claiming, problem } = useClaim(clientId, held, () => {
    reread();
    onChange();
  });
  const group = useRef<HTMLDivElement>(null);
  const { claimed } = held;
  const place = claimed ? 'password' : 'steps';
  // The button that was pressed is gone, so the reader goes on here.
  useEffect(() => {
    if (place) group.current?.focus({ preventScroll: true });
  }, [place]);
  useLeaveWarning(claimed !== null || isOpen(progress));
  const status = progress?.p12?.status ?? 'making';
  const { stage } = p12Facts[status];
  const ending = claimed || claiming ? undefined : p12Endings[status];
  // Once it has ended, the page says how, and how to go on.
  const complaint = ending ? requestProblem : problem;
  return (
    <div role="group" aria-label="Your P12 package" ref={group} tabIndex={-1}>
      <Stack gap="md" align="flex-start">
        <Text role="status" fw={650}>
          {claimed ? `Your browser was given ${claimed.fileName}. Save its password now: it is shown only here.` : headings[status]}
        </Text>
        {complaint && <ErrorMessage message={complaint} />}
        {claimed ? (
          <P12Password {...{ client, claimed, service }} keyName={held.keyName} onUsed={onChange} onSaved={() => hold(null)} />
        ) : (
          <ProgressSteps steps={stepsOf(held, progress)} />
        )}
        {!claimed && !ending && stage === 'ready' && (
          <Button loading={claiming} leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void claim()}>
            Download the package and show its password
          </Button>
        )}
        {ending && (
          <>
            <Text size="sm" maw={640}>
              {ending}
            </Text>
            <Button loading={busy} onClick={() => void request(stage === 'handedOver' ? held.certificateId : null)}>
              Start again
            </Button>
          </>
        )}
      </Stack>
    </div>
  );
}

/** Exchanges the claim token for the package. The answer comes once, so the page holds it at once and has the browser save the file. */
function useClaim(clientId: string, held: UnsavedPackage, onAnswered: () => void) {
  const [, claimP12] = useMutation(claimP12Mutation);
  const confirmed = useFreshPasskey();
  const [, hold] = useUnsaved(clientId);
  const [claiming, setClaiming] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function claim() {
    setClaiming(true);
    setProblem(null);
    const { certificateId, claimToken: token } = held;
    const { data, error } = await confirmed(() => claimP12({ input: { certificateId, token } }));
    if (data) {
      const { fileName, package: base64, password } = data.claimP12;
      const claimed = { fileName, password, bytes: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) };
      // The token has done its work.
      hold({ ...held, claimToken: '', claimed });
      savePackage(claimed);
    } else {
      setProblem(error.fields['token'] ?? error.message);
    }
    setClaiming(false);
    onAnswered();
  }

  return { claim, claiming, problem };
}

function isOpen(progress: Progress | null): boolean {
  return progress === null || (progress.p12 !== null && isWaiting(progress.p12));
}

const headings: Readonly<Record<NonNullable<Progress['p12']>['status'], string>> = {
  making: 'Your package is being made, which takes about a second. Stay on this page.',
  ready: 'Your package is ready. Download it within 15 minutes.',
  claimed: 'The package was handed over, but did not arrive on this page.',
  expired: 'The package was not downloaded in time.',
  blocked: 'The package was removed.',
  failed: 'The package could not be made.',
  revoked: 'The certificate was revoked before its package was downloaded.',
  unknown: 'The status of the package is unknown.',
};

function stepsOf({ certificateId }: UnsavedPackage, progress: Progress | null): readonly Step[] {
  const accepted: Step = {
    key: 'request',
    state: 'done',
    words: (
      <>
        The request was accepted as <code>{certificateId}</code>.
      </>
    ),
  };
  const { status = 'making', claimUntil = null } = progress?.p12 ?? {};
  const { stage } = p12Facts[status];
  if (stage === 'making')
    return [
      accepted,
      { key: 'made', state: 'working', words: 'A worker is making key, certificate and package. Only this page can open it.' },
    ];
  if (status === 'failed')
    return [accepted, { key: 'made', state: 'failed', words: progress?.failure ?? 'The package could not be made.' }];
  const made: Step = { key: 'made', state: 'done', words: 'Key, certificate and package were made and sealed.' };
  if (stage !== 'ready') return [accepted];
  const waits = <>The package waits for you. Time left: {claimUntil && <CountDown until={claimUntil} />}</>;
  return [accepted, made, { key: 'ready', state: 'working', words: waits }];
}

type P12PasswordProps = {
  client: Client;
  claimed: Claimed;
  keyName: string;
  service: Service;
  /** Called once a call with it was answered. */
  onUsed: () => void;
  /** Called when its owner has file and password. The page then forgets both. */
  onSaved: () => void;
};

/** The password of a package, which is shown this once, and how to use the package. */
function P12Password({ client, claimed, keyName, service, onUsed, onSaved }: P12PasswordProps) {
  return (
    <Stack gap="md" align="flex-start" w="100%">
      <div>
        <Text size="sm" mb={6}>
          The password of <code>{claimed.fileName}</code>. Put it into your secret store, not into a file beside the package. We keep no
          copy of the package or the password.
        </Text>
        <CopyableCode value={claimed.password} label="the password" />
      </div>
      <Group gap="sm">
        <Button onClick={onSaved}>I have saved it</Button>
        <Button variant="default" onClick={() => savePackage(claimed)}>
          Save {claimed.fileName} again
        </Button>
      </Group>
      <FirstCall {...{ client, service, keyName }} onAnswered={onUsed}>
        <P12Commands {...{ keyName, service }} />
      </FirstCall>
    </Stack>
  );
}

/** Has the browser save a package, as often as its owner likes while the page holds it. */
function savePackage({ fileName, bytes }: Claimed): void {
  downloadFile(fileName, bytes, 'application/x-pkcs12');
}

const requestP12Mutation = graphql(`
  mutation RequestP12($input: RequestP12Input!) {
    requestP12(input: $input) {
      certificate {
        id
        keyName
      }
      claimToken
    }
  }
`);

/**
 * Requesting a P12 package, whose claim token this page then holds. `request` takes the certificate that the new one is to replace, if it is
 * still in use: it is revoked first, so that its slot is free.
 */
export function useRequestP12(clientId: string, onRequested: () => void) {
  const [, requestP12] = useMutation(requestP12Mutation);
  const [, revokeCertificate] = useMutation(revokeCertificateMutation);
  const confirmed = useFreshPasskey();
  const [, hold] = useUnsaved(clientId);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function attempt(replaced: string | null): Promise<string | null> {
    if (replaced !== null) {
      const input = { certificateId: replaced, reason: 'cessation_of_operation' } as const;
      const { error: refusal } = await confirmed(() => revokeCertificate({ input }));
      if (refusal) return refusal.message;
    }
    const { data, error } = await confirmed(() => requestP12({ input: { clientId } }));
    if (error) return error.message;
    const { certificate, claimToken } = data.requestP12;
    hold({ way: 'p12', certificateId: certificate.id, keyName: certificate.keyName, claimToken, claimed: null });
    return null;
  }

  async function request(replaced: string | null = null) {
    setBusy(true);
    setProblem(null);
    const found = await attempt(replaced);
    setBusy(false);
    setProblem(found);
    onRequested();
  }

  return { request, busy, problem };
}

type P12Status = NonNullable<Progress['p12']>['status'];

/** What to do after a package has ended in another way than on the reader's disk. */
const p12Endings: Readonly<Partial<Record<P12Status, string>>> = {
  claimed:
    'Each package is handed over once, and we keep no copy. If you do not have both the file and its password, start again: this revokes the certificate and requests another package.',
  expired:
    'A package that is not downloaded within 15 minutes is removed and its certificate revoked, so that no key is left lying around. Nothing is lost: start again whenever you have the time.',
  blocked: 'Too many wrong claim tokens were entered, so the package was removed and its certificate revoked. Start again.',
  failed: 'Nothing was issued. Start again; if it fails once more, make the key in this browser or yourself.',
  revoked: 'The package was removed with it. Start again if you still need one.',
};

/** Whether a package is still to be handed over. */
export function isWaiting({ status }: { readonly status: P12Status }): boolean {
  const { stage } = p12Facts[status];
  return stage === 'making' || stage === 'ready';
}

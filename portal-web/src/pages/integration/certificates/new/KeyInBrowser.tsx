import { Button, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { certificateFacts } from '../../../../../../server/domain/certificate/certificateFacts.ts';
import { FirstCall } from '../../../../features/first-call/FirstCall.tsx';
import type { Client } from '../../../../features/integration/integrationQuery.ts';
import type { Service } from '../../../../features/integration/useIntegration.ts';
import { useFreshPasskey } from '../../../../features/passkey/useFreshPasskey.ts';
import { ErrorMessage } from '../../../../ui/states/ErrorMessage.tsx';
import { ProgressSteps, type Step } from '../../../../ui/states/ProgressSteps.tsx';
import { useLeaveWarning } from '../../../../ui/states/useLeaveWarning.ts';
import { downloadFile } from '../../../../ui/text/downloadFile.ts';
import { requestCertificateMutation } from '../certificateQueries.ts';
import classes from './Files.module.css';
import { type UnsavedKey, useUnsaved } from './unsaved.ts';
import { writeKeyTrace } from './keyTrace.ts';
import type { Progress } from './useProgress.ts';

const cannotMakeKeys =
  'This browser could not make a key. Nothing was sent. Use a current browser, or choose your own request and make the key with openssl.';

/** Makes a key on this page, sends the request for it alone, and has the browser save the key. */
export function KeyInBrowser({ client, onRequested }: { client: Client; onRequested: () => void }) {
  const [, requestCertificate] = useMutation(requestCertificateMutation);
  const confirmed = useFreshPasskey();
  const [held, hold] = useUnsaved(client.id);
  const [problem, setProblem] = useState<string | null>(null);
  const [making, setMaking] = useState(false);

  async function begin(): Promise<string | null> {
    const made = await makeKey(client.commonName);
    if (!made) return cannotMakeKeys;
    const { keyPem, csrPem } = made;
    const { nextKeyName } = client;
    hold({ way: 'browser', certificateId: null, keyName: nextKeyName, keyPem });
    writeKeyTrace(client.id, { keyName: nextKeyName, certificateId: null });
    const { data, error } = await confirmed(() => requestCertificate({ input: { clientId: client.id, csr: csrPem } }));
    if (error) {
      hold(null);
      // Without an answer, the request may have been accepted. The trace then says what to do about its certificate.
      if (!unanswered.has(error.code)) writeKeyTrace(client.id, null);
      return error.fields['csr'] ?? error.message;
    }
    const { id: certificateId, keyName } = data.requestCertificate;
    saveKey(keyName, keyPem);
    writeKeyTrace(client.id, { keyName, certificateId });
    hold({ way: 'browser', certificateId, keyName, keyPem });
    return null;
  }

  async function submit() {
    setMaking(true);
    setProblem(null);
    const found = await begin();
    setMaking(false);
    setProblem(found);
    onRequested();
  }

  return (
    <Stack gap="md" align="flex-start">
      {problem && <ErrorMessage message={problem} />}
      <Text size="sm" maw={640}>
        You will be asked for your passkey. Then you get two files: if your browser asks whether this page may save several, allow it.
      </Text>
      <Button loading={making || held !== null} onClick={() => void submit()}>
        Create key and certificate
      </Button>
    </Stack>
  );
}

/** The codes of failures that do not tell whether the service has done what it was asked to. */
const unanswered = new Set(['NETWORK', 'INTERNAL']);

/** The code that makes keys and requests is loaded when it is needed. */
async function makeKey(commonName: string) {
  try {
    const { makeKeyAndRequest } = await import('./makeKeyAndRequest.ts');
    return await makeKeyAndRequest(commonName);
  } catch {
    return null;
  }
}

type KeyInBrowserProgressProps = {
  client: Client;
  held: UnsavedKey & { certificateId: string };
  progress: Progress | null;
  service: Service;
  /** Called once the certificate has been issued, so that it shows elsewhere on the page too. */
  onIssued: () => void;
  /** Called once its owner says that they have both files, or a call with it was answered, which shows it: the page then forgets the key. */
  onHad: () => void;
  /** Called when another certificate is wanted, or nothing came of this one. */
  onDone: () => void;
};

/** What has become of a request whose key was made on this page: the key is saved already, the certificate follows, and then the first call. */
export function KeyInBrowserProgress({ client, held, progress, service, onIssued, onHad, onDone }: KeyInBrowserProgressProps) {
  /** Whether the certificate could be saved; null until that is known, so that what is said of both files comes at once. */
  const [given, setGiven] = useState<boolean | null>(null);
  const group = useFocusOnce();
  const { keyName } = held;
  const { status = 'pending', bundlePath = null, serial = null } = progress ?? {};
  const { stage } = certificateFacts[status];
  useOnce(stage === 'working' && bundlePath, (path) => {
    onIssued();
    void saveBundle(keyName, path).then(setGiven);
  });
  // A page cannot see whether the browser saved what it was given, or asked first and was refused.
  useLeaveWarning(stage === 'pending' || (stage === 'working' && held.keyPem !== null));
  const others = client.certificatesInUse.some(({ id, lastUsedAt }) => id !== held.certificateId && lastUsedAt !== null);
  return (
    <div
      role="group"
      aria-label="Your new key and certificate"
      ref={group}
      tabIndex={-1}
      // As tall from the beginning as with the first call, so that nothing below moves while the certificate is waited for. Only the first certificate
      // shows a record.
      style={{ minHeight: stage === 'over' ? undefined : `min(100vh, ${others ? 28 : 50}rem)` }}
    >
      <Stack gap="sm" align="flex-start">
        <Text role="status" fw={650}>
          {given
            ? `Your browser was given two files: ${keyName}.key and ${keyName}.pem.`
            : headings[stage === 'working' && given === null ? 'pending' : status]}
        </Text>
        {stage === 'working' && bundlePath && given !== null ? (
          <>
            <Files
              {...{ held, bundlePath, given, onGiven: () => setGiven(true), onNext: onDone }}
              onHad={() => {
                group.current?.focus({ preventScroll: true });
                onHad();
              }}
            />
            <Stack gap={6} w="100%">
              <Text size="sm">
                Run this. It moves both files from Downloads to a folder of their own.{' '}
                <span style={{ visibility: held.keyPem === null ? 'hidden' : undefined }}>
                  Once you have called with them, this page forgets the key.
                </span>
              </Text>
              <FirstCall {...{ client, service, keyName, serial }} first={!others} onAnswered={onHad} />
            </Stack>
          </>
        ) : (
          <ProgressSteps steps={stepsOf(held, progress)} />
        )}
        {stage === 'over' && <Button onClick={onDone}>Start again</Button>}
      </Stack>
    </div>
  );
}

type FilesProps = {
  held: UnsavedKey;
  bundlePath: string;
  given: boolean;
  onGiven: () => void;
  onHad: () => void;
  /** Called when another certificate is wanted. */
  onNext: () => void;
};

/**
 * Both files, which the reader can have once more: browsers ask before they save a second one, and say nothing when they are told not to. Once
 * they have both, that is said in the same place, so that nothing moves.
 */
function Files({ held: { keyName, keyPem }, bundlePath, given, onGiven, onHad, onNext }: FilesProps) {
  const had = keyPem === null;
  return (
    <div className={classes.files}>
      <div data-away={had}>
        <Text size="sm">Is one missing? Save it again before you leave: we never have the key.</Text>
        <Button size="xs" variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => saveKey(keyName, keyPem)}>
          Save the key again
        </Button>
        <Button
          component="a"
          href={bundlePath}
          download={`${keyName}.pem`}
          size="xs"
          variant={given ? 'default' : 'filled'}
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={onGiven}
        >
          {given ? 'Save the certificate again' : 'Save the certificate'}
        </Button>
        <Button size="xs" variant="subtle" onClick={onHad}>
          Forget the key now
        </Button>
      </div>
      <div data-away={!had}>
        <Text size="sm">You have both files, so this page has forgotten the key.</Text>
        <Button size="xs" variant="subtle" onClick={onNext}>
          New certificate
        </Button>
      </div>
    </div>
  );
}

/** The button that was pressed is gone, so the reader goes on here. */
function useFocusOnce() {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.focus({ preventScroll: true }), []);
  return group;
}

/** Acts on the first value that is there, once. */
function useOnce(value: string | null | false, act: (value: string) => void): void {
  const acted = useRef(false);
  useEffect(() => {
    if (!value || acted.current) return;
    acted.current = true;
    act(value);
  });
}

const headings: Readonly<Record<Progress['status'], string>> = {
  pending: 'Your key is made. The certificate is being signed, which takes about a second.',
  issued: 'Your certificate is issued.',
  failed: 'The certificate could not be issued.',
  revoked: 'The certificate has been revoked.',
  expired: 'The certificate has expired.',
  unknown: 'The status of the certificate is unknown.',
};

function stepsOf(held: UnsavedKey & { certificateId: string }, progress: Progress | null): readonly Step[] {
  const { keyName, certificateId } = held;
  const saved: Step = {
    key: 'key',
    state: 'done',
    words: (
      <>
        The key was made here, and your browser was given it as <code>{keyName}.key</code>. If the file is not among your downloads,{' '}
        <Button variant="default" size="xs" onClick={() => saveKey(keyName, held.keyPem)}>
          save it again
        </Button>
      </>
    ),
  };
  const accepted: Step = {
    key: 'request',
    state: 'done',
    words: (
      <>
        The request was accepted as <code>{certificateId}</code>.
      </>
    ),
  };
  return [saved, accepted, lastStep(progress)];
}

function lastStep(progress: Progress | null): Step {
  const key = 'certificate';
  const { stage, isVoid } = certificateFacts[progress?.status ?? 'pending'];
  if (stage === 'pending') return { key, state: 'working', words: 'The certificate is being signed.' };
  if (stage === 'working') return { key, state: 'done', words: 'The certificate was signed.' };
  if (isVoid) {
    return {
      key,
      state: 'failed',
      words: `${progress?.failure ?? 'It could not be signed.'} Delete the key, and start again with another.`,
    };
  }
  return { key, state: 'failed', words: 'The certificate no longer works. Delete the key, and start again with another.' };
}

/** Has the browser save a certificate with its chain. Resolves to whether it could be read. */
async function saveBundle(keyName: string, bundlePath: string): Promise<boolean> {
  try {
    const response = await fetch(bundlePath);
    if (!response.ok) return false;
    downloadFile(`${keyName}.pem`, await response.text(), 'application/x-pem-file');
    return true;
  } catch {
    return false;
  }
}

/** Has the browser save a key that was made on this page, under the name that the service gave it. No program opens a file of this type. */
function saveKey(keyName: string, keyPem: string | null): void {
  if (keyPem !== null) downloadFile(`${keyName}.key`, keyPem, 'application/octet-stream');
}

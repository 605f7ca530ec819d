import { Button, Stack, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { Link, Navigate, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { createPasskey, passkeysSupported, unsupported } from '../../features/passkey/ceremonies.ts';
import { passkeyNameCharacters, passkeyNameComplaint } from '../../features/passkey/passkeyName.ts';
import { describeBrowser } from './account/describeBrowser.ts';
import { keepRecoveryCodes, recoveryCodes } from '../../features/passkey/recoveryCodes.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { PageLoading } from '../../ui/states/PageLoading.tsx';

/** Creates a passkey: the first, which completes the registration, or a new one after a recovery code or a reset. */
export function Component() {
  const { state, viewer, leave, refresh } = useSession();
  const { enrol, busy, problem, outOfTime, finished } = useEnrolment();
  const navigate = useNavigate();
  const [name, setName] = useState(() => describeBrowser(navigator.userAgent));
  const [complaint, setComplaint] = useState<string | null>(null);

  if (state === 'loading') return <PageLoading whole />;
  if (state === 'failed') {
    return <ErrorMessage message="The portal did not answer. Check your connection, then try again." onRetry={refresh} />;
  }
  if (!viewer) return <Navigate to={paths.register} replace />;
  if (viewer.kind === 'full') return <Navigate to={recoveryCodes() ? paths.recoveryCodes : paths.integrations} replace />;
  const recovering = viewer.kind === 'recovery';
  const supported = passkeysSupported();
  if (outOfTime) return <OutOfTime recovering={recovering} />;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const wrong = passkeyNameComplaint(name);
    setComplaint(wrong);
    if (wrong !== null) return;
    const codes = await enrol(name.trim());
    if (!codes) return;
    keepRecoveryCodes(codes, { goOnTo: recovering ? paths.integrations : paths.newIntegration, replaceOthers: recovering });
    leave();
    await navigate(paths.recoveryCodes, { replace: true });
  }

  return (
    <NarrowPage>
      <PageHeader
        title={recovering ? 'Create a new passkey' : 'Create a passkey'}
        lead={
          <>
            For <strong>{viewer.email}</strong>. You sign in with it: your device asks for your fingerprint, face or PIN.
            {recovering && ' Your previous passkeys have been removed and all sessions have ended. New recovery codes come next.'}
          </>
        }
      />
      {!supported && <ErrorMessage message={unsupported} />}
      {problem && <ErrorMessage message={problem} />}
      {finished && (
        <Button component={Link} to={paths.signIn} variant="default">
          Sign in
        </Button>
      )}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <ShortText
            label="Passkey name"
            description="You can rename it later."
            required
            longest={passkeyNameCharacters}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={complaint}
          />
          <Button type="submit" loading={busy} disabled={!supported} leftSection={<IconFingerprint size={20} aria-hidden />}>
            Create passkey
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        The passkey stays on your device or in your password manager. We keep only its public half.
      </Text>
    </NarrowPage>
  );
}

/** The session does not say whether it was a code or a reset that opened it, so both are offered. */
function OutOfTime({ recovering }: { recovering: boolean }) {
  return (
    <NarrowPage>
      <PageHeader title="This step has ended" />
      <Text>
        {recovering
          ? 'After using a recovery code or the link of a reset you have 20 minutes to create a passkey, on one device. If you have created it, sign in. If not, start again: with another of your codes or, if your account was reset, with a new link to its address.'
          : 'After confirming your address you have 20 minutes to create a passkey. If you went on with it elsewhere, continue there. If you have created it, sign in. If not, request a new link to start again.'}
      </Text>
      <Button component={Link} to={recovering ? paths.recover : paths.register}>
        {recovering ? 'Use another recovery code' : 'Register again'}
      </Button>
      {recovering && (
        <Button component={Link} to={paths.register} variant="default">
          Request a new link
        </Button>
      )}
      <Button component={Link} to={paths.signIn} variant="default">
        Sign in
      </Button>
    </NarrowPage>
  );
}

const beginPasskeyRegistrationMutation = graphql(`
  mutation BeginPasskeyRegistration {
    beginPasskeyRegistration
  }
`);

const finishPasskeyRegistrationMutation = graphql(`
  mutation FinishPasskeyRegistration($input: FinishPasskeyRegistrationInput!) {
    finishPasskeyRegistration(input: $input) {
      recoveryCodes
      viewer {
        email
      }
    }
  }
`);

type Failure = { message: string; outOfTime: boolean; finished: boolean };

/**
 * Making a passkey in the 20 minutes after a mailed link or a recovery code. `enrol` answers the recovery codes, or null when `problem` has
 * the words; `outOfTime` says that only a new link or code helps, `finished` that there is an account to sign in to.
 */
function useEnrolment() {
  const [, begin] = useMutation(beginPasskeyRegistrationMutation);
  const [, finish] = useMutation(finishPasskeyRegistrationMutation);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function attempt(name: string): Promise<readonly string[] | Failure> {
    const begun = await begin({});
    if (!begun.data) return failureOf(begun.error);
    const { response, message } = await createPasskey(begun.data.beginPasskeyRegistration);
    if (!response) return { message, outOfTime: false, finished: false };
    const finished = await finish({ input: { response, name } });
    return finished.data ? finished.data.finishPasskeyRegistration.recoveryCodes : failureOf(finished.error);
  }

  async function enrol(name: string): Promise<readonly string[] | null> {
    setBusy(true);
    setFailure(null);
    const outcome = await attempt(name);
    setBusy(false);
    if (!('message' in outcome)) return outcome;
    setFailure(outcome);
    return null;
  }

  return { enrol, busy, problem: failure?.message ?? null, outOfTime: failure?.outOfTime ?? false, finished: failure?.finished ?? false };
}

function failureOf(error: unknown): Failure {
  const { code, message } = describeError(error);
  return { message, outOfTime: code === 'UNAUTHENTICATED', finished: code === 'CONFLICT' };
}

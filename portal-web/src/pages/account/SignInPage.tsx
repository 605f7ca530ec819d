import { Alert, Anchor, Button, Text } from '@mantine/core';
import { IconFingerprint, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { useMutation } from 'urql';
import { passkeysSupported, provePasskey, unsupported } from '../../features/passkey/ceremonies.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { paths, safeReturnPath } from '../../paths.ts';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';

/** Signs in with a passkey and returns to the page that the reader came from. */
export function Component() {
  const { viewer, ended, leave } = useSession();
  const { signIn, busy, problem } = useSignIn();
  const [search] = useSearchParams();
  if (viewer?.kind === 'full') {
    return <Navigate to={safeReturnPath(search.get('returnTo'), window.location.origin)} replace />;
  }
  const supported = passkeysSupported();

  async function submit() {
    if (await signIn()) leave();
  }

  return (
    <NarrowPage>
      <PageHeader
        title="Sign in"
        lead="Use the passkey you created when you registered. You need neither a password nor your email address."
      />
      {ended && (
        <Alert color="cobalt" variant="outline" icon={<IconInfoCircle aria-hidden />} role="status">
          Your session has ended: it was inactive for 20 minutes, reached its 8-hour limit, or was ended elsewhere. Sign in to continue
          where you left off.
        </Alert>
      )}
      {!supported && <ErrorMessage message={unsupported} />}
      {problem && <ErrorMessage message={problem} />}
      <Button loading={busy} disabled={!supported} onClick={() => void submit()} leftSection={<IconFingerprint size={20} aria-hidden />}>
        Sign in with a passkey
      </Button>
      <Text size="sm" c="dimmed">
        No account yet?{' '}
        <Anchor component={Link} to={paths.register}>
          Register
        </Anchor>
        . Lost your passkey?{' '}
        <Anchor component={Link} to={paths.recover}>
          Use a recovery code
        </Anchor>
        .
      </Text>
    </NarrowPage>
  );
}

const beginSignInMutation = graphql(`
  mutation BeginSignIn {
    beginSignIn
  }
`);

const finishSignInMutation = graphql(`
  mutation FinishSignIn($input: FinishSignInInput!) {
    finishSignIn(input: $input) {
      email
    }
  }
`);

/** Signs in with a discoverable passkey. `signIn` returns whether it succeeded; if not, `problem` is the message for the reader. */
function useSignIn() {
  const [, beginSignIn] = useMutation(beginSignInMutation);
  const [, finishSignIn] = useMutation(finishSignInMutation);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function attempt(): Promise<string | null> {
    const begun = await beginSignIn({});
    if (!begun.data) return describeError(begun.error).message;
    const { response, message } = await provePasskey(begun.data.beginSignIn);
    if (!response) return message;
    const finished = await finishSignIn({ input: { response } });
    return finished.data ? null : describeError(finished.error).message;
  }

  async function signIn(): Promise<boolean> {
    setBusy(true);
    setProblem(null);
    const failure = await attempt();
    setProblem(failure);
    setBusy(false);
    return failure === null;
  }

  return { signIn, busy, problem };
}

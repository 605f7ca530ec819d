import { Alert, Anchor, Button, Text } from '@mantine/core';
import { IconFingerprint, IconInfoCircle } from '@tabler/icons-react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { passkeysSupported, unsupported } from '../../features/passkey/ceremonies.ts';
import { useSignIn } from '../../features/passkey/useSignIn.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { paths, safeReturnPath } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

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
      <Button
        size="md"
        loading={busy}
        disabled={!supported}
        onClick={() => void submit()}
        leftSection={<IconFingerprint size={20} aria-hidden />}
      >
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

import { Anchor, Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { forgetVerificationToken, takeVerificationToken } from '../../features/passkey/verificationToken.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

const confirmRegistrationMutation = graphql(`
  mutation ConfirmRegistration($input: ConfirmRegistrationInput!) {
    confirmRegistration(input: $input) {
      kind
      email
    }
  }
`);

/** The page that the link in the email leads to. The button uses the link up; opening it does not, since mail programs open links too. */
export function Component() {
  const [{ fetching, error }, confirmRegistration] = useMutation(confirmRegistrationMutation);
  const [token, setToken] = useState(takeVerificationToken);
  const { leave } = useSession();
  const navigate = useNavigate();

  useEffect(() => {
    // Another link pasted into the same tab changes only the fragment.
    const takeAgain = () => setToken(takeVerificationToken());
    window.addEventListener('hashchange', takeAgain);
    return () => window.removeEventListener('hashchange', takeAgain);
  }, []);

  async function confirm(value: string) {
    const { data } = await confirmRegistration({ input: { token: value } });
    if (!data) return;
    forgetVerificationToken();
    leave();
    await navigate(paths.enrol, { replace: true });
  }

  return (
    <NarrowPage>
      <PageHeader title="Confirm your address" />
      {error && <ErrorMessage message={describeError(error).message} />}
      {token ? (
        <>
          <Text>This confirms that the address is yours. Next, you create a passkey on this device.</Text>
          <Button size="md" loading={fetching} onClick={() => void confirm(token)}>
            Confirm this address
          </Button>
        </>
      ) : (
        <Text>
          This address is missing the code from your email. Open the link in the message again; some mail programs cut long links short.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Each link works once and expires after 20 minutes.{' '}
        <Anchor component={Link} to={paths.register}>
          Request a new link
        </Anchor>
        .
      </Text>
    </NarrowPage>
  );
}

import { Anchor, Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { forgetVerificationToken, takeVerificationToken } from '../features/passkey/verificationToken.ts';
import { useSession } from '../features/session/SessionContext.ts';
import { describeError } from '../graphql/describeError.ts';
import { graphql } from '../graphql/graphql.ts';
import { paths } from '../paths.ts';
import { ErrorMessage } from '../ui/ErrorMessage.tsx';
import { NarrowPage } from '../ui/NarrowPage.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';

const confirmEmailChangeMutation = graphql(`
  mutation ConfirmEmailChange($input: ConfirmEmailChangeInput!) {
    confirmEmailChange(input: $input) {
      confirmed
      completed
    }
  }
`);

/** Where the links of a change of address lead. Opening one uses nothing up, since mail programs open links too; the button does. */
export function Component() {
  const [{ fetching, error, data }, confirmEmailChange] = useMutation(confirmEmailChangeMutation);
  const [token, setToken] = useState(takeVerificationToken);
  const { viewer, leave } = useSession();

  useEffect(() => {
    // Another link pasted into the same tab changes only the fragment.
    const takeAgain = () => setToken(takeVerificationToken());
    window.addEventListener('hashchange', takeAgain);
    return () => window.removeEventListener('hashchange', takeAgain);
  }, []);

  async function confirm(value: string) {
    const result = await confirmEmailChange({ input: { token: value } });
    if (!result.data) return;
    forgetVerificationToken();
    setToken(null);
  }

  const outcome = data?.confirmEmailChange;
  if (outcome?.completed && !token) {
    return (
      <NarrowPage>
        <PageHeading title="Your address is changed" />
        <Text>Both addresses have confirmed it, and both get a mail that says so. All sessions have ended.</Text>
        <Button component={Link} to={paths.signIn} onClick={leave}>
          Sign in again
        </Button>
      </NarrowPage>
    );
  }
  if (outcome && !token) {
    return (
      <NarrowPage>
        <PageHeading title="One confirmation is missing" />
        <Text>
          {outcome.confirmed === 'current' ? 'The present' : 'The new'} address has confirmed. Now open the link in the mail to the{' '}
          {outcome.confirmed === 'current' ? 'new' : 'present'} address; it is good for 20 minutes from the request.
        </Text>
        {viewer && (
          <Anchor component={Link} to={paths.account}>
            Back to your account
          </Anchor>
        )}
      </NarrowPage>
    );
  }
  return (
    <NarrowPage>
      <PageHeading title="Confirm the change of address" />
      {error && <ErrorMessage message={describeError(error).message} />}
      {token ? (
        <>
          <Text>The account changes its address when both the present and the new address have confirmed it.</Text>
          <Button size="md" loading={fetching} onClick={() => void confirm(token)}>
            Confirm from this address
          </Button>
        </>
      ) : (
        <Text>The address of this page holds no link from a mail. Open the link in the message again; mail programs sometimes cut it.</Text>
      )}
      <Text size="sm" c="dimmed">
        A link works once, for 20 minutes. Without both nothing changes.
      </Text>
    </NarrowPage>
  );
}

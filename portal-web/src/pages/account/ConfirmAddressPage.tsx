import { Anchor, Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useMutation, useQuery } from 'urql';
import { forgetVerificationToken, takeVerificationToken } from '../../features/passkey/verificationToken.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

const confirmEmailChangeMutation = graphql(`
  mutation ConfirmEmailChange($input: ConfirmEmailChangeInput!) {
    confirmEmailChange(input: $input) {
      confirmed
      completed
    }
  }
`);

const emailChangeOfLinkQuery = graphql(`
  query EmailChangeOfLink($input: ConfirmEmailChangeInput!) {
    emailChangeOfLink(input: $input)
  }
`);

/**
 * The page that the links for a change of address lead to. The button uses a link up; opening it does not, since mail programs open links
 * too.
 */
export function Component() {
  const [{ fetching, error, data }, confirmEmailChange] = useMutation(confirmEmailChangeMutation);
  const [token, setToken] = useState(takeVerificationToken);
  const [{ data: named }] = useQuery({
    query: emailChangeOfLinkQuery,
    variables: { input: { token: token ?? '' } },
    pause: token === null,
  });
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
        <PageHeader title="Your address has been changed" />
        <Text>Both addresses have confirmed the change, and we have emailed both. All sessions have ended.</Text>
        <Button component={Link} to={paths.signIn} onClick={leave}>
          Sign in again
        </Button>
      </NarrowPage>
    );
  }
  if (outcome && !token) {
    return (
      <NarrowPage>
        <PageHeader title="One more confirmation needed" />
        <Text>
          {outcome.confirmed === 'current' ? 'Your current' : 'Your new'} address has confirmed. Now open the link we sent to the{' '}
          {outcome.confirmed === 'current' ? 'new' : 'current'} address. It expires 20 minutes after you requested the change.
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
      <PageHeader title="Confirm the change of address" />
      {error && <ErrorMessage message={describeError(error).message} />}
      {token ? (
        <>
          <Text style={{ overflowWrap: 'anywhere' }}>
            The address of the account changes
            {named?.emailChangeOfLink && (
              <>
                {' '}
                to <strong>{named.emailChangeOfLink}</strong>
              </>
            )}{' '}
            once both the current and the new address have confirmed.
          </Text>
          <Button loading={fetching} onClick={() => void confirm(token)}>
            Confirm from this address
          </Button>
        </>
      ) : (
        <Text>
          This address is missing the code from your email. Open the link in the message again; some mail programs cut long links short.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Each link works once and expires after 20 minutes. Nothing changes until both addresses have confirmed.
      </Text>
    </NarrowPage>
  );
}

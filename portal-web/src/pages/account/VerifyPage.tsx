import { Anchor, Button, CopyButton, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { passkeysSupported } from '../../features/passkey/ceremonies.ts';
import { ResetWarning, resetVerb } from '../../features/passkey/ResetWarning.tsx';
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

/** Whether the link resets an account. If it does and its address does not say so, the service refuses to do it unasked. */
const saysReset = (): boolean => new URLSearchParams(window.location.search).has('reset');

/** The page that the link in the email leads to. The button uses the link up; opening it does not, since mail programs open links too. */
export function Component() {
  const [{ fetching, error }, confirmRegistration] = useMutation(confirmRegistrationMutation);
  const [token, setToken] = useState(takeVerificationToken);
  const [resets, setResets] = useState(saysReset);
  /** The token that the answer is about. */
  const [asked, setAsked] = useState<string | null>(null);
  const { viewer, leave } = useSession();
  const navigate = useNavigate();

  useEffect(() => {
    // Another link pasted into the same tab changes only the fragment.
    const takeAgain = () => {
      setToken(takeVerificationToken());
      setResets(saysReset);
    };
    window.addEventListener('hashchange', takeAgain);
    return () => window.removeEventListener('hashchange', takeAgain);
  }, []);

  async function confirm(value: string) {
    setAsked(value);
    const { data, error: refusal } = await confirmRegistration({ input: { token: value, resetsAccount: resets } });
    if (refusal && describeError(refusal).fields['resetsAccount']) setResets(true);
    if (!data) return;
    forgetVerificationToken();
    leave();
    await navigate(paths.enrol, { replace: true });
  }

  const problem = error && asked === token ? describeError(error) : null;
  // Anything else, such as a lost connection, has not used the link up.
  const over = problem?.code === 'NOT_FOUND' || problem?.code === 'CONFLICT';
  const asksFirst = problem?.fields['resetsAccount'] !== undefined;
  if (token && !passkeysSupported()) return <OtherBrowser token={token} search={resets ? '?reset=1' : ''} />;
  return (
    <NarrowPage>
      <PageHeader title={resets ? 'Reset your account' : 'Confirm your address'} />
      {problem && !asksFirst && <ErrorMessage message={problem.message} />}
      {over ? (
        <GoOn kind={viewer?.kind} registered={problem?.code === 'CONFLICT'} />
      ) : token ? (
        <>
          {resets ? (
            <ResetWarning />
          ) : (
            <Text>This link confirms the address that it was emailed to. Next, you create a passkey on this device.</Text>
          )}
          <Button {...(resets && { color: 'red.9' })} loading={fetching} onClick={() => void confirm(token)}>
            {resets ? resetVerb : 'Confirm this address'}
          </Button>
        </>
      ) : (
        <Text>
          This address is missing the code from your email. Open the link in the message again; some mail programs cut long links short.
        </Text>
      )}
      {!over && (
        <Text size="sm" c="dimmed">
          Each link works once and expires after 20 minutes.{' '}
          <Anchor component={Link} to={paths.register}>
            Request a new link
          </Anchor>
          , or enter the code from the email on the page where you requested it.
        </Text>
      )}
    </NarrowPage>
  );
}

/** The way on from a link that has been used: where its use has led in this browser, to signing in, or to a new one. */
function GoOn({ kind, registered }: { kind: string | undefined; registered: boolean }) {
  if (kind === 'enrolment' || kind === 'recovery') {
    return (
      <Button component={Link} to={paths.enrol}>
        Continue with your passkey
      </Button>
    );
  }
  if (kind === 'full') {
    return (
      <Button component={Link} to={paths.integrations}>
        Continue to your integrations
      </Button>
    );
  }
  return registered ? (
    <Button component={Link} to={paths.signIn}>
      Sign in
    </Button>
  ) : (
    <Button component={Link} to={paths.register}>
      Request a new link
    </Button>
  );
}

/** For a browser that cannot create a passkey: the link is not used up, so that another one can. */
function OtherBrowser({ token, search }: { token: string; search: string }) {
  const link = `${window.location.origin}${paths.verify}${search}#token=${token}`;
  return (
    <NarrowPage>
      <PageHeader title="Open this link in another browser" />
      <Text>
        This browser cannot create passkeys, and your account needs one. Some apps open links in a browser of their own. Your link has not
        been used: open it in a current browser within 20 minutes of the email, or enter the code from the email on the page where you
        requested it.
      </Text>
      <CopyButton value={link}>{({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy the link'}</Button>}</CopyButton>
    </NarrowPage>
  );
}

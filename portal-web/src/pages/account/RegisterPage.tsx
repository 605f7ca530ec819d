import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { CheckYourMail } from '../../features/passkey/CheckYourMail.tsx';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';

const requestRegistrationMutation = graphql(`
  mutation RequestRegistration($input: RequestRegistrationInput!) {
    requestRegistration(input: $input)
  }
`);

/** Where the message went, as the history of the tab has it, so that the field for its code outlasts a reload. */
function sentToOf(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'sentTo' in state && typeof state.sentTo === 'string' ? state.sentTo : null;
}

/** The first step to an account. It asks for the address of the person responsible. */
export function Component() {
  const [{ fetching, error }, requestRegistration] = useMutation(requestRegistrationMutation);
  const [email, setEmail] = useState('');
  const [complaint, setComplaint] = useState<string | null>(null);
  const sentTo = sentToOf(useLocation().state);
  const navigate = useNavigate();

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const address = email.trim();
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) {
      setComplaint('Enter an email address like name@example.org.');
      return;
    }
    setComplaint(null);
    const result = await requestRegistration({ input: { email: address } });
    if (result.data) await navigate(paths.register, { state: { sentTo: address } });
  }

  if (sentTo) return <CheckYourMail address={sentTo} onAgain={() => void navigate(paths.register)} />;
  const problem = error ? describeError(error) : null;
  const fieldProblem = problem?.fields['email'];
  return (
    <NarrowPage>
      <PageHeader
        title="Register"
        lead="Each person has one account. We email you a link, then you create a passkey. There are no passwords."
      />
      {problem && !fieldProblem && <ErrorMessage message={problem.message} />}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <ShortText
            label="Email address"
            description="The address of the person responsible for the integrations."
            type="email"
            name="email"
            autoComplete="email"
            required
            longest={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={complaint ?? fieldProblem}
          />
          <Button type="submit" loading={fetching}>
            Send the link
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        Already registered?{' '}
        <Anchor component={Link} to={paths.signIn}>
          Sign in
        </Anchor>
        .
      </Text>
    </NarrowPage>
  );
}

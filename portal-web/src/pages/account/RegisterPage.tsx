import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { passkeysSupported, unsupported } from '../../features/passkey/ceremonies.ts';
import { resetVerb, ResetWarning } from '../../features/passkey/ResetWarning.tsx';
import { useSession } from '../../features/session/SessionContext.ts';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { useFirstField } from '../../ui/forms/useFirstField.ts';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Address } from '../../ui/values/Address.tsx';

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
  const field = useRef<HTMLInputElement>(null);
  useFirstField(field);
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
      <PageHeader title="Register" lead="We email you a link, then you create a passkey. There are no passwords." />
      {problem && !fieldProblem && <ErrorMessage message={problem.message} />}
      <form onSubmit={(event) => void submit(event)} noValidate aria-label="Register">
        <Stack gap="md">
          <ShortText
            label="Email address"
            description="Of the person responsible: each has one account."
            type="email"
            name="email"
            autoComplete="email"
            required
            ref={field}
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

/** Says what to do after a registration was requested. The words are the same whether or not the address is known. */
function CheckYourMail({ address, onAgain }: { address: string; onAgain: () => void }) {
  const [{ data }] = useFrame();
  const mailbox = data?.service.developmentMailbox ?? false;
  const [code, setCode] = useState('');
  return (
    <NarrowPage>
      <PageHeader title="Check your email" />
      <Text>
        Within 20 minutes, open the link in the message to{' '}
        <strong>
          <Address value={address} />
        </strong>
        , on the device where you want your passkey, or enter its code here.{!mailbox && ' If it does not arrive, check your spam folder.'}
      </Text>
      {mailbox && (
        <Stack gap="xs">
          <Text size="sm">This development server sends no email.</Text>
          <Button component="a" href={paths.developmentMailbox} variant={code ? 'default' : 'filled'}>
            Open the development mailbox
          </Button>
        </Stack>
      )}
      <RegistrationCode code={code} onCode={setCode} />
      <Button variant="subtle" onClick={onAgain}>
        Use another address, or send it again
      </Button>
    </NarrowPage>
  );
}

const confirmRegistrationCodeMutation = graphql(`
  mutation ConfirmRegistrationCode($input: ConfirmRegistrationCodeInput!) {
    confirmRegistrationCode(input: $input) {
      kind
      email
    }
  }
`);

/** Takes the code from the email, in the browser that asked for it, and goes on to creating the passkey here. Until there is one, it is the lesser way. */
function RegistrationCode({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  const [{ fetching, error }, confirm] = useMutation(confirmRegistrationCodeMutation);
  /** Whether the service has said that this code resets an account. Until it is entered, the page says no more of one address than of another. */
  const [resets, setResets] = useState(false);
  const { leave } = useSession();
  const navigate = useNavigate();
  const described = error && describeError(error);
  const complaint = described?.fields['code'];
  if (!passkeysSupported()) return <ErrorMessage message={unsupported} />;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const { data, error: refusal } = await confirm({ input: { code, resetsAccount: resets } });
    if (refusal && describeError(refusal).fields['resetsAccount']) setResets(true);
    if (!data) return;
    leave();
    await navigate(paths.enrol, { replace: true });
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {described && !complaint && !described.fields['resetsAccount'] && <ErrorMessage message={described.message} />}
        <TextInput
          label="Code from the email"
          description="8 letters and digits, to continue here instead."
          required
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          value={code}
          onChange={(event) => {
            onCode(event.currentTarget.value);
            setResets(false);
          }}
          error={complaint}
        />
        {resets && <ResetWarning />}
        <Button type="submit" variant={code ? 'filled' : 'default'} {...(resets && { color: 'red.9' })} loading={fetching}>
          {resets ? resetVerb : 'Continue with the code'}
        </Button>
      </Stack>
    </form>
  );
}

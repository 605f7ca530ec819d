import { Button, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useSession } from '../session/SessionContext.ts';
import { passkeysSupported, unsupported } from './ceremonies.ts';
import { ResetWarning, resetVerb } from './ResetWarning.tsx';

const confirmRegistrationCodeMutation = graphql(`
  mutation ConfirmRegistrationCode($input: ConfirmRegistrationCodeInput!) {
    confirmRegistrationCode(input: $input) {
      kind
      email
    }
  }
`);

/** Takes the code from the email, in the browser that asked for it, and goes on to creating the passkey here. */
export function RegistrationCode() {
  const [{ fetching, error }, confirm] = useMutation(confirmRegistrationCodeMutation);
  const [code, setCode] = useState('');
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
          description="8 letters and digits, if you would rather go on here than open the link."
          required
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          value={code}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setResets(false);
          }}
          error={complaint}
        />
        {resets && <ResetWarning />}
        <Button type="submit" {...(resets && { color: 'red.9' })} loading={fetching}>
          {resets ? resetVerb : 'Continue'}
        </Button>
      </Stack>
    </form>
  );
}

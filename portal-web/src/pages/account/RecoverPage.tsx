import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { useSession } from '../../features/session/SessionContext.ts';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { ContactLink } from '../../ui/values/ContactLink.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

const redeemRecoveryCodeMutation = graphql(`
  mutation RedeemRecoveryCode($input: RedeemRecoveryCodeInput!) {
    redeemRecoveryCode(input: $input) {
      kind
      email
    }
  }
`);

/** Recovers an account without a passkey. A recovery code leads straight to creating a new one. */
export function Component() {
  const [{ fetching, error }, redeem] = useMutation(redeemRecoveryCodeMutation);
  const [code, setCode] = useState('');
  const { leave } = useSession();
  const [{ data: facts }] = useFrame();
  const contact = facts?.service.supportContact;
  const navigate = useNavigate();
  const described = error && describeError(error);
  const complaint = described?.fields['code'];

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const { data } = await redeem({ input: { code } });
    if (!data) return;
    leave();
    await navigate(paths.enrol, { replace: true });
  }

  return (
    <NarrowPage>
      <PageHeader
        title="Recover your account"
        lead="Use one of the recovery codes that you saved when you created your passkey. You do not need your email address."
      />
      {described && !complaint && <ErrorMessage message={described.message} />}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            label="Recovery code"
            description="16 letters and digits. You can leave out the dashes, and case does not matter."
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={complaint}
          />
          <Text size="sm">
            Using a code ends <strong>all passkeys and sessions</strong> of the account at once. You then have 20 minutes to create a new
            passkey on this device.
          </Text>
          <Button type="submit" loading={fetching}>
            Use this code
          </Button>
        </Stack>
      </form>
      {contact && (
        <Text size="sm">
          Without a passkey or a recovery code, contact <ContactLink contact={contact} />: two administrators can reset the account if you
          can prove that it is yours and still receive email at its address. That takes at least 72 hours. They can also lock the account or
          retire its integrations, which keep running until then. To start again, register with another email address.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Found your passkey?{' '}
        <Anchor component={Link} to={paths.signIn}>
          Sign in
        </Anchor>
        .
      </Text>
    </NarrowPage>
  );
}

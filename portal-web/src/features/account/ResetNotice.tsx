import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { accountQuery } from './accountQuery.ts';

const cancelAccountResetMutation = graphql(`
  mutation CancelAccountReset($input: AccountResetInput!) {
    cancelAccountReset(input: $input)
  }
`);

/** Tells an owner that administrators are about to reset the account, and cancels it. */
export function ResetNotice() {
  const [{ data }, read] = useQuery({ query: accountQuery });
  const [{ fetching, error }, cancel] = useMutation(cancelAccountResetMutation);
  const reset = data?.account.reset;
  if (!reset) return null;

  async function stop(resetId: string) {
    await cancel({ input: { resetId } });
    read({ requestPolicy: 'network-only' });
  }

  return (
    <Alert color="red" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
      <Stack gap="sm" align="flex-start">
        <Text fw={600}>Administrators want to reset this account</Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          They were told that its passkeys and recovery codes are lost (“{reset.reason}”).{' '}
          {reset.dueAt ? (
            <>
              From <Time value={reset.dueAt} form="date" /> on, a link that is emailed to your address creates a new passkey, and all former
              ones end.
            </>
          ) : (
            'A second administrator has yet to approve it.'
          )}{' '}
          You are signed in, so you do not need it.
        </Text>
        {error && <ErrorMessage message={describeError(error).message} />}
        <Button variant="default" loading={fetching} onClick={() => void stop(reset.id)}>
          Cancel the reset
        </Button>
      </Stack>
    </Alert>
  );
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { endOtherSessionsMutation } from './sessionQueries.ts';

/** Signs out every browser except the reader's own, in case somebody else has access. */
export function EndOtherSessions({ onEnded }: { onEnded: () => void }) {
  const [{ fetching, error }, endOthers] = useMutation(endOtherSessionsMutation);
  const [asking, setAsking] = useState(false);

  async function end() {
    const { data } = await endOthers({});
    if (!data) return;
    setAsking(false);
    onEnded();
  }

  return (
    <div>
      <Button variant="default" onClick={() => setAsking(true)}>
        End all other sessions
      </Button>
      <Modal opened={asking} onClose={() => setAsking(false)} title="End all other sessions?" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack gap="md">
          {error && <ErrorMessage message={describeError(error).message} />}
          <Text>Every browser except this one is signed out at once and needs one of your passkeys to sign in again.</Text>
          <Text>If somebody else had access, also remove any passkey you do not recognise.</Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button color="red.9" loading={fetching} onClick={() => void end()}>
              End all others
            </Button>
          </Group>
        </Stack>
      </Modal>
    </div>
  );
}

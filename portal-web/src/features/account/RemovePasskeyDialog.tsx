import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { AccountPasskey } from './accountQuery.ts';
import { removePasskeyMutation } from './passkeyMutations.ts';

type RemovePasskeyDialogProps = { passkey: AccountPasskey; opened: boolean; onClose: () => void };

/** Asks for confirmation, naming the passkey and what removing it does. */
export function RemovePasskeyDialog({ passkey, opened, onClose }: RemovePasskeyDialogProps) {
  const [, remove] = useMutation(removePasskeyMutation);
  const confirmed = useFreshPasskey();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit() {
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => remove({ input: { passkeyId: passkey.id } }));
    setBusy(false);
    if (error) return setProblem(error.message);
    onClose();
  }

  return (
    <Modal opened={opened} onClose={onClose} title="Remove this passkey?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Text style={{ overflowWrap: 'anywhere' }}>
          <strong>{passkey.name}</strong> no longer signs you in, from this moment on.
        </Text>
        <Text>
          Open sessions stay open. If somebody else has the device, end its session below as well. The device still lists the passkey until
          you delete it there.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red.9" loading={busy} onClick={() => void submit()}>
            Remove passkey
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { regenerateSandboxCorpusMutation } from './sandboxMutations.ts';
import type { Sandbox } from './sandboxQueries.ts';

type RegenerateDialogProps = {
  clientId: string;
  name: string;
  sandbox: Sandbox;
  opened: boolean;
  onClose: () => void;
};

/** Says what regenerating the test data discards, and regenerates it. */
export function RegenerateDialog({ clientId, name, sandbox, opened, onClose }: RegenerateDialogProps) {
  const [{ fetching }, regenerate] = useMutation(regenerateSandboxCorpusMutation);
  const [problem, setProblem] = useState<string | null>(null);

  async function confirm() {
    setProblem(null);
    const { data, error } = await regenerate({ input: { clientId } });
    if (error || !data) return setProblem(describeError(error).message);
    onClose();
  }

  return (
    <Modal opened={opened} onClose={onClose} title={`Regenerate the test data of ${name}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Text>The current data stays until the new data is ready. At that moment:</Text>
        <List spacing={4}>
          <List.Item>
            all connections ({sandbox.connections}), orders ({sandbox.orders}) and stock vehicles ({sandbox.vehicles}) disappear, along with
            every link code and identifier: a request for anything you have stored gets 404, never 410;
          </List.Item>
          <List.Item>
            tombstones and outstanding deletions disappear too: acknowledging an old revocation gets 404, and you do not need to do anything
            else about it;
          </List.Item>
          <List.Item>
            stored cursors are refused with <code>invalid_cursor</code>. A recovery sync brings the new data; your back end deletes whatever
            it does not bring.
          </List.Item>
        </List>
        <Text>Certificates, scopes and quotas do not change. You can do this 6 times an hour.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep current data
          </Button>
          <Button color="red.9" loading={fetching} onClick={() => void confirm()}>
            Regenerate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

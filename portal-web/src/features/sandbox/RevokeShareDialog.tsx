import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { revokeSandboxShareMutation } from './sandboxMutations.ts';

type Share = { resourceId: string } | { connectionId: string; liveResources: number };
type RevokeShareDialogProps = { clientId: string; share: Share; onDone?: () => void; onClose: () => void };

/** Says what a revocation requires of the operator's back end, and revokes the share. */
export function RevokeShareDialog({ clientId, share, onDone, onClose }: RevokeShareDialogProps) {
  const [{ fetching }, revokeShare] = useMutation(revokeSandboxShareMutation);
  const [problem, setProblem] = useState<string | null>(null);
  const isResource = 'resourceId' in share;

  async function revoke() {
    setProblem(null);
    const named = isResource ? { resourceId: share.resourceId } : { connectionId: share.connectionId };
    const { data, error } = await revokeShare({ input: { clientId, ...named } });
    if (error || !data) return setProblem(describeError(error).message);
    onDone?.();
    onClose();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={isResource ? 'Revoke this resource?' : 'Revoke this connection?'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Text style={{ overflowWrap: 'anywhere' }}>
          <code>{isResource ? share.resourceId : share.connectionId}</code>
        </Text>
        <Text>
          {isResource ? 'Access to it ends' : `Access to everything it shares (${share.liveResources} now) ends`} with the next request, as
          when a user revokes it. Your back end receives tombstones, must delete every copy, and must acknowledge the deletion within 7
          days. This cannot be undone.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red.9" loading={fetching} onClick={() => void revoke()}>
            Revoke
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

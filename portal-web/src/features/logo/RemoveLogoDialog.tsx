import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { Integration } from '../integration/integrationQuery.ts';

const removeLogoMutation = graphql(`
  mutation RemoveLogo($input: RemoveLogoInput!) {
    removeLogo(input: $input) {
      id
      profile {
        version
      }
    }
  }
`);

type RemoveLogoDialogProps = { integration: Integration; opened: boolean; onClose: () => void; onRemoved: () => void };

/** Asks for confirmation, naming the integration and what removing its logo does. */
export function RemoveLogoDialog({ integration, opened, onClose, onRemoved }: RemoveLogoDialogProps) {
  const [{ fetching }, removeLogo] = useMutation(removeLogoMutation);
  const [problem, setProblem] = useState<string | null>(null);

  async function remove() {
    setProblem(null);
    const { error } = await removeLogo({ input: { integrationId: integration.id } });
    if (error) return setProblem(describeError(error).message);
    onClose();
    onRemoved();
  }

  return (
    <Modal opened={opened} onClose={onClose} title="Remove the logo?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Text>
          The next version of the profile of <strong>{integration.profile.publicName}</strong> has no logo. Earlier versions keep theirs.
          You must upload another one before you submit for production review.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red.9" loading={fetching} onClick={() => void remove()}>
            Remove logo
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

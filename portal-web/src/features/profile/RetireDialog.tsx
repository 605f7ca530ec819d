import { Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { retireIntegrationMutation } from './profileQueries.ts';

type RetireDialogProps = { integration: Integration; opened: boolean; onClose: () => void; onRetired: () => void };

/** Says what retiring ends, asks the reader to type the slug, and retires the integration. */
export function RetireDialog({ integration: { id, slug, profile }, opened, onClose, onRetired }: RetireDialogProps) {
  const [, retireIntegration] = useMutation(retireIntegrationMutation);
  const confirmed = useFreshPasskey();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function retire(event: SubmitEvent) {
    event.preventDefault();
    if (typed.trim() !== slug) return setProblem(`Type the slug exactly: ${slug}`);
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => retireIntegration({ input: { integrationId: id } }));
    setBusy(false);
    if (error) return setProblem(error.message);
    onClose();
    onRetired();
  }

  return (
    <Modal opened={opened} onClose={onClose} title={`Retire ${profile.publicName} for good?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={(event) => void retire(event)} noValidate>
        <Stack gap="md">
          {problem && <ErrorMessage message={problem} />}
          <Text>This happens at once, in the sandbox and in production:</Text>
          <List spacing={4}>
            <List.Item>every certificate is revoked and every call is refused;</List.Item>
            <List.Item>every connection is revoked: you have 7 days to delete what users have shared and to record it here;</List.Item>
            <List.Item>valid link codes are cancelled;</List.Item>
            <List.Item>
              the slug <code>{slug}</code> is never used again, by anybody.
            </List.Item>
          </List>
          <Text>This cannot be undone.</Text>
          <TextInput
            label="Type the slug to confirm"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Keep it
            </Button>
            <Button type="submit" color="red.9" loading={busy}>
              Retire for good
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { useSession } from '../session/SessionContext.ts';
import type { Deletion } from './accountSettingsQuery.ts';

const deleteAccountMutation = graphql(`
  mutation DeleteAccount {
    deleteAccount
  }
`);

type DeleteAccountDialogProps = { email: string; deletion: Deletion; onClose: () => void; onRefused: () => void };

/** Lists everything that will be deleted, asks for the passkey, and deletes the account. */
export function DeleteAccountDialog({ email, deletion: { retires }, onClose, onRefused }: DeleteAccountDialogProps) {
  const [, deleteAccount] = useMutation(deleteAccountMutation);
  const confirmed = useFreshPasskey();
  const { leave } = useSession();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit() {
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => deleteAccount({}));
    setBusy(false);
    if (error) {
      setProblem(error.message);
      if (error.code === 'CONFLICT') onRefused();
      return;
    }
    await navigate(paths.accountDeleted, { replace: true });
    leave();
  }

  return (
    <Modal opened onClose={onClose} title="Delete this account permanently?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Text style={{ overflowWrap: 'anywhere' }}>
          The account of <strong>{email}</strong>. At once and for good:
        </Text>
        <List spacing={4}>
          <List.Item>your address, passkeys, recovery codes and sessions are removed;</List.Item>
          <List.Item>{retirement(retires.map(({ publicName }) => publicName))}</List.Item>
          <List.Item>the audit trail keeps a record under an anonymous identifier.</List.Item>
        </List>
        <Text>You confirm with your passkey. We send you a final email once the account is deleted.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep my account
          </Button>
          <Button color="red.9" loading={busy} onClick={() => void submit()}>
            Delete permanently
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const namedAtMost = 5;

function retirement(names: readonly string[]): string {
  if (names.length === 0) return 'you have no integrations to retire;';
  const shown = names.slice(0, namedAtMost).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  const list = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const what =
    names.length === 1
      ? 'is retired, its slug can never be used again, and its'
      : 'are retired, their slugs can never be used again, and their';
  return `${list} ${what} certificates, connections and link codes end;`;
}

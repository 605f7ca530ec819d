import { Button, Group, Stack } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { Dialog } from '../../ui/forms/Dialog.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import type { AccountPasskey } from './accountQuery.ts';
import { passkeyNameCharacters } from '../passkey/passkeyName.ts';
import { renamePasskeyMutation } from './passkeyMutations.ts';

/** Renames a passkey. Only the reader sees the name. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: AccountPasskey; onClose: () => void }) {
  const [{ fetching, error }, rename] = useMutation(renamePasskeyMutation);
  const [name, setName] = useState(passkey.name);
  const described = error && describeError(error);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const { data } = await rename({ input: { passkeyId: passkey.id, name } });
    if (data) onClose();
  }

  return (
    <Dialog onClose={onClose} title="Rename this passkey">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {described && !described.fields['name'] && <ErrorMessage message={described.message} />}
          <ShortText
            label="Passkey name"
            required
            longest={passkeyNameCharacters}
            autoComplete="off"
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={described?.fields['name']}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={fetching}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

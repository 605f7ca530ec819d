import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { Dialog } from '../../ui/forms/Dialog.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { createPasskey } from '../passkey/ceremonies.ts';
import { passkeyNameCharacters, passkeyNameComplaint } from '../passkey/passkeyName.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { beginPasskeyAdditionMutation, finishPasskeyAdditionMutation } from './passkeyMutations.ts';

/** Adds a passkey. The reader confirms with an existing one, and then the browser creates the new one. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [, begin] = useMutation(beginPasskeyAdditionMutation);
  const [, finish] = useMutation(finishPasskeyAdditionMutation);
  const confirmed = useFreshPasskey();
  const [name, setName] = useState('');
  const [complaint, setComplaint] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function add(label: string): Promise<string | null> {
    const begun = await confirmed(() => begin({}));
    if (begun.error) return begun.error.message;
    const { response, message } = await createPasskey(begun.data.beginPasskeyAddition);
    if (!response) return message;
    const finished = await confirmed(() => finish({ input: { response, name: label } }));
    return finished.error ? finished.error.message : null;
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const wrong = passkeyNameComplaint(name);
    setComplaint(wrong);
    if (wrong !== null) return;
    setProblem(null);
    setBusy(true);
    const failure = await add(name.trim());
    setBusy(false);
    if (failure !== null) return setProblem(failure);
    onClose();
  }

  return (
    <Dialog onClose={onClose} title="Add a passkey">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {problem && <ErrorMessage message={problem} />}
          <Text>
            First you confirm with an existing passkey. Your browser then asks where to save the new one: on this device, a phone or a
            security key.
          </Text>
          <ShortText
            label="Passkey name"
            description="Such as “Phone” or “Blue security key”."
            required
            longest={passkeyNameCharacters}
            autoComplete="off"
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={complaint}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Confirm and create
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCloudCheck, IconCloudOff, IconDeviceLaptop, IconPlus, type TablerIcon } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { describeError } from '../../../graphql/describeError.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Dialog } from '../../../ui/forms/Dialog.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { createPasskey } from '../../../features/passkey/ceremonies.ts';
import { passkeyNameCharacters, passkeyNameComplaint } from '../../../features/passkey/passkeyName.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import classes from './account.module.css';
import { type AccountPasskey, accountQuery } from './accountQueries.ts';

/** The account's passkeys, with what can be done with each, and a way to add another. */
export function PasskeyPanel() {
  const [result, read] = useQuery({ query: accountQuery });
  const [adding, setAdding] = useState(false);
  return (
    <Panel title="Passkeys" lead="You can sign in with any of these. To add or remove one, you confirm with an existing passkey.">
      <Loaded shape="text" result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ account: { passkeys } }) => (
          <Stack gap="md">
            <ul className={classes.list} aria-label="Passkeys">
              {passkeys.map((passkey) => (
                <PasskeyCard key={passkey.id} passkey={passkey} isLast={passkeys.length === 1} />
              ))}
            </ul>
            {passkeys.length === 1 && (
              <Text size="sm">
                This is your only passkey. Add another on a different device or a security key, so that losing this one does not cost you
                your account.
              </Text>
            )}
            <div>
              <Button variant="default" onClick={() => setAdding(true)} leftSection={<IconPlus size={16} aria-hidden />}>
                Add a passkey
              </Button>
            </div>
            {adding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

/** Adds a passkey. The reader confirms with an existing one, and then the browser creates the new one. */
function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
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

const storageWords: Record<AccountPasskey['storage'], { Icon: TablerIcon; word: string; meaning: string }> = {
  synced: { Icon: IconCloudCheck, word: 'Synced', meaning: 'Your password manager syncs it to your other devices.' },
  not_synced: { Icon: IconCloudOff, word: 'Not synced yet', meaning: 'Your password manager can sync it, but has not done so yet.' },
  device_bound: {
    Icon: IconDeviceLaptop,
    word: 'Only on one device',
    meaning: 'It never leaves its device. If the device is lost, so is the passkey.',
  },
};

/** One passkey: what it is called, where it lives, and when it was last used. */
function PasskeyCard({ passkey, isLast }: { passkey: AccountPasskey; isLast: boolean }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const { name, storage, createdAt, lastUsedAt } = passkey;
  const { Icon, word, meaning } = storageWords[storage];
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Text size="sm" fw={650} className={classes.name}>
          {name}
        </Text>
        <Text size="sm" component="div" className={classes.storage} title={meaning}>
          <Icon size={16} aria-hidden />
          {word}
        </Text>
        <Text size="sm" c="dimmed">
          {lastUsedAt ? (
            <>
              Last used <Time value={lastUsedAt} />
            </>
          ) : (
            'Not used yet'
          )}
          {' · '}added <Time value={createdAt} />
        </Text>
      </div>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => setOpen('rename')} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        {!isLast && (
          <Button variant="default" size="xs" onClick={() => setOpen('remove')} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        )}
      </Group>
      {open === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemovePasskeyDialog passkey={passkey} onClose={close} />}
    </li>
  );
}

/** Asks for confirmation, naming the passkey and what removing it does. */
function RemovePasskeyDialog({ passkey: { id, name }, onClose }: { passkey: AccountPasskey; onClose: () => void }) {
  const [, remove] = useMutation(removePasskeyMutation);
  const confirmed = useFreshPasskey();

  async function submit() {
    const { error } = await confirmed(() => remove({ input: { passkeyId: id } }));
    return error?.message ?? null;
  }

  return (
    <ConsequenceDialog
      title="Remove this passkey?"
      object={<strong>{name}</strong>}
      changes={['It no longer signs you in, from this moment on.']}
      unchanged={[
        'Open sessions stay open. If somebody else has the device, end its session below as well.',
        'The device still lists the passkey until you delete it there.',
      ]}
      verb="Remove passkey"
      tone="danger"
      onConfirm={submit}
      onClose={onClose}
    />
  );
}

/** Renames a passkey. Only the reader sees the name. */
function RenamePasskeyDialog({ passkey, onClose }: { passkey: AccountPasskey; onClose: () => void }) {
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

const beginPasskeyAdditionMutation = graphql(`
  mutation BeginPasskeyAddition {
    beginPasskeyAddition
  }
`);

const finishPasskeyAdditionMutation = graphql(`
  mutation FinishPasskeyAddition($input: FinishPasskeyAdditionInput!) {
    finishPasskeyAddition(input: $input) {
      id
      name
    }
  }
`);

const renamePasskeyMutation = graphql(`
  mutation RenamePasskey($input: RenamePasskeyInput!) {
    renamePasskey(input: $input) {
      id
      name
    }
  }
`);

const removePasskeyMutation = graphql(`
  mutation RemovePasskey($input: RemovePasskeyInput!) {
    removePasskey(input: $input) {
      id
    }
  }
`);

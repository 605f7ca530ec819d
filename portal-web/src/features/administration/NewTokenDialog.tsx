import { Button, Checkbox, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { WholeNumberField } from '../../ui/forms/WholeNumberField.tsx';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { createServiceTokenMutation, permissionWords, type CreatedToken } from './tokenQueries.ts';

/** Creates a service token and shows its text, which is never shown again. */
export function NewTokenDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const [created, setCreated] = useState<CreatedToken | null>(null);
  if (created) {
    return (
      <Modal opened onClose={() => {}} withCloseButton={false} closeOnEscape={false} closeOnClickOutside={false} title="The new token">
        <ShownOnce created={created} onSaved={onClose} />
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title="New service token" closeButtonProps={{ 'aria-label': 'Close' }}>
      <TokenForm
        onClose={onClose}
        onCreated={(token) => {
          setCreated(token);
          onCreated();
        }}
      />
    </Modal>
  );
}

function TokenForm({ onClose, onCreated }: { onClose: () => void; onCreated: (created: CreatedToken) => void }) {
  const [, createServiceToken] = useMutation(createServiceTokenMutation);
  const confirmed = useFreshPasskey();
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<'sandbox' | 'production'>('sandbox');
  const [permissions, setPermissions] = useState<string[]>([]);
  const [days, setDays] = useState<number | string>(90);
  const [problem, setProblem] = useState<{ message: string; fields: Readonly<Record<string, string>> } | null>(null);
  const [busy, setBusy] = useState(false);
  const fields = problem?.fields ?? {};

  async function create() {
    setBusy(true);
    const input = { name, environment, permissions, expiresInDays: Number(days) };
    const { data, error } = await confirmed(() => createServiceToken({ input }));
    setBusy(false);
    if (error) return setProblem(error);
    onCreated(data.createServiceToken);
  }

  return (
    <Stack gap="md">
      {problem && Object.keys(fields).length === 0 && <ErrorMessage message={problem.message} />}
      <ShortText
        label="Name"
        description="The program that will use it."
        required
        longest={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fields['name']}
      />
      <div>
        <Text size="sm" fw={500} id="token-environment">
          Environment
        </Text>
        <SegmentedControl
          aria-labelledby="token-environment"
          data={[
            { value: 'sandbox', label: 'Sandbox' },
            { value: 'production', label: 'Production' },
          ]}
          value={environment}
          onChange={(value) => setEnvironment(value === 'production' ? 'production' : 'sandbox')}
        />
      </div>
      <Checkbox.Group
        label="Permissions"
        description="Grant only what the program needs."
        required
        value={permissions}
        onChange={setPermissions}
        error={fields['permissions']}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(permissionWords).map(([value, words]) => (
            <Checkbox key={value} value={value} label={value} description={words} />
          ))}
        </Stack>
      </Checkbox.Group>
      <WholeNumberField
        label="Days until it expires"
        description="1 to 365."
        value={days}
        onChange={setDays}
        error={fields['expiresInDays']}
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} disabled={name.trim() === '' || permissions.length === 0} onClick={() => void create()}>
          Create token
        </Button>
      </Group>
    </Stack>
  );
}

function ShownOnce({ created: { token, serviceToken }, onSaved }: { created: CreatedToken; onSaved: () => void }) {
  const [saved, setSaved] = useState(false);
  return (
    <Stack gap="md">
      <Text>
        This is the token of {serviceToken.name}. It is shown only once and is not stored. Give it to the program, and to nothing that logs
        or forwards it.
      </Text>
      <CopyableCode value={token} label="the token" block />
      <Checkbox label="I have saved it" checked={saved} onChange={(event) => setSaved(event.currentTarget.checked)} />
      <Group justify="flex-end">
        <Button disabled={!saved} onClick={onSaved}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

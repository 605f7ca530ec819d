import { Button, Group, Modal, NativeSelect, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { AdministeredClient } from './integrationQueries.ts';
import { quotaWords, type Quota } from './quotaWords.ts';
import { setQuotaOverrideMutation } from './statusMutations.ts';

type OverrideDialogProps = { client: AdministeredClient; onClose: () => void; onChanged: () => void };

/** Sets another value for one quota of a client. */
export function OverrideDialog({ client, onClose, onChanged }: OverrideDialogProps) {
  const [, setQuotaOverride] = useMutation(setQuotaOverrideMutation);
  const confirmed = useFreshPasskey();
  const [quota, setQuota] = useState<Quota>('requests_per_hour');
  const [value, setValue] = useState<number | string>('');
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<{ message: string; fields: Readonly<Record<string, string>> } | null>(null);
  const [busy, setBusy] = useState(false);

  async function set() {
    setBusy(true);
    const expiresAt = until === '' ? null : `${until}T23:59:59.000Z`;
    const input = { clientId: client.id, quota, value: Number(value), reason, expiresAt };
    const { error } = await confirmed(() => setQuotaOverride({ input }));
    setBusy(false);
    if (error) return setProblem(error);
    onClose();
    onChanged();
  }

  const fields = problem?.fields ?? {};
  return (
    <Modal opened onClose={onClose} title="Override a quota" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && Object.keys(fields).length === 0 && <ErrorMessage message={problem.message} />}
        <Text style={{ overflowWrap: 'anywhere' }}>
          For <code>{client.id}</code> in {client.environment === 'sandbox' ? 'the sandbox' : 'production'}. It applies from the next
          request and appears in GET /v1/capabilities.
        </Text>
        <NativeSelect
          label="Quota"
          value={quota}
          onChange={(event) => setQuota(event.currentTarget.value as Quota)}
          data={Object.entries(quotaWords).map(([name, label]) => ({ value: name, label }))}
        />
        <NumberInput
          label="Value"
          required
          min={1}
          allowDecimal={false}
          value={value}
          onChange={setValue}
          error={fields['value']}
          hideControls
        />
        <TextInput
          label="Until the end of (UTC)"
          description="Leave empty to keep it until it is withdrawn."
          type="date"
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
          error={fields['expiresAt']}
        />
        <Textarea
          label="Reason"
          required
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fields['reason']}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={busy} disabled={value === '' || reason.trim() === ''} onClick={() => void set()}>
            Set override
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

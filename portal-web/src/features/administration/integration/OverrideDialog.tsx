import { NativeSelect, TextInput } from '@mantine/core';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { useState } from 'react';
import { useMutation } from 'urql';
import { dayComplaint } from '../../../ui/time/dayComplaint.ts';
import { ConsequenceDialog, type Refused } from '../../../ui/forms/ConsequenceDialog.tsx';
import { useFreshPasskey } from '../../passkey/useFreshPasskey.ts';
import type { AdministeredClient, AdministeredIntegration } from '../integrationQueries.ts';
import { quotaWords, type Quota } from './quotaWords.ts';
import { reasonField } from '../reasonField.ts';
import { setQuotaOverrideMutation } from './statusMutations.ts';

type OverrideDialogProps = {
  integration: AdministeredIntegration;
  clients: readonly [AdministeredClient, ...AdministeredClient[]];
  onClose: () => void;
  onChanged: () => void;
};

/** Sets another value for one quota of a client. */
export function OverrideDialog({ integration, clients, onClose, onChanged }: OverrideDialogProps) {
  const [, setQuotaOverride] = useMutation(setQuotaOverrideMutation);
  const confirmed = useFreshPasskey();
  const [clientId, setClientId] = useState(clients[0].id);
  const [quota, setQuota] = useState<Quota>('requests_per_hour');
  const [value, setValue] = useState<number | string>('');
  const [until, setUntil] = useState('');
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});

  async function set(reason: string): Promise<Refused | null> {
    const wrongDay = dayComplaint(until);
    if (wrongDay) {
      setFields({ expiresAt: wrongDay });
      return { reason: '' };
    }
    const expiresAt = until === '' ? null : `${until}T23:59:59.000Z`;
    const { error } = await confirmed(() => setQuotaOverride({ input: { clientId, quota, value: Number(value), reason, expiresAt } }));
    setFields(error?.fields ?? {});
    if (!error) {
      onChanged();
      return null;
    }
    return Object.keys(error.fields).length === 0 ? error.message : { reason: error.fields['reason'] ?? '' };
  }

  return (
    <ConsequenceDialog
      title={`Override a quota of ${integration.profile.publicName}?`}
      object={<code>{integration.slug}</code>}
      changes={['The value applies from the next request and appears in GET /v1/capabilities.']}
      unchanged={['All other quotas, and those of the other client.', 'The status and the production gate.']}
      reason={reasonField}
      verb="Set override"
      waiting={value === ''}
      onConfirm={set}
      onClose={onClose}
    >
      <NativeSelect
        label="Client"
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
        data={clients.map(({ id, environment }) => ({
          value: id,
          label: `${environment === 'sandbox' ? 'Sandbox' : 'Production'}, ${id}`,
        }))}
      />
      <NativeSelect
        label="Quota"
        value={quota}
        onChange={(event) => setQuota(event.currentTarget.value as Quota)}
        data={Object.entries(quotaWords).map(([name, label]) => ({ value: name, label }))}
      />
      <WholeNumberField label="Value" required value={value} onChange={setValue} error={fields['value']} />
      <TextInput
        label="Until the end of (UTC)"
        description="Leave empty to keep it until it is withdrawn."
        type="date"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
        error={fields['expiresAt']}
      />
    </ConsequenceDialog>
  );
}

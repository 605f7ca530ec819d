import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import type { AdministeredClient, AdministeredIntegration } from '../../../features/administration/integrationQueries.ts';
import { reasonField } from '../../../features/administration/reasonField.ts';
import { type Quota, quotaWords } from '../../../features/administration/quotaWords.ts';
import { withdrawQuotaOverrideMutation } from './statusMutations.ts';

type ClientsPanelProps = {
  integration: AdministeredIntegration;
  /** Whether the quotas are fixed, as they are for the reader's own integrations and for retired ones. */
  fixed: boolean;
  onChanged: () => void;
};

/** When each client last called, and which quotas differ from the baseline. */
export function ClientsPanel({ integration, fixed, onChanged }: ClientsPanelProps) {
  const [asked, setAsked] = useState<{ client: AdministeredClient; quota: Quota } | null>(null);
  const clients = integration.clients.toSorted((one, other) => one.environment.localeCompare(other.environment));
  const overridden = clients.filter(({ quotaOverrides }) => quotaOverrides.length > 0);
  return (
    <Panel title="Clients and quotas">
      <Stack gap="sm">
        <DataTable caption="Clients" columns={columns} rows={clients} rowKey={({ id }) => id} />
        {overridden.length === 0 && (
          <Text size="sm" c="dimmed">
            All quotas are at their baseline.
          </Text>
        )}
        {overridden.map((client) => (
          <OverrideTable key={client.id} client={client} onWithdraw={fixed ? null : (quota) => setAsked({ client, quota })} />
        ))}
      </Stack>
      {asked && <OverrideWithdrawalDialog {...asked} {...{ integration, onChanged }} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

const columns: readonly Column<AdministeredClient>[] = [
  { header: 'Environment', cell: ({ environment }) => <EnvironmentTag environment={environment} /> },
  { header: 'Client ID', breaks: true, cell: ({ id }) => <Identifier value={id} label="the client ID" /> },
  { header: 'Last request', cell: ({ lastRequestAt }) => (lastRequestAt ? <Time value={lastRequestAt} /> : 'Never') },
  { header: 'Last sync', cell: ({ lastSyncAt }) => (lastSyncAt ? <Time value={lastSyncAt} /> : 'Never') },
];

type OverrideWithdrawalDialogProps = {
  integration: AdministeredIntegration;
  client: AdministeredClient;
  quota: Quota;
  onClose: () => void;
  onChanged: () => void;
};

/** Asks before a quota of a client returns to the baseline. */
function OverrideWithdrawalDialog({ integration, client, quota, onClose, onChanged }: OverrideWithdrawalDialogProps) {
  const [, withdrawQuotaOverride] = useMutation(withdrawQuotaOverrideMutation);
  const confirmed = useFreshPasskey();

  async function withdraw(reason: string): Promise<string | null> {
    const { error } = await confirmed(() => withdrawQuotaOverride({ input: { clientId: client.id, quota, reason } }));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`Withdraw this override of ${integration.profile.publicName}?`}
      object={
        <>
          {quotaWords[quota]}, for <code>{client.id}</code> in {client.environment === 'sandbox' ? 'the sandbox' : 'production'}
        </>
      }
      changes={['The baseline applies again from the next request.']}
      unchanged={['All other quotas, and those of the other client.', 'The status and the production gate.']}
      reason={reasonField}
      verb="Withdraw override"
      onConfirm={withdraw}
      onClose={onClose}
    />
  );
}

type Override = AdministeredClient['quotaOverrides'][number];
type OverrideTableProps = {
  client: AdministeredClient;
  /** Null if the reader must not change anything. */
  onWithdraw: ((quota: Quota) => void) | null;
};

/** The quotas of a client that differ from the baseline, each with its reason and its end. */
function OverrideTable({ client, onWithdraw }: OverrideTableProps) {
  const withdrawal: Column<Override> = {
    header: 'Withdraw',
    actions: true,
    cell: ({ quota }) =>
      onWithdraw && (
        <Button variant="default" size="xs" onClick={() => onWithdraw(quota)}>
          Withdraw
        </Button>
      ),
  };
  return (
    <DataTable
      caption={`Overrides in ${client.environment}`}
      columns={onWithdraw ? [...overrideTableColumns, withdrawal] : overrideTableColumns}
      rows={client.quotaOverrides}
      rowKey={({ quota }) => quota}
    />
  );
}

const overrideTableColumns: readonly Column<Override>[] = [
  { header: 'Quota', cell: ({ quota, value }) => `${quotaWords[quota]}: ${value.toLocaleString('en')}` },
  { header: 'Reason', breaks: true, cell: ({ reason }) => reason },
  { header: 'Set', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { header: 'Ends', cell: ({ expiresAt }) => (expiresAt ? <End at={expiresAt} /> : 'When it is withdrawn') },
];

function End({ at }: { at: string }) {
  const over = new Date(at) <= useNow();
  return (
    <>
      <Time value={at} /> {over && <StatusBadge tone="stopped">Expired: baseline applies</StatusBadge>}
    </>
  );
}

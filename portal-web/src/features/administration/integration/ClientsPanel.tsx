import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import type { AdministeredClient, AdministeredIntegration } from '../integrationQueries.ts';
import { OverrideTable } from './OverrideTable.tsx';
import { OverrideWithdrawalDialog } from './OverrideWithdrawalDialog.tsx';
import type { Quota } from './quotaWords.ts';

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

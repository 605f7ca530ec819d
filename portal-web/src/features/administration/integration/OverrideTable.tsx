import { Button } from '@mantine/core';
import { DataTable, type Column } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import type { AdministeredClient } from '../integrationQueries.ts';
import { quotaWords, type Quota } from './quotaWords.ts';

type Override = AdministeredClient['quotaOverrides'][number];
type OverrideTableProps = {
  client: AdministeredClient;
  /** Null if the reader must not change anything. */
  onWithdraw: ((quota: Quota) => void) | null;
};

/** The quotas of a client that differ from the baseline, each with its reason and its end. */
export function OverrideTable({ client, onWithdraw }: OverrideTableProps) {
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
      columns={onWithdraw ? [...columns, withdrawal] : columns}
      rows={client.quotaOverrides}
      rowKey={({ quota }) => quota}
    />
  );
}

const columns: readonly Column<Override>[] = [
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

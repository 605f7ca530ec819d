import { Button, Text } from '@mantine/core';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { Agreement } from './businessModelQuery.ts';

const states: Record<Agreement['state'], { word: string; tone: StatusTone }> = {
  valid: { word: 'Valid', tone: 'good' },
  future: { word: 'Not valid yet', tone: 'waiting' },
  ended: { word: 'Ended', tone: 'neutral' },
  withdrawn: { word: 'Withdrawn', tone: 'stopped' },
};

type AgreementTableProps = { agreements: readonly Agreement[]; onWithdraw?: (agreement: Agreement) => void };

/** The written agreements of an integration, newest first, each with its present state. */
export function AgreementTable({ agreements, onWithdraw }: AgreementTableProps) {
  if (agreements.length === 0)
    return <EmptyState kind="nothingYet" title="There is no agreement, so the standard non-commercial licence applies." />;
  const withdrawal: Column<Agreement> = {
    header: 'Withdraw',
    actions: true,
    cell: (agreement) =>
      onWithdraw &&
      !agreement.withdrawnAt && (
        <Button variant="default" size="xs" aria-label={`Withdraw ${agreement.reference}`} onClick={() => onWithdraw(agreement)}>
          Withdraw
        </Button>
      ),
  };
  return (
    <DataTable
      caption="Commercial agreements"
      columns={onWithdraw ? [...columns, withdrawal] : columns}
      rows={agreements}
      rowKey={({ id }) => id}
    />
  );
}

const columns: readonly Column<Agreement>[] = [
  { header: 'Reference', cell: ({ reference }) => reference },
  {
    header: 'What is agreed',
    breaks: true,
    cell: ({ summary, withdrawnAt, withdrawalReason }) => (
      <>
        <Text inherit style={{ whiteSpace: 'pre-wrap' }}>
          {summary}
        </Text>
        {withdrawnAt && (
          <Text inherit c="dimmed">
            Withdrawn <Time value={withdrawnAt} />: {withdrawalReason}
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'Term',
    cell: ({ validFrom, validUntil }) => `From ${validFrom} ${validUntil ? `to ${validUntil}` : 'with no end date'}`,
  },
  { header: 'Recorded', wide: true, cell: ({ recordedAt }) => <Time value={recordedAt} /> },
  { header: 'State', cell: ({ state }) => <StatusBadge tone={states[state].tone}>{states[state].word}</StatusBadge> },
];

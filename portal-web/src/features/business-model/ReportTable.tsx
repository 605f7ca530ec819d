import { Text } from '@mantine/core';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import type { BusinessModel } from './businessModelQuery.ts';

/** The changes that the owner has reported, newest first. */
export function ReportTable({ reports }: { reports: BusinessModel['businessModelReports'] }) {
  if (reports.length === 0) return <EmptyState kind="nothingYet" title="No changes have been reported." />;
  return <DataTable caption="Reported changes" columns={columns} rows={reports} rowKey={({ id }) => id} />;
}

const columns: readonly Column<BusinessModel['businessModelReports'][number]>[] = [
  {
    header: 'Change',
    cell: ({ description }) => (
      <Text fw={400} style={{ whiteSpace: 'pre-wrap' }}>
        {description}
      </Text>
    ),
  },
  { header: 'Reported', cell: ({ reportedAt }) => <Time value={reportedAt} /> },
];

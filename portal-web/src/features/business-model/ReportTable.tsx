import { Text } from '@mantine/core';
import { Empty } from '../../ui/states/Empty.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import type { BusinessModel } from './businessModelQuery.ts';

/** The changes that the owner has reported, newest first. */
export function ReportTable({ reports }: { reports: BusinessModel['businessModelReports'] }) {
  if (reports.length === 0) return <Empty>No changes have been reported.</Empty>;
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
  { header: 'Reported', cell: ({ reportedAt }) => <RelativeTime value={reportedAt} /> },
];

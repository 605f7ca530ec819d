import { Text } from '@mantine/core';
import { Empty } from '../../ui/states/Empty.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import type { BusinessModel } from './businessModelQuery.ts';

/** What the owner has reported, newest first. */
export function ReportList({ reports }: { reports: BusinessModel['businessModelReports'] }) {
  if (reports.length === 0) return <Empty>No changes have been reported.</Empty>;
  return (
    <RecordList label="Reported changes">
      {reports.map(({ id, description, reportedAt }) => (
        <RecordRow
          key={id}
          title={<Text style={{ whiteSpace: 'pre-wrap' }}>{description}</Text>}
          facts={
            <>
              Reported <RelativeTime value={reportedAt} />
            </>
          }
        />
      ))}
    </RecordList>
  );
}

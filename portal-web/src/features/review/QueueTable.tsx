import { paths } from '../../paths.ts';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { ElapsedTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { QueuedSubmission } from './reviewQueries.ts';
import { submissionStatusWords } from './reviewWords.ts';

/** Submissions, each with its age, whose turn it is and since when, and who reviews it. */
export function QueueTable({ submissions }: { submissions: readonly QueuedSubmission[] }) {
  return <DataTable caption="Submissions" columns={columns} rows={submissions} rowKey={({ id }) => id} />;
}

const columns: readonly Column<QueuedSubmission>[] = [
  { header: 'Name', cell: ({ profile }) => profile.publicName, to: ({ id }) => paths.submission(id) },
  { header: 'Slug', breaks: true, cell: ({ slug }) => <code>{slug}</code> },
  { header: 'Submission', figures: true, cell: ({ number }) => number },
  { header: 'Submitted', cell: ({ submittedAt }) => <RelativeTime value={submittedAt} /> },
  { header: 'Turn', cell: (submission) => <Waiting submission={submission} /> },
  { header: 'Reviewer', cell: (submission) => <Marks submission={submission} /> },
];

function Waiting({ submission: { status, waitingFor, waitingSince } }: { submission: QueuedSubmission }) {
  if (status !== 'submitted') {
    return (
      <>
        Decided <RelativeTime value={waitingSince} />
      </>
    );
  }
  return (
    <>
      {waitingFor === 'reviewer' ? 'Waiting for a reviewer' : 'Waiting for the owner'} <ElapsedTime since={waitingSince} />
    </>
  );
}

function Marks({ submission: { status, taken, mine, reviewer } }: { submission: QueuedSubmission }) {
  const badge = submissionStatusWords[status];
  if (status !== 'submitted') return <StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>;
  if (mine) return <StatusBadge tone="working">Assigned to you</StatusBadge>;
  if (taken) return <StatusBadge tone="working">{`Assigned to ${reviewer ?? 'a former reviewer'}`}</StatusBadge>;
  return <StatusBadge tone="waiting">Unassigned</StatusBadge>;
}

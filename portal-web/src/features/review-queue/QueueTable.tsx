import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { paths } from '../../paths.ts';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { ElapsedTime } from '../../ui/time/ElapsedTime.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { QueuedSubmission } from '../review/reviewQueries.ts';
import { waitingBadge, type Times } from '../review/reviewTimesWords.ts';

/** Submissions: how long each has waited, whose turn it is, how far the review is, and who has it. */
export function QueueTable({ submissions, times }: { submissions: readonly QueuedSubmission[]; times: Times }) {
  const columns: readonly Column<QueuedSubmission>[] = [
    { header: 'Name', breaks: true, cell: ({ profile }) => profile.publicName, to: ({ id }) => paths.submission(id) },
    { header: 'Waiting', cell: (submission) => <Waiting submission={submission} times={times} /> },
    { header: 'Turn', cell: (submission) => <Turn submission={submission} /> },
    { header: 'Submission', figures: true, cell: ({ number }) => number },
    { header: 'Points', cell: ({ points }) => points && <Points points={points} /> },
    { header: 'Reviewer', breaks: true, cell: (submission) => <Reviewer submission={submission} /> },
  ];
  return <DataTable caption="Submissions" columns={columns} rows={submissions} rowKey={({ id }) => id} />;
}

function Waiting({ submission: { status, submittedAt, waitingSince }, times }: { submission: QueuedSubmission; times: Times }) {
  const now = useNow();
  if (!submissionFacts[status].isOpen) {
    return (
      <>
        decided <Time value={waitingSince} />
      </>
    );
  }
  const late = waitingBadge(times, now.getTime() - new Date(submittedAt).getTime());
  return (
    <>
      <ElapsedTime since={submittedAt} /> {late && <StatusBadge tone={late.tone}>{late.word}</StatusBadge>}
    </>
  );
}

function Turn({ submission: { status, waitingFor, waitingSince } }: { submission: QueuedSubmission }) {
  if (!submissionFacts[status].isOpen) return <StatusBadge tone={submissionFacts[status].tone}>{submissionFacts[status].word}</StatusBadge>;
  return (
    <>
      {waitingFor === 'reviewer' ? 'Reviewer' : 'Owner'} <ElapsedTime since={waitingSince} />
    </>
  );
}

function Points({ points: { met, notMet, total } }: { points: NonNullable<QueuedSubmission['points']> }) {
  return `${met + notMet} of ${total}${notMet > 0 ? `, ${notMet} not met` : ''}`;
}

function Reviewer({ submission: { taken, mine, reviewer } }: { submission: QueuedSubmission }) {
  if (mine) return 'You';
  return taken ? (reviewer ?? 'A former reviewer') : 'Nobody yet';
}

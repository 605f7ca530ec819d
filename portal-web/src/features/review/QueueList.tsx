import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { ElapsedTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { QueuedSubmission } from './reviewQueries.ts';
import { submissionStatusWords } from './reviewWords.ts';

/** Submissions, each with its age, whose turn it is and since when, and who is on it. */
export function QueueList({ submissions }: { submissions: readonly QueuedSubmission[] }) {
  return (
    <RecordList label="Submissions">
      {submissions.map((submission) => (
        <RecordRow
          key={submission.id}
          title={
            <Anchor component={Link} to={paths.submission(submission.id)} fw={600}>
              {submission.profile.publicName}
            </Anchor>
          }
          facts={
            <>
              <code>{submission.slug}</code>, submission {submission.number}. Submitted <RelativeTime value={submission.submittedAt} />.{' '}
              <Waiting submission={submission} />
            </>
          }
          marks={<Marks submission={submission} />}
        />
      ))}
    </RecordList>
  );
}

function Waiting({ submission: { status, waitingFor, waitingSince } }: { submission: QueuedSubmission }) {
  if (status !== 'submitted') {
    return (
      <>
        Decided <RelativeTime value={waitingSince} />.
      </>
    );
  }
  return (
    <>
      {waitingFor === 'reviewer' ? 'Waiting for a reviewer' : 'Waiting for the owner'} <ElapsedTime since={waitingSince} />.
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

import { useState } from 'react';
import { useQuery } from 'urql';
import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { Fold } from '../../ui/layout/Fold.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { counted } from '../../ui/text/counted.ts';
import { EarlierSubmissions } from '../review/EarlierSubmissions.tsx';
import { closedSubmissionsQuery } from './productionQuery.ts';

/** The submissions whose review is over, read once they are unfolded. */
export function ClosedSubmissions({ slug, count }: { slug: string; count: number }) {
  const place = usePlace('submissions');
  const [open, setOpen] = useState(place.after !== null);
  if (count === 0) return null;
  return (
    <Fold summary={counted(count, 'closed submission')} open={open} onOpen={() => setOpen(true)}>
      {open && <SubmissionPages slug={slug} />}
    </Fold>
  );
}

function SubmissionPages({ slug }: { slug: string }) {
  const place = usePlace('submissions');
  const [result, read] = useQuery({ query: closedSubmissionsQuery, variables: { slug, after: place.after } });
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ ownSubmissions }) => (
        <PagedList label="Submissions" place={place} page={ownSubmissions} none={null}>
          {(submissions) => (
            <EarlierSubmissions submissions={submissions.filter(({ status }) => !submissionFacts[status].isOpen)} reader="operator" />
          )}
        </PagedList>
      )}
    </LoadedList>
  );
}

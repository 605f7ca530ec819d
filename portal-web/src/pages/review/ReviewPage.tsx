import { Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { matchPath, useLocation, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import type { ReviewCounts } from '../../features/review-queue/reviewCountsFragment.ts';
import { ReviewSearch } from '../../features/review-queue/ReviewSearch.tsx';
import { ReviewTabs } from '../../features/review-queue/ReviewTabs.tsx';
import { takeSubmissionMutation } from '../../features/review/reviewMutations.ts';
import { type QueuedSubmission, submissionsQuery } from '../../features/review/reviewQueries.ts';
import { reviewTimesWords, type Times, waitingBadge } from '../../features/review/reviewTimesWords.ts';
import { pageLoader } from '../../graphql/pageLoader.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { pages, paths } from '../../paths.ts';
import { useShortcuts } from '../../ui/keys/useShortcuts.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePagination } from '../../ui/lists/usePagination.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { ElapsedTime } from '../../ui/time/ElapsedTime.tsx';
import { elapsedWords } from '../../ui/time/timeWords.ts';
import { Time } from '../../ui/time/Time.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';

const ends = { any: 'any', approved: 'approved', rejected: 'rejected', withdrawn: 'withdrawn' } as const;
const endOptions = Object.entries(ends).map(([value, label]) => ({ value: value === 'any' ? '' : value, label }));
const tabs = { mine: true, unassigned: true, colleagues: true, waitingForOwner: true, decided: true } as const;

const always = () => true;
const fresh = { requestPolicy: 'cache-and-network' } as const;

export const loader = pageLoader(({ ask, plain }) => {
  if (plain) ask(submissionsQuery, { tab: null, ended: null, search: null, after: null });
});

/** The reviewers' queue: what to take next, and what has waited too long. */
export function Component() {
  const [filters, change] = useUrlFilters(['tab', 'ended']);
  const [search, setSearch] = useSearch();
  const pagination = usePagination();
  const ended = known(ends, filters.ended) ?? 'any';
  const [result, read] = usePolledQuery({
    query: submissionsQuery,
    variables: {
      tab: known(tabs, filters.tab),
      ended: filters.tab === 'decided' && ended !== 'any' ? ended : null,
      search: search || null,
      after: pagination.after,
    },
    // Owners submit and colleagues take what is here while the page is open.
    whileTrue: always,
    every: 10_000,
    context: fresh,
  });
  const rows = useQueueKeys(result.data?.submissions.tab === 'unassigned');
  const { state } = useLocation() as { state: { decided?: string } | null };
  return (
    <Stack gap="md">
      <PageHeader title="Review" />
      {state?.decided && <Text role="status">{state.decided}</Text>}
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ submissions, reviewCounts, reviewTimes }) => (
          <>
            <ReviewTabs current={submissions.tab} counts={reviewCounts} />
            <ReviewSearch value={search} onChange={setSearch}>
              {submissions.tab === 'decided' && (
                <FilterChips
                  label="Filter the submissions"
                  choices={[
                    {
                      label: 'Decision',
                      value: ended === 'any' ? '' : ended,
                      options: endOptions,
                      onChange: (value) => change({ ended: value }),
                    },
                  ]}
                  onClear={null}
                />
              )}
            </ReviewSearch>
            <div ref={rows}>
              <PagedList
                label="Submissions"
                pagination={pagination}
                page={submissions}
                none={
                  <EmptyState
                    kind={search || ended !== 'any' ? 'nothingFits' : submissions.tab === 'decided' ? 'nothingYet' : 'allClear'}
                    title={search || ended !== 'any' ? 'No submissions match.' : nothing[submissions.tab]}
                  >
                    Your own integrations are not listed. <LastDecision counts={reviewCounts} />
                  </EmptyState>
                }
              >
                {(items) => <QueueTable submissions={items} times={reviewTimes} />}
              </PagedList>
            </div>
            <Text size="sm" c="dimmed">
              {reviewTimesWords(reviewTimes)}
              {submissions.tab === 'unassigned' && submissions.edges.length > 0 && ' Press Enter to take a submission and open it.'}
            </Text>
          </>
        )}
      </LoadedList>
    </Stack>
  );
}

const nothing = {
  mine: 'None of your submissions is waiting for you.',
  unassigned: 'Nothing is waiting for review.',
  colleagues: 'No colleague is reviewing anything.',
  waitingForOwner: 'No owner has a question to answer.',
  decided: 'No submission has been decided yet.',
} as const;

function LastDecision({ counts: { lastDecidedAt } }: { counts: ReviewCounts }) {
  return (
    lastDecidedAt && (
      <>
        The last decision was <Time value={lastDecidedAt} />.
      </>
    )
  );
}

function known<Words extends object>(words: Words, value: string): (keyof Words & string) | null {
  return Object.hasOwn(words, value) ? (value as keyof Words & string) : null;
}

/**
 * Keys of the queue: j and k move from row to row. Where nobody has taken what is listed, Enter takes a submission and opens it, whereas a
 * click only opens it. Returns the ref of the element around the rows.
 */
function useQueueKeys(areUntaken: boolean) {
  const rows = useRef<HTMLDivElement>(null);
  const [, take] = useMutation(takeSubmissionMutation);
  const navigate = useNavigate();

  function move(by: 1 | -1) {
    const links = [...(rows.current?.querySelectorAll<HTMLAnchorElement>('tbody th a') ?? [])];
    const here = links.findIndex((link) => link === document.activeElement);
    const next = here === -1 ? (by === 1 ? 0 : links.length - 1) : here + by;
    links[next]?.focus();
  }
  useShortcuts({
    j: { label: 'Next submission', run: () => move(1) },
    k: { label: 'Previous submission', run: () => move(-1) },
  });

  useEffect(() => {
    const list = rows.current;
    if (!areUntaken || !list) return;
    const takeAndOpen = async (submissionId: string) => {
      // If a colleague was quicker, the page says so.
      await take({ input: { submissionId, takeOver: false } });
      void navigate(paths.submission(submissionId));
    };
    const onKey = (event: KeyboardEvent) => {
      const link = event.key === 'Enter' && event.target instanceof HTMLAnchorElement ? event.target : null;
      const submissionId = link && matchPath(pages.submission, link.pathname)?.params.id;
      if (!submissionId || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void takeAndOpen(submissionId);
    };
    list.addEventListener('keydown', onKey);
    return () => list.removeEventListener('keydown', onKey);
  }, [areUntaken, take, navigate]);
  return rows;
}

/** Submissions: how long each has waited, whose turn it is, how far the review is, and who has it. */
function QueueTable({ submissions, times }: { submissions: readonly QueuedSubmission[]; times: Times }) {
  const areDecided = submissions.every(({ status }) => !submissionFacts[status].isOpen);
  const columns: readonly Column<QueuedSubmission>[] = [
    { header: 'Name', breaks: true, cell: ({ profile }) => profile.publicName, to: ({ id }) => paths.submission(id) },
    { header: areDecided ? 'Decided' : 'Waiting', cell: (submission) => <Waiting submission={submission} times={times} /> },
    { header: areDecided ? 'Outcome' : 'Waiting for', cell: (submission) => <Turn submission={submission} /> },
    { header: 'Submission', figures: true, wide: true, cell: ({ number }) => number },
    { header: 'Checklist', cell: ({ points }) => points && <Points points={points} /> },
    { header: 'Reviewer', breaks: true, cell: (submission) => <Reviewer submission={submission} /> },
  ];
  return <DataTable caption="Submissions" columns={columns} rows={submissions} rowKey={({ id }) => id} />;
}

function Waiting({ submission: { status, submittedAt, waitingSince }, times }: { submission: QueuedSubmission; times: Times }) {
  const now = useNow();
  if (!submissionFacts[status].isOpen) return <Time value={waitingSince} />;
  const late = waitingBadge(times, now.getTime() - new Date(submittedAt).getTime());
  return (
    <>
      <ElapsedTime since={submittedAt} /> {late && <StatusBadge tone={late.tone}>{late.word}</StatusBadge>}
    </>
  );
}

/** Who is to act, and since when, unless that is as long as the submission has waited. */
function Turn({ submission: { status, waitingFor, submittedAt, waitingSince } }: { submission: QueuedSubmission }) {
  const now = useNow();
  if (!submissionFacts[status].isOpen) return <StatusBadge tone={submissionFacts[status].tone}>{submissionFacts[status].word}</StatusBadge>;
  const [own, whole] = [waitingSince, submittedAt].map((since) => elapsedWords(new Date(since), now));
  return (
    <>
      {waitingFor === 'reviewer' ? 'Reviewer' : 'Owner'} {own !== whole && <ElapsedTime since={waitingSince} />}
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

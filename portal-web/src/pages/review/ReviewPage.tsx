import { Stack, Text } from '@mantine/core';
import { useLocation } from 'react-router';
import { QueueTable } from '../../features/review-queue/QueueTable.tsx';
import type { ReviewCounts } from '../../features/review-queue/reviewCountsFragment.ts';
import { submissionsQuery } from '../../features/review/reviewQueries.ts';
import { ReviewSearch } from '../../features/review-queue/ReviewSearch.tsx';
import { ReviewTabs } from '../../features/review-queue/ReviewTabs.tsx';
import { reviewTimesWords } from '../../features/review/reviewTimesWords.ts';
import { useQueueKeys } from '../../features/review-queue/useQueueKeys.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { Time } from '../../ui/time/Time.tsx';

const ends = { any: 'any', approved: 'approved', rejected: 'rejected', withdrawn: 'withdrawn' } as const;
const endOptions = Object.entries(ends).map(([value, label]) => ({ value: value === 'any' ? '' : value, label }));
const tabs = { mine: true, unassigned: true, colleagues: true, waitingForOwner: true, decided: true } as const;

const always = () => true;
const fresh = { requestPolicy: 'cache-and-network' } as const;

/** The reviewers' queue: what to take next, and what has waited too long. */
export function Component() {
  const [filters, change] = useUrlFilters(['tab', 'ended']);
  const [search, setSearch] = useSearch();
  const place = usePlace();
  const ended = known(ends, filters.ended) ?? 'any';
  const [result, read] = usePolledQuery({
    query: submissionsQuery,
    variables: {
      tab: known(tabs, filters.tab),
      ended: filters.tab === 'decided' && ended !== 'any' ? ended : null,
      search: search || null,
      after: place.after,
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
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
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
                place={place}
                page={submissions}
                none={
                  <EmptyState
                    kind={search || ended !== 'any' ? 'nothingFits' : 'allClear'}
                    title={search || ended !== 'any' ? 'No submissions match here.' : nothing[submissions.tab]}
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
              {submissions.tab === 'unassigned' && ' Enter takes a submission and opens it.'}
            </Text>
          </>
        )}
      </LoadedList>
    </Stack>
  );
}

const nothing = {
  mine: 'None of the submissions that you have taken waits for you.',
  unassigned: 'Nothing is waiting for review.',
  colleagues: 'No colleague is reviewing anything.',
  waitingForOwner: 'No owner has a question to answer.',
  decided: 'No submission has been decided.',
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

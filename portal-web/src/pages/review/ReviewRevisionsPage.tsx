import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { minorFieldWords } from '../../../../server/domain/integration/profile/profileFields.ts';
import { ChangeList } from '../../features/profile/ChangeList.tsx';
import { reviewCountsFragment } from '../../features/review-queue/reviewCountsFragment.ts';
import { ReviewSearch } from '../../features/review-queue/ReviewSearch.tsx';
import { ReviewTabs } from '../../features/review-queue/ReviewTabs.tsx';
import { graphql } from '../../graphql/graphql.ts';
import { pageLoader } from '../../graphql/pageLoader.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePagination } from '../../ui/lists/usePagination.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';

/** The changes that other operators have made to approved profiles, newest first. */
const minorRevisionsQuery = graphql(
  `
    query MinorRevisions($search: String, $after: String) {
      minorRevisions(search: $search, first: 20, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            integrationId
            slug
            status
            profile {
              version
              publicName
              createdAt
            }
            changes {
              field
              label
              before
              after
              consentRelevant
              minor
            }
          }
        }
      }
      reviewCounts {
        ...ReviewCountsFacts
      }
    }
  `,
  [reviewCountsFragment],
);

export const loader = pageLoader(({ ask, plain }) => {
  if (plain) ask(minorRevisionsQuery, { search: null, after: null });
});

/** The changes that operators have made to approved profiles, for reviewers. */
export function Component() {
  const pagination = usePagination();
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: minorRevisionsQuery,
    variables: { search: search || null, after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="md">
      <PageHeader title="Review" documentTitle="Minor revisions · Review" />
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ minorRevisions, reviewCounts }) => (
          <Stack gap="md">
            <ReviewTabs current="revisions" counts={reviewCounts} />
            <Text size="sm" c="dimmed" maw={720}>
              After approval, {minorFieldWords} can change without a new review. If a revision breaks a promise, an administrator can
              suspend the integration.
            </Text>
            <ReviewSearch value={search} onChange={setSearch} />
            <PagedList
              label="Minor revisions"
              pagination={pagination}
              page={minorRevisions}
              none={
                <EmptyState
                  kind={search ? 'nothingFits' : 'nothingYet'}
                  title={search ? 'No minor revisions match this search.' : 'No profile has changed since approval.'}
                >
                  Your own integrations are not listed.
                </EmptyState>
              }
            >
              {(items) => (
                <Stack gap="lg">
                  {items.map(({ integrationId, slug, status, profile, changes }) => (
                    <Panel
                      key={`${integrationId} ${profile.version}`}
                      title={profile.publicName}
                      lead={
                        <>
                          <code>{slug}</code>, version {profile.version}, <Time value={profile.createdAt} />
                        </>
                      }
                      marks={<StatusBadge tone={integrationFacts[status].tone}>{integrationFacts[status].word}</StatusBadge>}
                    >
                      <ChangeList changes={changes} />
                    </Panel>
                  ))}
                </Stack>
              )}
            </PagedList>
          </Stack>
        )}
      </LoadedList>
    </Stack>
  );
}

import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from 'urql';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { AgreementTable } from '../../features/business-model/AgreementTable.tsx';
import { agreementFragment } from '../../features/business-model/businessModelQuery.ts';
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

/** The changes of business model that other operators have reported, newest first. */
const businessModelReportsQuery = graphql(
  `
    query BusinessModelReports($search: String, $after: String) {
      businessModelReports(search: $search, first: 20, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            id
            description
            reportedAt
            slug
            status
            publicName
            commercialAgreements {
              ...AgreementFacts
            }
          }
        }
      }
      reviewCounts {
        ...ReviewCountsFacts
      }
    }
  `,
  [agreementFragment, reviewCountsFragment],
);

export const loader = pageLoader(({ ask, plain }) => {
  if (plain) ask(businessModelReportsQuery, { search: null, after: null });
});

/** The changes of business model that operators have reported, for reviewers. */
export function Component() {
  const pagination = usePagination();
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: businessModelReportsQuery,
    variables: { search: search || null, after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="md">
      <PageHeader title="Review" documentTitle="Business models · Review" />
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ businessModelReports, reviewCounts }) => (
          <Stack gap="md">
            <ReviewTabs current="reports" counts={reviewCounts} />
            <Text size="sm" c="dimmed" maw={720}>
              Changes that operators have reported before making them. A report is not a permission: commercial use requires a written
              agreement, recorded by an administrator. Without one, an administrator can suspend the integration.
            </Text>
            <ReviewSearch value={search} onChange={setSearch} />
            <PagedList
              label="Business models"
              pagination={pagination}
              page={businessModelReports}
              none={
                <EmptyState
                  kind={search ? 'nothingFits' : 'nothingYet'}
                  title={search ? 'No reports match this search.' : 'No changes have been reported.'}
                >
                  Reports for your own integrations are not listed.
                </EmptyState>
              }
            >
              {(items) => (
                <Stack gap="lg">
                  {items.map(({ id, description, reportedAt, slug, status, publicName, commercialAgreements }) => (
                    <Panel
                      key={id}
                      title={publicName}
                      lead={
                        <>
                          <code>{slug}</code>, reported <Time value={reportedAt} />
                        </>
                      }
                      marks={<StatusBadge tone={integrationFacts[status].tone}>{integrationFacts[status].word}</StatusBadge>}
                    >
                      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{description}</Text>
                      <Title order={3} mt="md" mb="xs">
                        Agreements
                      </Title>
                      <AgreementTable agreements={commercialAgreements} />
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

import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { AgreementList } from '../../features/business-model/AgreementList.tsx';
import { businessModelReportsQuery } from '../../features/business-model/reportsQuery.ts';
import { integrationStatusWords } from '../../features/integration/statusWords.ts';
import { ReviewSearch } from '../../features/review/ReviewSearch.tsx';
import { paths } from '../../paths.ts';
import { Empty } from '../../ui/states/Empty.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { Pager } from '../../ui/lists/Pager.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

/** What operators have reported of their business models, for reviewers to read. */
export function Component() {
  const [{ after }, change] = useUrlFilters(['search']);
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: businessModelReportsQuery,
    variables: { search: search || null, after: after || null },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="lg">
      <PageHeading
        title="Business models"
        lead={
          <>
            Changes that operators have reported before making them. A report is not a permission: commercial use requires a written
            agreement, recorded by an administrator. Without one, an administrator can suspend the integration.{' '}
            <Anchor component={Link} to={paths.review} inherit>
              Back to the queue
            </Anchor>
          </>
        }
      />
      <ReviewSearch value={search} onChange={setSearch} />
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ businessModelReports: { edges, pageInfo } }) => (
          <Stack gap="lg">
            {edges.length === 0 && (
              <Empty>
                {search
                  ? 'No reports match this search. Reports for your own integrations are not listed.'
                  : 'No changes have been reported. Reports for your own integrations are not listed.'}
              </Empty>
            )}
            {edges.map(({ node: { id, description, reportedAt, slug, status, publicName, commercialAgreements } }) => (
              <Panel
                key={id}
                title={publicName}
                lead={
                  <>
                    <code>{slug}</code>, reported <RelativeTime value={reportedAt} />
                  </>
                }
                marks={<StatusBadge tone={integrationStatusWords[status].tone}>{integrationStatusWords[status].word}</StatusBadge>}
              >
                <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{description}</Text>
                <Title order={3} mt="md" mb="xs">
                  Agreements
                </Title>
                <AgreementList agreements={commercialAgreements} />
              </Panel>
            ))}
            <Pager page={pageInfo} after={after} onAfter={(next) => change({ after: next })} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

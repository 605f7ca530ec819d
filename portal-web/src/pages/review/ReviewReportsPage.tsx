import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { AgreementTable } from '../../features/business-model/AgreementTable.tsx';
import { businessModelReportsQuery } from '../../features/business-model/reportsQuery.ts';
import { integrationStatusWords } from '../../features/integration/statusWords.ts';
import { ReviewSearch } from '../../features/review/ReviewSearch.tsx';
import { paths } from '../../paths.ts';
import { Empty } from '../../ui/states/Empty.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';

/** The changes of business model that operators have reported, for reviewers. */
export function Component() {
  const place = usePlace();
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: businessModelReportsQuery,
    variables: { search: search || null, after: place.after },
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
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ businessModelReports }) => (
          <PagedList
            label="Business models"
            place={place}
            page={businessModelReports}
            none={
              <Empty>
                {search
                  ? 'No reports match this search. Reports for your own integrations are not listed.'
                  : 'No changes have been reported. Reports for your own integrations are not listed.'}
              </Empty>
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
                        <code>{slug}</code>, reported <RelativeTime value={reportedAt} />
                      </>
                    }
                    marks={<StatusBadge tone={integrationStatusWords[status].tone}>{integrationStatusWords[status].word}</StatusBadge>}
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
        )}
      </LoadedList>
    </Stack>
  );
}

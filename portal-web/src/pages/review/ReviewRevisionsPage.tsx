import { Anchor, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { integrationStatusWords } from '../../features/integration/statusWords.ts';
import { ChangeList } from '../../features/profile/ChangeList.tsx';
import { minorRevisionsQuery } from '../../features/profile/minorRevisionsQuery.ts';
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

/** The changes that operators have made to approved profiles, for reviewers. */
export function Component() {
  const place = usePlace();
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: minorRevisionsQuery,
    variables: { search: search || null, after: place.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="lg">
      <PageHeading
        title="Minor revisions"
        lead={
          <>
            The description, support email, donation link and the plans for polling and webhooks can change after approval without a new
            review. If a revision breaks a promise, an administrator can suspend the integration.{' '}
            <Anchor component={Link} to={paths.review} inherit>
              Back to the queue
            </Anchor>
          </>
        }
      />
      <ReviewSearch value={search} onChange={setSearch} />
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ minorRevisions }) => (
          <PagedList
            label="Minor revisions"
            place={place}
            page={minorRevisions}
            none={
              <Empty>
                {search
                  ? 'No minor revisions match this search. Your own integrations are not listed.'
                  : 'No profile has changed since approval. Your own integrations are not listed.'}
              </Empty>
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
                        <code>{slug}</code>, version {profile.version}, <RelativeTime value={profile.createdAt} />
                      </>
                    }
                    marks={<StatusBadge tone={integrationStatusWords[status].tone}>{integrationStatusWords[status].word}</StatusBadge>}
                  >
                    <ChangeList changes={changes} />
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

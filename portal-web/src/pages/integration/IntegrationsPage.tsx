import { Anchor, Button, Group, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { corpusFacts } from '../../../../server/domain/sandbox/corpusFacts.ts';
import { firstHome, homeQuery } from '../../features/attention/homeQuery.ts';
import { HomeTable } from '../../features/attention/HomeTable.tsx';
import { NeedsYou } from '../../features/attention/NeedsYou.tsx';
import type { AttentionItem } from '../../features/attention/attentionFragment.ts';
import { RetiredIntegrations } from '../../features/attention/RetiredIntegrations.tsx';
import { NoIntegrations } from '../../features/integration/NoIntegrations.tsx';
import type { ResultOf } from '../../graphql/graphql.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';

/** How many integrations an operator has before there is a search. */
const searchFrom = 8;
/** How much of what needs the reader is shown before the table. The inbox has more of it. */
const shownNeeds = 5;

/** The operator’s home: what needs them, then how their integrations are. */
export function Component() {
  const place = usePlace();
  const [search, setSearch] = useSearch();
  const [result, read] = usePolledQuery({
    query: homeQuery,
    variables: { ...firstHome, after: place.after, search: search || null },
    whileTrue: isBuilding,
    every: 3000,
  });
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ viewer, integrations }) => {
        const { totalCount, retiredCount } = integrations;
        const none = totalCount === 0 && search === '';
        return (
          <>
            <PageHeader title="Integrations" actions={!none && <NewIntegration />} />
            <Needs items={viewer?.attention ?? []} count={viewer?.attentionCount ?? 0} />
            {none ? (
              <NoIntegrations again={retiredCount > 0} />
            ) : (
              <Stack gap="sm">
                {(search !== '' || totalCount >= searchFrom) && (
                  <Group maw={420}>
                    <SearchField label="Name or slug" value={search} onChange={setSearch} />
                  </Group>
                )}
                <PagedList
                  label="Your integrations"
                  place={place}
                  page={integrations}
                  none={
                    <EmptyState
                      kind="nothingFits"
                      title="No integration has this in its name."
                      action={
                        <Button variant="default" size="xs" onClick={() => setSearch('')}>
                          Clear the search
                        </Button>
                      }
                    />
                  }
                >
                  {(rows) => <HomeTable rows={rows} />}
                </PagedList>
              </Stack>
            )}
            <RetiredIntegrations count={retiredCount} />
          </>
        );
      }}
    </LoadedList>
  );
}

function isBuilding({ integrations }: ResultOf<typeof homeQuery>): boolean {
  return integrations.edges.some(({ node }) => node.clients.some(({ corpus }) => corpus && corpusFacts[corpus.state].isUnderWay));
}

function NewIntegration() {
  return (
    <Button component={Link} to={paths.newIntegration} leftSection={<IconPlus size={16} aria-hidden />}>
      New integration
    </Button>
  );
}

function Needs({ items, count }: { items: readonly AttentionItem[]; count: number }) {
  if (items.length === 0) return null;
  return (
    <Stack gap="xs" mb="lg" component="section" aria-labelledby="needs-you">
      <Title order={2} id="needs-you">
        Needs you
      </Title>
      <NeedsYou items={items.slice(0, shownNeeds)} />
      {count > shownNeeds && (
        <Anchor component={Link} to={paths.inbox} size="sm">
          {count.toLocaleString('en')} in all. Open the inbox
        </Anchor>
      )}
    </Stack>
  );
}

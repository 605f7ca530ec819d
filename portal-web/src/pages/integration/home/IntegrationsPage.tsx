import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { attentionKinds } from '../../../../../server/domain/notification/words/attentionKinds.ts';
import { corpusFacts } from '../../../../../server/domain/sandbox/corpusFacts.ts';
import type { AttentionItem, NeedLine } from '../../../features/attention/attentionFragment.ts';
import { homeNeeds } from './homeNeeds.ts';
import { firstHome, type HomeRow, homeQuery, retiredQuery } from './homeQuery.ts';
import { healthOptions, healthTotalWords, isHealthLevel } from '../../../features/attention/healthTotals.ts';
import { NeedsYou } from '../../../features/attention/NeedsYou.tsx';
import { OnboardingSteps } from '../../../features/overview/OnboardingSteps.tsx';
import type { ResultOf } from '../../../graphql/graphql.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { integrationPaths, paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { DataTable } from '../../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { SearchField } from '../../../ui/lists/SearchField.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { useSearch } from '../../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { HomeTable } from './HomeTable.tsx';

/** How many integrations an operator has before there is a search. */
const searchFrom = 8;

/** The operator’s home: what needs them, then how their integrations are. */
export function Component() {
  const pagination = usePagination();
  const [search, setSearch] = useSearch();
  const [{ health, need }, change] = useUrlFilters(['health', 'need']);
  const wanted = { health: isHealthLevel(health) ? health : null, need: isKind(need) ? need : null };
  const narrowed = search !== '' || wanted.health !== null || wanted.need !== null;
  const [result, read] = usePolledQuery({
    query: homeQuery,
    variables: { ...firstHome, after: pagination.after, search: search || null, ...wanted },
    whileTrue: isBuilding,
    every: 3000,
  });
  return (
    <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ viewer, integrations }) => {
        const { totalCount, retiredCount } = integrations;
        const none = totalCount === 0 && !narrowed;
        const missing = viewer?.attention.length && totalCount < searchFrom ? missingLines(integrations.edges) : [];
        return (
          <>
            <PageHeader title="Integrations" actions={!none && <NewIntegration />} />
            {viewer && <Needs viewer={viewer} missing={missing} />}
            {none ? (
              <NoIntegrations again={retiredCount > 0} />
            ) : (
              <Stack gap="sm">
                {(narrowed || totalCount >= searchFrom) && (
                  <>
                    <Group maw={420}>
                      <SearchField label="Name or slug" value={search} onChange={setSearch} />
                    </Group>
                    <FilterChips
                      label="Filter your integrations"
                      choices={[
                        {
                          label: 'Health',
                          value: wanted.health ?? '',
                          options: healthOptions(viewer?.healthCounts ?? [], ['retired']),
                          onChange: (value) => change({ health: value }),
                        },
                      ]}
                      given={
                        wanted.need
                          ? [
                              {
                                label: 'Need',
                                words: needWords(viewer?.attention ?? [], wanted.need),
                                onRemove: () => change({ need: '' }),
                              },
                            ]
                          : []
                      }
                      onClear={wanted.health || wanted.need ? () => change({ health: '', need: '' }) : null}
                    >
                      <Text size="sm">{counted(totalCount, 'integration')}</Text>
                    </FilterChips>
                    <Text size="sm" c="dimmed">
                      In all: {healthTotalWords(viewer?.healthCounts ?? [])}
                    </Text>
                  </>
                )}
                <PagedList
                  label="Your integrations"
                  pagination={pagination}
                  page={integrations}
                  none={
                    <EmptyState
                      kind="nothingFits"
                      title="No integrations match."
                      action={
                        <Button variant="default" size="xs" onClick={() => (search ? setSearch('') : change({ health: '', need: '' }))}>
                          {search ? 'Clear the search' : 'Clear the filters'}
                        </Button>
                      }
                    />
                  }
                >
                  {(rows) => <HomeTable rows={rows} told={missing.map(({ id }) => id)} />}
                </PagedList>
              </Stack>
            )}
            <RetiredIntegrations count={retiredCount} owing={viewer ? owingOf(viewer.attention) : 0} />
          </>
        );
      }}
    </LoadedList>
  );
}

const isKind = (value: string): value is AttentionItem['kind'] => attentionKinds.some((kind) => kind === value);

/** What several need is called as the line that leads here calls it. */
function needWords(items: readonly AttentionItem[], need: AttentionItem['kind']): string {
  const line = items.find(({ act }) => act.page === 'integrations' && act.objectId === need);
  return line ? line.title.replace(/: [\d,]+ integrations?$/, '') : 'one kind';
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

/** How many are listed of those that have not been submitted. */
const shownMissing = 3;

/** What a first submission still lacks, where something else stands above a short table: a line each, as it would be found last in the table. */
function missingLines(edges: ResultOf<typeof homeQuery>['integrations']['edges']): NeedLine[] {
  return edges
    .flatMap(({ node: { id, slug, profile, missingForReview, nextStep } }): NeedLine[] => {
      if (missingForReview === null) return [];
      const steps = [comingWords(nextStep), `Add ${missingForReview}`, 'Pass the review', 'Get a production certificate'].filter(
        (each) => each !== null,
      );
      return [
        {
          id,
          topic: 'Production',
          level: 'settingUp',
          title: `Missing for production: ${steps.length} steps`,
          // A number stays beside its step.
          detail: `${steps.map((each, n) => `${n + 1}.\u00a0${each}`).join('; ')}.`,
          text: '',
          since: null,
          deadline: null,
          timeForm: null,
          deletions: null,
          act: { label: 'See what is missing', page: 'production', environment: null, objectId: null },
          integration: { slug, ...profile },
        },
      ];
    })
    .slice(0, shownMissing);
}

/** What comes before a submission, as the table calls it, unless it needs the owner and has a line of its own. It may be a certificate of the sandbox. */
function comingWords(next: HomeRow['nextStep']): string | null {
  if (!next || next.level !== null || next.act?.page === 'production') return null;
  return next.title;
}

type NeedsProps = { viewer: NonNullable<ResultOf<typeof homeQuery>['viewer']>; missing: readonly NeedLine[] };

function Needs({ viewer, missing }: NeedsProps) {
  const { attention, attentionCount, deletionsToDo } = viewer;
  if (attention.length === 0) return null;
  const { items, together, more } = homeNeeds(attention, attentionCount, deletionsToDo);
  return (
    <Stack gap="xs" mb="lg" component="section" aria-labelledby="needs-you">
      <Title order={2} id="needs-you">
        Needs your attention
      </Title>
      <NeedsYou items={[...items, ...missing]} deletions={together} topics />
      {more > 0 && (
        <Anchor component={Link} to={paths.inbox} size="sm">
          {more.toLocaleString('en')} more in the inbox
        </Anchor>
      )}
    </Stack>
  );
}

/** How many retired ones still have something to delete. */
const owingOf = (items: readonly AttentionItem[]): number => items.filter(({ deletions }) => deletions?.retired).length;

/** The integrations that are retired, folded until they are asked for, with how many still have deletions to do. Whether they are shown stands in the address. */
function RetiredIntegrations({ count, owing }: { count: number; owing: number }) {
  const [{ retired }, change] = useUrlFilters(['retired'], 'retired');
  const shown = retired === 'shown';
  if (count === 0) return null;
  return (
    <Stack gap="xs" mt="lg" align="flex-start">
      <Button variant="subtle" size="xs" aria-expanded={shown} onClick={() => change({ retired: shown ? '' : 'shown' })}>
        Retired ({count.toLocaleString('en')}){owing > 0 && `, ${owing.toLocaleString('en')} with something to delete`}
      </Button>
      {shown && <RetiredList />}
    </Stack>
  );
}

function RetiredList() {
  const pagination = usePagination('retired');
  const [result, read] = useQuery({ query: retiredQuery, variables: { first: 20, after: pagination.after } });
  return (
    <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ integrations }) => (
        <PagedList label="Retired integrations" pagination={pagination} page={integrations} none={null}>
          {(rows) => (
            <DataTable
              caption="Retired integrations"
              rows={rows}
              rowKey={({ id }) => id}
              columns={[
                {
                  header: 'Name',
                  cell: ({ profile }) => profile.publicName,
                  to: ({ slug }) => integrationPaths(slug).overview(),
                  breaks: true,
                },
                {
                  header: 'Retired',
                  cell: ({ statusChangedAt }) => (statusChangedAt ? <Time value={statusChangedAt} /> : 'Unknown'),
                },
              ]}
            />
          )}
        </PagedList>
      )}
    </LoadedList>
  );
}

/** What a newcomer sees in place of a list: the five steps, of which the first is open. `again`: all their integrations are retired. */
function NoIntegrations({ again }: { again: boolean }) {
  return (
    <>
      <Title order={2} mb="xs">
        {again ? 'All your integrations are retired' : 'You have no integrations yet'}
      </Title>
      <Text mb="md" maw={640}>
        An integration is one of your products that receives shared order data. Each has its own profile, scopes, sandbox, certificates and
        quotas, and is reviewed separately.
      </Text>
      <OnboardingSteps
        steps={[
          {
            title: 'Describe your integration',
            done: false,
            content: (
              <>
                <Text size="sm" maw={640}>
                  Ask for the smallest set of scopes. Nothing becomes public, and no real data is involved.
                </Text>
                <Group gap="md">
                  <Button component={Link} to={paths.newIntegration}>
                    {again ? 'Create an integration' : 'Create your first integration'}
                  </Button>
                  <Anchor component={Link} to={paths.guide('quickstart')} size="sm">
                    Read the quickstart
                  </Anchor>
                </Group>
              </>
            ),
          },
          { title: 'Get a sandbox certificate', done: false },
          { title: 'Wait for your test data', done: false },
          { title: 'Call your sandbox', done: false },
          { title: 'Submit for production review', done: false },
        ]}
      />
    </>
  );
}

import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { healthFacts } from '../../../../../server/domain/attention/findings/healthFacts.ts';
import { overlapDays } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { attentionKinds } from '../../../../../server/domain/notification/words/attentionKinds.ts';
import { corpusFacts } from '../../../../../server/domain/sandbox/corpusFacts.ts';
import { tabPath } from '../../../features/attention/actPath.ts';
import type { AttentionItem, NeedLine } from '../../../features/attention/attentionFragment.ts';
import { homeNeeds } from './homeNeeds.ts';
import { firstHome, homeQuery, type HomeRow, retiredQuery } from './homeQuery.ts';
import classes from './HomeTable.module.css';
import { healthOptions, healthTotalWords, isHealthLevel } from '../../../features/attention/healthTotals.ts';
import { toDoWords } from '../../../features/attention/healthWords.ts';
import { NeedsYou } from '../../../features/attention/NeedsYou.tsx';
import { OnboardingSteps } from '../../../features/overview/OnboardingSteps.tsx';
import type { ResultOf } from '../../../graphql/graphql.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { integrationPaths, paths } from '../../../paths.ts';
import { Bars } from '../../../ui/charts/Bars.tsx';
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
import { useNow } from '../../../ui/time/useNow.ts';
import { useMomentWords } from '../../../ui/time/useZone.ts';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

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
    .flatMap(({ node: { id, slug, profile, missingForReview } }): NeedLine[] =>
      missingForReview === null
        ? []
        : [
            {
              id,
              level: 'settingUp',
              title: `Missing for production: ${missingForReview}`,
              detail: null,
              text: '',
              since: null,
              deadline: null,
              timeForm: null,
              deletions: null,
              act: { label: 'Go live', page: 'production', environment: null, objectId: null },
              integration: { slug, ...profile },
            },
          ],
    )
    .slice(0, shownMissing);
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
      <NeedsYou items={[...items, ...missing]} deletions={together} />
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

/** The operator’s integrations: how each is in both environments, its last day, and its one next act. */
function HomeTable({ rows, told }: { rows: readonly HomeRow[]; told: readonly string[] }) {
  return (
    <DataTable
      caption="Your integrations"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', cell: ({ profile }) => profile.publicName, to: ({ slug }) => integrationPaths(slug).overview(), breaks: true },
        { header: 'Sandbox', cell: ({ sandbox }) => <Mark health={sandbox} /> },
        {
          header: 'Production',
          cell: (row) => (hasProduction(row) ? <ProductionMark row={row} /> : <NotYet row={row} told={told.includes(row.id)} />),
        },
        { header: 'Certificate ends', cell: (row) => <CertificateEnds row={row} /> },
        { header: 'Last 24 hours', wide: true, cell: (row) => <Day row={row} /> },
        { header: 'Last sync', wide: true, cell: (row) => <LastSync row={row} /> },
        { header: 'Next', cell: (row) => <Next row={row} /> },
      ]}
    />
  );
}

function hasProduction({ clients }: HomeRow): boolean {
  return clients.some(({ environment }) => environment === 'production');
}

/** Where a first submission is still to come, this says what is missing of it and leads there, unless a line above the table has told it. */
function NotYet({ row: { slug, missingForReview }, told }: { row: HomeRow; told: boolean }) {
  if (missingForReview === null || told) return 'Not yet';
  return (
    <>
      Not yet
      <Text component="div" size="xs" className={classes.note}>
        <Anchor component={Link} to={integrationPaths(slug).production()} inherit>
          Missing: {missingForReview}
        </Anchor>
      </Text>
    </>
  );
}

function ProductionMark({ row: { production } }: { row: HomeRow }) {
  return (
    <>
      <Mark health={production} />
      {production.level === 'suspended' && (
        <Text component="div" size="xs" mt={2} className={classes.note}>
          Every call is refused (403), and events are held, apart from revocations.
        </Text>
      )}
    </>
  );
}

/** When the certificates of each environment end, in days where that is soon. */
function CertificateEnds({ row }: { row: HomeRow }) {
  return (['sandbox', 'production'] as const).map((environment) => {
    if (environment === 'production' && !hasProduction(row)) return null;
    const ends = row[environment].certificateEnds;
    return (
      <div key={environment} className={classes.ends}>
        <Text component="span" size="xs" c="dimmed">
          {environment === 'sandbox' ? 'Sandbox' : 'Production'}
        </Text>
        <span>
          {ends.length === 0 && 'None'}
          {ends.map((end) => (
            <CertificateEnd key={end} end={end} tone={environment === 'production' ? 'bad' : 'waiting'} />
          ))}
        </span>
      </div>
    );
  });
}

/** From when on the owner is asked for the next certificate. */
const noticed = overlapDays * 24 * 60 * 60_000;

/** `tone`: once it has ended, since an ended one of the sandbox stops nobody’s data. */
function CertificateEnd({ end, tone }: { end: string; tone: 'bad' | 'waiting' }) {
  const left = Date.parse(end) - useNow().getTime();
  if (left > noticed) return <Time value={end} form="date" />;
  return (
    <span className={classes.soon} data-tone={left > 0 ? 'waiting' : tone}>
      {left > 0 ? '' : 'ended '}
      <Time value={end} />
      <Text component="div" size="xs" c="dimmed">
        <Time value={end} form="date" />
      </Text>
    </span>
  );
}

/** Which of two environments a cell is about. */
function Where({ row }: { row: HomeRow }) {
  if (!hasProduction(row)) return null;
  return (
    <Text component="div" size="xs" c="dimmed">
      {row.clientInUse.environment === 'sandbox' ? 'Sandbox' : 'Production'}
    </Text>
  );
}

function Mark({ health }: { health: HomeRow['sandbox'] }) {
  return <StatusBadge tone={healthFacts[health.level].tone}>{health.word}</StatusBadge>;
}

function Day({ row }: { row: HomeRow }) {
  const { hourInZone } = useMomentWords();
  const { traffic, environment } = row.clientInUse;
  if (traffic.every(({ total }) => total === 0))
    return (
      <>
        No requests
        <Where row={row} />
      </>
    );
  const bars = traffic.map(({ hour, ...counts }) => ({ name: hourInZone(new Date(hour)), ...counts }));
  return (
    <>
      <Bars label={`Requests in the last 24 hours, ${environment}`} bars={bars} height={24} />
      <Where row={row} />
    </>
  );
}

function LastSync({ row }: { row: HomeRow }) {
  const at = row.clientInUse.lastSyncAt;
  return (
    <>
      <span className={classes.short}>{at ? <Time value={at} /> : 'Never'}</span>
      <Where row={row} />
    </>
  );
}

/** What comes next; of what needs the owner, which is listed above the table or on the overview, only how much it is. */
function Next({ row: { slug, nextStep, sandbox, production } }: { row: HomeRow }) {
  if (!nextStep) return 'Nothing to do';
  if (nextStep.level !== null) {
    return (
      <Anchor component={Link} to={integrationPaths(slug).overview()} inherit>
        {toDoWords(nextStep.title, sandbox.needs + production.needs)}
      </Anchor>
    );
  }
  if (!nextStep.act) return nextStep.title;
  return (
    <Anchor component={Link} to={tabPath(nextStep.act, integrationPaths(slug))} inherit>
      {nextStep.title}
    </Anchor>
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

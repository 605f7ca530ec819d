import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { allIntegrationsQuery } from '../../features/administration/integrationQueries.ts';
import { IntegrationTable } from '../../features/administration/IntegrationTable.tsx';
import { healthOptions, healthTotalWords, isHealthLevel } from '../../features/attention/healthTotals.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePagination } from '../../ui/lists/usePagination.ts';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { AsOf } from '../../ui/time/AsOf.tsx';
import { useMomentWords } from '../../ui/time/useZone.ts';

type Status = keyof typeof integrationFacts;
const orders = [
  { value: '', label: 'newest first' },
  { value: 'oldest', label: 'oldest first' },
  { value: 'slug', label: 'by slug' },
] as const;
const statuses = [
  { value: '', label: 'any' },
  ...Object.entries(integrationFacts)
    .filter(([value]) => value !== 'unknown')
    .map(([value, { word }]) => ({ value, label: word.toLowerCase() })),
];

/** Everybody's integrations. */
export function Component() {
  const [filters, change] = useUrlFilters(['status', 'health', 'order', 'owner']);
  const { owner } = filters;
  const pagination = usePagination();
  const [search, setSearch] = useSearch();
  const order = orders.find(({ value }) => value === filters.order)?.value ?? '';
  const status = filters.status in integrationFacts && filters.status !== 'unknown' ? (filters.status as Status) : null;
  const health = isHealthLevel(filters.health) ? filters.health : null;
  const filter = { search: search || null, status, health, operatorId: owner || null };
  const [result, read] = useQuery({
    query: allIntegrationsQuery,
    variables: { filter, order: order || 'newest', after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  const totals = result.data?.healthTotals;
  return (
    <Stack gap="md">
      <PageHeader title="Integrations of all operators" documentTitle="All integrations" />
      <SearchField
        label="Search"
        description="Part of a name or slug, the owner’s address, or a complete identifier: int_, opr_, cli_, crt_, con_, rev_, sub_, a serial number or a fingerprint"
        value={search}
        onChange={setSearch}
      />
      <FilterChips
        label="Filter the integrations"
        choices={[
          { label: 'Status', value: status ?? '', options: statuses, onChange: (value) => change({ status: value }) },
          {
            label: 'Health',
            value: health ?? '',
            options: healthOptions(totals?.counts ?? []),
            onChange: (value) => change({ health: value }),
          },
          { label: 'Order', value: order, options: orders, onChange: (value) => change({ order: value }) },
        ]}
        given={owner ? [{ label: 'Owner', words: `…${owner.slice(-8)}`, onRemove: () => change({ owner: '' }) }] : []}
        onClear={status || health || order || owner ? () => change({ status: '', health: '', order: '', owner: '' }) : null}
      />
      <Totals totals={totals} />
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ allIntegrations }) => (
          <PagedList
            label="Integrations"
            pagination={pagination}
            page={allIntegrations}
            none={
              search || status || health || owner ? (
                <EmptyState kind="nothingFits" title="No integrations match.">
                  Enter part of a name or slug, an address with its @, or a complete ID.
                </EmptyState>
              ) : (
                <EmptyState kind="nothingYet" title="There is no integration yet." />
              )
            }
          >
            {(integrations) => <IntegrationTable integrations={integrations} />}
          </PagedList>
        )}
      </LoadedList>
    </Stack>
  );
}

/** How many of everybody’s integrations are of each health. Its line is there before its words, so that nothing below it moves. */
function Totals({ totals }: { totals: ResultOf<typeof allIntegrationsQuery>['healthTotals'] | undefined }) {
  const { clock } = useMomentWords();
  const judgedAt = totals?.judgedAt;
  return (
    <Text size="sm" c="dimmed" mih="1lh">
      {totals && !judgedAt && 'Not counted by health yet.'}
      {totals && judgedAt && (
        <>
          In all: {healthTotalWords(totals.counts)}, counted <AsOf at={judgedAt} words={`at ${clock(new Date(judgedAt))}`} />
        </>
      )}
    </Text>
  );
}

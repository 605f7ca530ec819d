import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { allIntegrationsQuery } from '../../features/administration/integrationQueries.ts';
import { IntegrationTable } from '../../features/administration/IntegrationTable.tsx';
import { integrationStatusWords } from '../../features/integration/statusWords.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

type Status = keyof typeof integrationStatusWords;
const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'slug', label: 'By slug' },
] as const;

/** Everybody's integrations. */
export function Component() {
  const [filters, change] = useUrlFilters(['status', 'order', 'owner']);
  const { owner } = filters;
  const place = usePlace();
  const [search, setSearch] = useSearch();
  const order = orders.find(({ value }) => value === filters.order)?.value ?? 'newest';
  const status = filters.status in integrationStatusWords ? (filters.status as Status) : null;
  const filter = { search: search || null, status, operatorId: owner || null };
  const [result, read] = useQuery({
    query: allIntegrationsQuery,
    variables: { filter, order, after: place.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="md">
      <PageHeader title="Integrations of all operators" documentTitle="All integrations" />
      <Group gap="md" align="flex-start">
        <SearchField
          label="Search"
          description="Part of a name or slug, the owner’s address, or a complete identifier: int_, opr_, cli_, crt_, con_, rev_, sub_, a serial number or a fingerprint"
          value={search}
          onChange={setSearch}
        />
        <NativeSelect
          label="Status"
          value={status ?? ''}
          onChange={(event) => change({ status: event.currentTarget.value })}
          data={[
            { value: '', label: 'Any' },
            ...Object.entries(integrationStatusWords).map(([value, { word }]) => ({ value, label: word })),
          ]}
          flex="0 1 11rem"
        />
        <NativeSelect
          label="Order"
          value={order}
          onChange={(event) => change({ order: event.currentTarget.value === 'newest' ? '' : event.currentTarget.value })}
          data={[...orders]}
          flex="0 1 11rem"
        />
      </Group>
      {owner && (
        <Button variant="default" w="fit-content" onClick={() => change({ owner: '' })}>
          Filtered by one operator: show all
        </Button>
      )}
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ allIntegrations }) => (
          <PagedList
            label="Integrations"
            place={place}
            page={allIntegrations}
            none={
              <EmptyState kind="nothingFits" title="No integrations match.">
                Enter part of a name or slug, an address with its @, or a complete ID.
              </EmptyState>
            }
          >
            {(integrations) => <IntegrationTable integrations={integrations} />}
          </PagedList>
        )}
      </LoadedList>
    </Stack>
  );
}

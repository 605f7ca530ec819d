import { Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { operatorsQuery, roleWords, type ListedOperator, type Role } from '../../features/administration/operatorQueries.ts';
import { RoleBadges } from '../../features/administration/RoleBadges.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Time } from '../../ui/time/Time.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';

const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'address', label: 'By address' },
] as const;

/** Every account. Searches and cursors contain email addresses, so both stay out of the page's own address. */
export function Component() {
  const [filters, change] = useUrlFilters(['role', 'order']);
  const [search, setSearch] = useSearch({ personal: true });
  const place = usePlace('', { personal: true });
  const order = orders.find(({ value }) => value === filters.order)?.value ?? 'newest';
  const role = filters.role in roleWords ? filters.role : '';
  const filter = { search: search || null, role: (role || null) as Role | null };
  const [result, read] = useQuery({
    query: operatorsQuery,
    variables: { filter, order, after: place.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="md">
      <PageHeader title="Operators" lead="Every account. Search results are sorted by address." />
      <Group gap="md" align="flex-start">
        <SearchField
          label="Search"
          description="Part of an address, the name or slug of one of their integrations, or a complete identifier"
          value={search}
          onChange={setSearch}
        />
        <NativeSelect
          label="Role"
          value={role}
          onChange={(event) => change({ role: event.currentTarget.value })}
          data={[{ value: '', label: 'Any' }, ...Object.entries(roleWords).map(([value, { word }]) => ({ value, label: word }))]}
          flex="0 1 12rem"
        />
        <NativeSelect
          label="Order"
          value={search ? 'address' : order}
          disabled={search !== ''}
          onChange={(event) => change({ order: event.currentTarget.value === 'newest' ? '' : event.currentTarget.value })}
          data={[...orders]}
          flex="0 1 11rem"
        />
      </Group>
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ operators }) => (
          <PagedList
            label="Operators"
            place={place}
            page={operators}
            none={
              <EmptyState kind="nothingFits" title="No accounts match.">
                Enter part of an address or name, or a complete ID.
              </EmptyState>
            }
          >
            {(accounts) => <DataTable caption="Operators" columns={columns} rows={accounts} rowKey={({ id }) => id} />}
          </PagedList>
        )}
      </LoadedList>
    </Stack>
  );
}

const columns: readonly Column<ListedOperator>[] = [
  { header: 'Address', cell: ({ email }) => email ?? 'Deleted account', to: ({ id }) => paths.adminOperator(id) },
  {
    header: 'Roles',
    cell: ({ roles, deletedAt, lockedAt }) =>
      (roles.length > 0 || deletedAt || lockedAt) && (
        <Group gap={6}>
          <RoleBadges roles={roles} deleted={deletedAt !== null} locked={lockedAt !== null} />
        </Group>
      ),
  },
  { header: 'Integrations', figures: true, cell: ({ integrationCount }) => integrationCount },
  { header: 'Registered', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { header: 'Operator ID', breaks: true, cell: ({ id }) => <Identifier value={id} /> },
];

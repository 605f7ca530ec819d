import { Group, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { operatorsQuery, roleWords, type ListedOperator, type Role } from '../../features/administration/operatorQueries.ts';
import { RoleBadges } from '../../features/administration/RoleBadges.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { Address } from '../../ui/values/Address.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePagination } from '../../ui/lists/usePagination.ts';
import { Time } from '../../ui/time/Time.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';

const orders = [
  { value: '', label: 'newest first' },
  { value: 'oldest', label: 'oldest first' },
  { value: 'address', label: 'by address' },
] as const;
const roleOptions = [
  { value: '', label: 'any' },
  ...Object.entries(roleWords).map(([value, { word }]) => ({ value, label: word.toLowerCase() })),
];

/** Every account. Searches and cursors contain email addresses, so both stay out of the page's own address. */
export function Component() {
  const [filters, change] = useUrlFilters(['role', 'order']);
  const [search, setSearch] = useSearch({ personal: true });
  const pagination = usePagination('', { personal: true });
  const order = orders.find(({ value }) => value === filters.order)?.value ?? '';
  const role = filters.role in roleWords ? filters.role : '';
  const filter = { search: search || null, role: (role || null) as Role | null };
  const [result, read] = useQuery({
    query: operatorsQuery,
    variables: { filter, order: order || 'newest', after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="md">
      <PageHeader title="Operators" lead="Every account. Search results are sorted by address." />
      <SearchField
        label="Search"
        description="Part of an address, the name or slug of one of their integrations, or a complete identifier"
        value={search}
        onChange={setSearch}
      />
      <FilterChips
        label="Filter the operators"
        choices={[
          { label: 'Role', value: role, options: roleOptions, onChange: (value) => change({ role: value }) },
          // What a search finds is sorted by address.
          ...(search ? [] : [{ label: 'Order', value: order, options: orders, onChange: (value: string) => change({ order: value }) }]),
        ]}
        onClear={role || order ? () => change({ role: '', order: '' }) : null}
      />
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ operators }) => (
          <PagedList
            label="Operators"
            pagination={pagination}
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
  {
    header: 'Address',
    cell: ({ email }) => (email === null ? 'Deleted account' : <Address value={email} />),
    to: ({ id }) => paths.adminOperator(id),
  },
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
  { header: 'Operator ID', breaks: true, wide: true, cell: ({ id }) => <Identifier value={id} /> },
];

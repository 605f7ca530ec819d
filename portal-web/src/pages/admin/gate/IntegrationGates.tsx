import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { integrationFacts, productionStatuses } from '../../../../../server/domain/integration/integrationFacts.ts';
import type { ResultOf } from '../../../graphql/graphql.ts';
import { paths } from '../../../paths.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { DataTable, type Column } from '../../../ui/lists/DataTable.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { SearchField } from '../../../ui/lists/SearchField.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { useSearch } from '../../../ui/lists/useSearch.ts';
import { productionIntegrationsQuery } from './gateQueries.ts';

const statusOptions = [
  { value: '', label: 'any' },
  ...productionStatuses.map((value) => ({ value, label: integrationFacts[value].word.toLowerCase() })),
];
const gateOptions = [
  { value: '', label: 'open or closed' },
  { value: 'open', label: 'open' },
  { value: 'closed', label: 'closed' },
];

/** The gates of all integrations in whose status they have an effect. Each gate is opened and closed on its integration's page. */
export function IntegrationGates() {
  const [filters, change] = useUrlFilters(['status', 'gate'], 'integrations');
  const pagination = usePagination('integrations');
  const asked = productionStatuses.find((known) => known === filters.status) ?? null;
  const open = filters.gate === 'open' ? true : filters.gate === 'closed' ? false : null;
  const [search, setSearch] = useSearch({ list: 'integrations' });
  const [result, read] = useQuery({
    query: productionIntegrationsQuery,
    variables: { status: asked, open, search: search || null, after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Panel
      title="Integrations"
      lead="Integrations in whose status a gate has an effect, newest first. Open an integration to change its gate."
    >
      <Stack gap="md" mb="md">
        <SearchField
          label="Search"
          description="Part of a name or slug, the owner’s address, or a complete identifier"
          value={search}
          onChange={setSearch}
        />
        <FilterChips
          label="Filter the gates"
          choices={[
            { label: 'Status', value: asked ?? '', options: statusOptions, onChange: (status) => change({ status }) },
            { label: 'Integration gate', value: filters.gate, options: gateOptions, onChange: (gate) => change({ gate }) },
          ]}
          onClear={asked || open !== null ? () => change({ status: '', gate: '' }) : null}
        />
      </Stack>
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ productionIntegrations }) => (
          <PagedList
            label="Gates of integrations"
            pagination={pagination}
            page={productionIntegrations}
            none={
              <EmptyState
                kind={asked || open !== null || search ? 'nothingFits' : 'nothingYet'}
                title={asked || open !== null || search ? 'No integrations match these filters.' : 'No integration has been approved yet.'}
              />
            }
          >
            {(integrations) => <DataTable caption="Gates of integrations" columns={columns} rows={integrations} rowKey={({ id }) => id} />}
          </PagedList>
        )}
      </LoadedList>
    </Panel>
  );
}

type GatedIntegration = ResultOf<typeof productionIntegrationsQuery>['productionIntegrations']['edges'][number]['node'];

const columns: readonly Column<GatedIntegration>[] = [
  { header: 'Name', cell: ({ profile }) => profile.publicName, to: ({ slug }) => paths.adminIntegration(slug) },
  {
    header: 'Status',
    cell: ({ status }) => <StatusBadge tone={integrationFacts[status].tone}>{integrationFacts[status].word}</StatusBadge>,
  },
  {
    header: 'Gate',
    cell: ({ productionGate: { open } }) => (
      <StatusBadge tone={open ? 'good' : 'stopped'}>{open ? 'Gate open' : 'Gate closed'}</StatusBadge>
    ),
  },
  {
    header: 'Changed',
    cell: ({ productionGate: { changedAt } }) => (changedAt ? <Time value={changedAt} /> : 'Never opened'),
  },
  { header: 'Reason', breaks: true, cell: ({ productionGate: { reason } }) => reason },
];

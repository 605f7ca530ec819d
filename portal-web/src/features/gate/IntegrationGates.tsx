import { Anchor, Group, NativeSelect } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { paths } from '../../paths.ts';
import { Empty } from '../../ui/states/Empty.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Pager } from '../../ui/lists/Pager.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { integrationStatusWords } from '../integration/statusWords.ts';
import { productionIntegrationsQuery } from './gateQueries.ts';

const statuses = ['approved', 'active', 'suspended'] as const;

type Filters = { status: string; gate: string; integrationsAfter: string };
type IntegrationGatesProps = { filters: Filters; onChange: (changes: Partial<Filters>) => void };

/** The gates of the integrations that have been approved; each is moved on the integration's own page. */
export function IntegrationGates({ filters, onChange }: IntegrationGatesProps) {
  const { integrationsAfter: after } = filters;
  const asked = statuses.find((known) => known === filters.status) ?? null;
  const open = filters.gate === 'open' ? true : filters.gate === 'closed' ? false : null;
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: productionIntegrationsQuery,
    variables: { status: asked, open, search: search || null, after: after || null },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Panel title="Integrations" lead="Approved, active and suspended integrations, newest first. Open an integration to change its gate.">
      <Group gap="md" align="flex-start" mb="md">
        <SearchField
          label="Search"
          description="Part of a name or slug, the owner’s address, or a complete identifier"
          value={search}
          onChange={setSearch}
        />
        <NativeSelect
          label="Status"
          value={asked ?? ''}
          onChange={(event) => onChange({ status: event.currentTarget.value })}
          data={[{ value: '', label: 'Any' }, ...statuses.map((value) => ({ value, label: integrationStatusWords[value].word }))]}
          flex="0 1 11rem"
        />
        <NativeSelect
          label="Integration gate"
          value={filters.gate}
          onChange={(event) => onChange({ gate: event.currentTarget.value })}
          data={[
            { value: '', label: 'Open or closed' },
            { value: 'open', label: 'Open' },
            { value: 'closed', label: 'Closed' },
          ]}
          flex="0 1 11rem"
        />
      </Group>
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ productionIntegrations: { edges, pageInfo } }) => (
          <>
            {edges.length === 0 && (
              <Empty>
                {asked || open !== null || search ? 'No integrations match these filters.' : 'No integration has been approved yet.'}
              </Empty>
            )}
            <RecordList label="Gates of integrations">
              {edges.map(({ node: { id, slug, status, profile, productionGate } }) => (
                <RecordRow
                  key={id}
                  title={
                    <Anchor component={Link} to={paths.adminIntegration(slug)} fw={600}>
                      {profile.publicName}
                    </Anchor>
                  }
                  facts={
                    productionGate.changedAt ? (
                      <>
                        <RelativeTime value={productionGate.changedAt} />: {productionGate.reason}
                      </>
                    ) : (
                      'Never opened'
                    )
                  }
                  marks={
                    <>
                      <StatusBadge tone={integrationStatusWords[status].tone}>{integrationStatusWords[status].word}</StatusBadge>
                      <StatusBadge tone={productionGate.open ? 'good' : 'stopped'}>
                        {productionGate.open ? 'Gate open' : 'Gate closed'}
                      </StatusBadge>
                    </>
                  }
                />
              ))}
            </RecordList>
            <Pager page={pageInfo} after={after} onAfter={(cursor) => onChange({ integrationsAfter: cursor })} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

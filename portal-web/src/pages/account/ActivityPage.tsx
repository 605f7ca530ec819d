import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { auditTrailPart, auditTrailQuery } from '../../features/audit/auditQuery.ts';
import { AuditTable } from '../../features/audit/AuditTable.tsx';
import { isAction, ownActorWords } from '../../features/audit/auditWords.ts';
import { DayFields } from '../../features/audit/DayFields.tsx';
import { timeChoice } from '../../features/audit/timeChoice.ts';
import { instantsOf } from '../../features/audit/timeRanges.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { graphql } from '../../graphql/graphql.ts';
import { pageLoader } from '../../graphql/pageLoader.ts';
import { share } from '../../graphql/questions.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { usePagination } from '../../ui/lists/usePagination.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { serverTime } from '../../ui/time/serverTime.ts';
import { useNow } from '../../ui/time/useNow.ts';

const noFilters = { integration: '', action: '', time: '', from: '', to: '' };

const integrationNamesPart = graphql(`
  fragment IntegrationNamesPart on Query {
    integrations(first: 100) {
      edges {
        node {
          id
          profile {
            publicName
          }
        }
      }
    }
  }
`);

/** The names of the viewer's integrations, for choosing one. It reads as many as one page can hold. */
const integrationNamesQuery = graphql(
  `
    query IntegrationNames {
      ...IntegrationNamesPart
    }
  `,
  [integrationNamesPart],
);

const pageQuery = graphql(
  `
    query ActivityPage($own: Boolean!, $filter: AuditFilterInput!, $after: String) {
      ...IntegrationNamesPart
      ...AuditTrailPart
    }
  `,
  [integrationNamesPart, auditTrailPart],
);

export const loader = pageLoader(({ ask, plain }) => {
  if (!plain) return;
  const newest = {
    own: true,
    filter: { integrationId: null, action: null, ...instantsOf(noFilters, new Date(serverTime())) },
    after: null,
  };
  ask(
    pageQuery,
    newest,
    share(integrationNamesQuery, {}, ({ integrations }) => ({ integrations })),
    share(auditTrailQuery, newest, ({ auditTrail }) => ({ auditTrail })),
  );
});

/** What happened to the operator's own account and integrations. */
export function Component() {
  const { viewer } = useSession();
  const now = useNow();
  const pagination = usePagination();
  const [filters, change] = useUrlFilters(['integration', 'action', 'time', 'from', 'to']);
  const { action } = filters;
  const complete = action === '' || isAction(action);
  const [integrations] = useQuery({ query: integrationNamesQuery });
  const [result, read] = useQuery({
    query: auditTrailQuery,
    variables: {
      own: true,
      filter: { integrationId: filters.integration || null, action: (complete && action) || null, ...instantsOf(filters, now) },
      after: pagination.after,
    },
    requestPolicy: 'cache-and-network',
  });
  // Entries show the names of their integrations. Without them, the entries would grow once the names arrive.
  const both = { ...result, data: integrations.data || integrations.error ? result.data : undefined };
  const own = integrations.data?.integrations.edges ?? [];
  return (
    <Stack gap="md">
      <PageHeader
        title="Activity"
        lead="Every change to your account and integrations, whether by you, your back ends or the service. Entries cannot be altered."
      />
      <FilterChips
        label="Filter the activity"
        choices={[
          {
            label: 'Integration',
            value: filters.integration,
            options: [
              { value: '', label: 'account and all integrations' },
              ...own.map(({ node }) => ({ value: node.id, label: node.profile.publicName })),
            ],
            onChange: (integration) => change({ integration }),
          },
          timeChoice({ time: filters.time, onChange: change }),
        ]}
        onClear={Object.values(filters).some(Boolean) ? () => change(noFilters) : null}
      >
        {filters.time === 'days' && <DayFields from={filters.from} to={filters.to} onChange={change} />}
        <SearchField
          label="Action"
          inRow
          placeholder="e.g. certificate.issued"
          error={!complete && 'Enter an action such as certificate.issued. It is in the details of an entry.'}
          value={action}
          onChange={(value) => change({ action: value })}
        />
      </FilterChips>
      <LoadedList pagination={pagination} result={both} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ auditTrail }) => (
          <PagedList
            label="Audit trail"
            pagination={pagination}
            page={auditTrail}
            none={
              <EmptyState kind="nothingFits" title="No entries match these filters.">
                Choose another integration or a longer period.
              </EmptyState>
            }
          >
            {(entries) => (
              <AuditTable
                entries={entries}
                actorWords={(entry) => ownActorWords(entry, viewer?.operatorId ?? null)}
                subjectWords={({ integrationId }) => own.find(({ node }) => node.id === integrationId)?.node.profile.publicName ?? null}
              />
            )}
          </PagedList>
        )}
      </LoadedList>
    </Stack>
  );
}

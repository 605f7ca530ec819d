import { Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { AuditTable } from '../../features/audit/AuditTable.tsx';
import { auditTrailQuery } from '../../features/audit/auditQuery.ts';
import { isAction, ownActorWords } from '../../features/audit/auditWords.ts';
import { TimeFields } from '../../features/audit/TimeFields.tsx';
import { instantsOf } from '../../features/audit/timeRanges.ts';
import { integrationNamesQuery } from '../../features/integration/integrationNamesQuery.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

/** What happened to the operator's own account and integrations. */
export function Component() {
  const { viewer } = useSession();
  const now = useNow();
  const place = usePlace();
  const [filters, change] = useUrlFilters(['integration', 'action', 'time', 'from', 'to']);
  const { action } = filters;
  const complete = action === '' || isAction(action);
  const [integrations] = useQuery({ query: integrationNamesQuery });
  const [result, read] = useQuery({
    query: auditTrailQuery,
    variables: {
      own: true,
      filter: { integrationId: filters.integration || null, action: (complete && action) || null, ...instantsOf(filters, now) },
      after: place.after,
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
      <Group gap="md" align="flex-start">
        <NativeSelect
          label="Integration"
          value={filters.integration}
          onChange={(event) => change({ integration: event.currentTarget.value })}
          data={[
            { value: '', label: 'Account and all integrations' },
            ...own.map(({ node }) => ({ value: node.id, label: node.profile.publicName })),
          ]}
          flex="1 1 16rem"
        />
        <SearchField
          label="Action"
          placeholder="certificate.issued"
          description="As shown in the details of an entry."
          error={!complete && 'Enter an action such as certificate.issued.'}
          value={action}
          onChange={(value) => change({ action: value })}
        />
        <TimeFields {...filters} onChange={change} />
      </Group>
      <LoadedList place={place} result={both} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ auditTrail }) => (
          <PagedList
            label="Audit trail"
            place={place}
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

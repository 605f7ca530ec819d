import { Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { AuditTable } from '../../features/audit/AuditTable.tsx';
import { auditTrailQuery, type AuditEntry, type AuditFilter } from '../../features/audit/auditQuery.ts';
import { actorTypeWords, isAction, subjectWords } from '../../features/audit/auditWords.ts';
import { ExportButtons } from '../../features/audit/ExportButtons.tsx';
import { TimeFields } from '../../features/audit/TimeFields.tsx';
import { instantsOf } from '../../features/audit/timeRanges.ts';
import { describeError } from '../../graphql/describeError.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

const ways = [
  { value: 'subject', label: 'Subjects' },
  { value: 'actor', label: 'Actors' },
  { value: 'integration', label: 'Integrations' },
  { value: 'operator', label: 'Accounts' },
] as const;
const fields = { subject: 'subjectId', actor: 'actorId', integration: 'integrationId', operator: 'operatorId' } as const;

/** The whole audit trail. */
export function Component() {
  const now = useNow();
  const place = usePlace();
  const [filters, change] = useUrlFilters(['way', 'action', 'time', 'from', 'to']);
  const { action } = filters;
  const [search, setSearch] = useSearch();
  const way = ways.find(({ value }) => value === filters.way)?.value ?? 'subject';
  // What the fields contain while the list still waits for the reader to stop typing. An export uses this.
  const [typedSearch, setTypedSearch] = useState(search);
  const [typedAction, setTypedAction] = useState(action);
  const filterOf = (text: string, chosen: string): AuditFilter => ({
    ...(text && { search: text, searchIn: fields[way] }),
    ...(chosen && { action: chosen }),
    ...withoutNulls(instantsOf(filters, now)),
  });
  const [result, read] = useQuery({
    query: auditTrailQuery,
    variables: { own: false, filter: filterOf(search, isComplete(action) ? action : ''), after: place.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="md">
      <PageHeader
        title="Audit trail"
        lead="Every change of state, credential, role, gate, quota, token, consent and review, newest first."
        actions={<ExportButtons filter={isComplete(typedAction) ? filterOf(typedSearch, typedAction) : null} />}
      />
      <Group gap="md" align="flex-start">
        <SearchField
          label="Search"
          description="Part of a name or slug, an address with its @, or a complete identifier"
          error={result.error && describeError(result.error).fields['filter']}
          value={search}
          onChange={setSearch}
          onText={setTypedSearch}
        />
        <NativeSelect
          label="Search in"
          value={way}
          onChange={(event) => change({ way: event.currentTarget.value })}
          data={[...ways]}
          flex="1 1 14rem"
        />
        <SearchField
          label="Action"
          placeholder="integration.suspended"
          error={!isComplete(action) && 'Enter an action such as integration.suspended.'}
          value={action}
          onChange={(value) => change({ action: value })}
          onText={setTypedAction}
        />
        <TimeFields {...filters} onChange={change} />
      </Group>
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ auditTrail }) => (
          <PagedList
            label="Audit trail"
            place={place}
            page={auditTrail}
            none={
              <EmptyState kind="nothingFits" title="No entries match.">
                Search for something else, or choose a longer period.
              </EmptyState>
            }
          >
            {(entries) => <AuditTable entries={entries} actorWords={actorWords} subjectWords={subjectWords} />}
          </PagedList>
        )}
      </LoadedList>
    </Stack>
  );
}

/** Whether a text is empty or the complete name of an action. */
function isComplete(action: string): boolean {
  return action === '' || isAction(action);
}

function actorWords({ actorType, actorId, actorName }: AuditEntry): string {
  if (actorName) return actorName;
  if (actorType === 'client' || actorType === 'operator' || actorType === 'service_token') return actorId ?? actorType;
  return actorId ? `${actorTypeWords[actorType] ?? actorType}: ${actorId}` : (actorTypeWords[actorType] ?? actorType);
}

function withoutNulls({ from, to }: { from: string | null; to: string | null }): { from?: string; to?: string } {
  return { ...(from && { from }), ...(to && { to }) };
}

import { Button, Group, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { auditExportQuery, type AuditFilter, auditTrailQuery } from '../../features/audit/auditQuery.ts';
import { AuditTable } from '../../features/audit/AuditTable.tsx';
import { actorWords, isAction, subjectWords } from '../../features/audit/auditWords.ts';
import { DayFields } from '../../features/audit/DayFields.tsx';
import { timeChoice } from '../../features/audit/timeChoice.ts';
import { dayComplaints, instantsOf } from '../../features/audit/timeRanges.ts';
import { useFreshPasskey } from '../../features/passkey/useFreshPasskey.ts';
import { describeError } from '../../graphql/describeError.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { usePagination } from '../../ui/lists/usePagination.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useNow } from '../../ui/time/useNow.ts';

const ways = [
  { value: '', label: 'subjects' },
  { value: 'actor', label: 'actors' },
  { value: 'integration', label: 'integrations' },
  { value: 'operator', label: 'accounts' },
] as const;
const fields = { '': 'subjectId', actor: 'actorId', integration: 'integrationId', operator: 'operatorId' } as const;

const noFilters = { way: '', action: '', time: '', from: '', to: '' };

/** The whole audit trail. */
export function Component() {
  const now = useNow();
  const pagination = usePagination();
  const [filters, change] = useUrlFilters(['way', 'action', 'time', 'from', 'to']);
  const { action } = filters;
  const [search, setSearch] = useSearch();
  const way = ways.find(({ value }) => value === filters.way)?.value ?? '';
  // What the fields contain while the list still waits for the reader to stop typing. An export uses this.
  const [typedSearch, setTypedSearch] = useState(search);
  const [typedAction, setTypedAction] = useState(action);
  const daysFit = filters.time !== 'days' || Object.keys(dayComplaints(filters)).length === 0;
  const filterOf = (text: string, chosen: string): AuditFilter => ({
    ...(text && { search: text, searchIn: fields[way] }),
    ...(chosen && { action: chosen }),
    ...withoutNulls(instantsOf(filters, now)),
  });
  const [result, read] = useQuery({
    query: auditTrailQuery,
    variables: { own: false, filter: filterOf(search, isComplete(action) ? action : ''), after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="md">
      <PageHeader
        title="Audit trail"
        lead="Every change of state, credential, role, gate, quota, token, consent and review, newest first."
        actions={<ExportButtons filter={daysFit && isComplete(typedAction) ? filterOf(typedSearch, typedAction) : null} />}
      />
      <SearchField
        label="Search"
        description="Part of a name or slug, an address with its @, or a complete identifier"
        error={daysFit && result.error && describeError(result.error).fields['filter']}
        value={search}
        onChange={setSearch}
        onText={setTypedSearch}
      />
      <FilterChips
        label="Filter the audit trail"
        choices={[
          { label: 'Search in', value: way, options: ways, onChange: (value) => change({ way: value }) },
          timeChoice({ time: filters.time, onChange: change }),
        ]}
        onClear={Object.values(filters).some(Boolean) ? () => change(noFilters) : null}
      >
        {filters.time === 'days' && <DayFields from={filters.from} to={filters.to} onChange={change} />}
        <SearchField
          label="Action"
          inRow
          placeholder="integration.suspended"
          error={!isComplete(action) && 'Enter an action such as integration.suspended.'}
          value={action}
          onChange={(value) => change({ action: value })}
          onText={setTypedAction}
        />
      </FilterChips>
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ auditTrail }) => (
          <PagedList
            label="Audit trail"
            pagination={pagination}
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

function withoutNulls({ from, to }: { from: string | null; to: string | null }): { from?: string; to?: string } {
  return { ...(from && { from }), ...(to && { to }) };
}

const formats = ['csv', 'ndjson'] as const;

/**
 * Downloads the entries that the filter finds. The filter is null while its fields are incomplete. Before the download starts, the reader
 * confirms with the passkey and the service checks that it can export the entries.
 */
function ExportButtons({ filter }: { filter: AuditFilter | null }) {
  const client = useClient();
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState<(typeof formats)[number] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function download(format: (typeof formats)[number]) {
    if (!filter) return setProblem('Enter a complete action, or clear the field, before you export.');
    setBusy(format);
    setProblem(null);
    const { data, error } = await confirmed(() =>
      client.query(auditExportQuery, { filter }, { requestPolicy: 'network-only' }).toPromise(),
    );
    setBusy(null);
    if (error ?? !data) return setProblem(describeError(error).message);
    if (data.auditExport.entries === 0) return setProblem('No entries match these filters, so there is nothing to export.');
    const query = addressOf(filter, data.auditExport.identifiers);
    window.location.assign(`/exports/audit-trail.${format}${query && `?${query}`}`);
  }

  return (
    <Stack gap="xs">
      <Group gap="xs">
        {formats.map((format) => (
          <Button
            key={format}
            variant="default"
            loading={busy === format}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void download(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </Group>
      {problem && <ErrorMessage message={problem} />}
    </Stack>
  );
}

/** The filter as it stands in the file's address. It holds identifiers instead of the search text, which may be an email address. */
function addressOf({ search, searchIn, ...others }: AuditFilter, identifiers: readonly string[]): string {
  const query = new URLSearchParams(others as Record<string, string>);
  if (search && searchIn) for (const each of identifiers) query.append(searchIn, each);
  return query.toString();
}

import { Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useQuery } from 'urql';
import { linkCodeFacts } from '../../../../server/domain/sharing/linkCodeFacts.ts';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Time } from '../../ui/time/Time.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { sandboxContext, sandboxLinkCodesQuery, type LinkCode } from '../sandbox/sandboxQueries.ts';
import { contentWords } from './linkCodeWords.ts';

/** Link codes of the last 24 hours with their states, the one first that an address names. Their digits were shown once, when they were generated. */
export function LinkCodeList({ clientId }: { clientId: string }) {
  const place = usePlace('codes');
  const named = useSearchParams()[0].get('code');
  const [result, read] = useQuery({
    query: sandboxLinkCodesQuery,
    variables: { clientId, after: place.after },
    context: sandboxContext,
  });
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandboxLinkCodes }) => (
        <PagedList
          label="Link codes"
          place={place}
          page={sandboxLinkCodes}
          none={<Text size="sm">No link code was generated in the last 24 hours.</Text>}
        >
          {(codes) => (
            <DataTable
              caption="Link codes"
              columns={columns}
              rows={codes.toSorted((a, b) => Number(b.id === named) - Number(a.id === named))}
              rowKey={({ id }) => id}
              actions={({ id }) => [{ label: 'Copy ID', copy: id }]}
            />
          )}
        </PagedList>
      )}
    </LoadedList>
  );
}

const columns: readonly Column<LinkCode>[] = [
  { header: 'Shares', cell: contentWords },
  { header: 'State', cell: ({ state }) => <StatusBadge tone={linkCodeFacts[state].tone}>{linkCodeFacts[state].word}</StatusBadge> },
  { header: 'Generated', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { header: 'Failed attempts', cell: ({ failedAttempts }) => failedAttempts > 0 && `${failedAttempts} of 5` },
  {
    header: 'Connection',
    breaks: true,
    cell: ({ connectionId }) => connectionId && <Identifier value={connectionId} label="the connection ID" />,
  },
];

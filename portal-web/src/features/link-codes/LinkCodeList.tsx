import { useQuery } from 'urql';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { sandboxContext, sandboxLinkCodesQuery, type LinkCode } from '../sandbox/sandboxQueries.ts';
import { contentWords, linkCodeWords } from './linkCodeWords.ts';

/** Link codes with their states. Their digits were shown once, when they were generated. */
export function LinkCodeList({ clientId, first }: { clientId: string; first: number }) {
  const place = usePlace('codes');
  const [result, read] = useQuery({
    query: sandboxLinkCodesQuery,
    variables: { clientId, first, after: place.after },
    context: sandboxContext,
  });
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandboxLinkCodes }) => (
        <PagedList label="Link codes" place={place} page={sandboxLinkCodes} none={null}>
          {(codes) => <DataTable caption="Link codes" columns={columns} rows={codes} rowKey={({ id }) => id} />}
        </PagedList>
      )}
    </LoadedList>
  );
}

const columns: readonly Column<LinkCode>[] = [
  { header: 'Shares', cell: contentWords },
  { header: 'State', cell: ({ state }) => <StatusBadge tone={linkCodeWords[state].tone}>{linkCodeWords[state].word}</StatusBadge> },
  { header: 'Generated', cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
  { header: 'Failed attempts', cell: ({ failedAttempts }) => failedAttempts > 0 && `${failedAttempts} of 5` },
  {
    header: 'Connection',
    breaks: true,
    cell: ({ connectionId }) => connectionId && <CopyableCode value={connectionId} label="the connection ID" />,
  },
];

import { Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import type { RowAction } from '../../ui/lists/RowMenu.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Time } from '../../ui/time/Time.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useReadOnly } from '../integration/ownerView.ts';
import { RevokeShareDialog } from './RevokeShareDialog.tsx';
import { sandboxSharesQuery, sandboxContext, type SandboxShare } from './sandboxQueries.ts';

type ConnectionListProps = {
  clientId: string;
  /** Shows the resources of a connection. */
  onShow: (connectionId: string) => void;
};

/** The test users' connections, newest first. */
export function ConnectionList({ clientId, onShow }: ConnectionListProps) {
  const place = usePlace('connections');
  const readOnly = useReadOnly();
  const [chosen, setChosen] = useState<SandboxShare | null>(null);
  const [result, read] = useQuery({
    query: sandboxSharesQuery,
    variables: { clientId, first: 10, after: place.after },
    context: sandboxContext,
  });
  const actionsOf = (share: SandboxShare): RowAction[] => [
    { label: 'Copy ID', copy: share.id },
    { label: 'Show its resources', onSelect: () => onShow(share.id) },
    ...(readOnly ? [] : [{ label: 'Revoke', disabledBecause: share.revoked ? 'It is revoked.' : null, onSelect: () => setChosen(share) }]),
  ];
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandboxShares }) => (
        <div>
          <Text size="sm" c="dimmed" role="status">
            {sandboxShares.totalCount} in all, newest first
          </Text>
          <PagedList label="Connections" place={place} page={sandboxShares} none={null}>
            {(shares) => <DataTable caption="Connections" columns={columns} rows={shares} rowKey={({ id }) => id} actions={actionsOf} />}
          </PagedList>
          {chosen && (
            <RevokeShareDialog
              clientId={clientId}
              share={{ connectionId: chosen.id, liveResources: chosen.liveResources }}
              onClose={() => setChosen(null)}
            />
          )}
        </div>
      )}
    </LoadedList>
  );
}

const columns: readonly Column<SandboxShare>[] = [
  { header: 'Connection', breaks: true, cell: ({ id }) => <Identifier value={id} copy={false} /> },
  {
    header: 'Status',
    cell: ({ revoked }) => <StatusBadge tone={revoked ? 'stopped' : 'good'}>{revoked ? 'Revoked' : 'Active'}</StatusBadge>,
  },
  { header: 'Shared now', figures: true, cell: ({ liveResources }) => liveResources },
  { header: 'In statistics', cell: ({ statisticsOptedIn }) => (statisticsOptedIn ? 'Takes part' : 'Does not') },
  { header: 'Linked', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

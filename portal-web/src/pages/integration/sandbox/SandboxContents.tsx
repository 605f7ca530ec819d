import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useQuery } from 'urql';
import { linkCodeFacts } from '../../../../../server/domain/sharing/linkCodeFacts.ts';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import type { RowAction } from '../../../ui/lists/RowMenu.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import { contentWords } from './linkCodes.ts';
import { ResourceList } from './ResourceList.tsx';
import { RevokeShareDialog } from './RevokeShareDialog.tsx';
import {
  type LinkCode,
  type Sandbox,
  sandboxContext,
  sandboxLinkCodesQuery,
  type SandboxShare,
  sandboxSharesQuery,
} from './sandboxQueries.ts';
import { useFollowing } from './useFollowing.ts';

const views = ['resources', 'connections', 'codes'] as const;

type SandboxContentsProps = { clientId: string; sandbox: Sandbox };

/** What is in the sandbox, in one table, latest change first: the shared resources, the connections or the link codes. */
export function SandboxContents({ clientId, sandbox }: SandboxContentsProps) {
  const [{ show, code }, change] = useUrlFilters(['show', 'code', 'type', 'status', 'connection', 'resource'], null);
  const view = views.find((each) => each === show) ?? (code ? 'codes' : 'resources');
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="What is listed"
        size="xs"
        w="fit-content"
        maw="100%"
        value={view}
        onChange={(value) =>
          change({ show: value === 'resources' ? '' : value, code: '', type: '', status: '', connection: '', resource: '' })
        }
        data={[
          { value: 'resources', label: 'Resources' },
          { value: 'connections', label: `Connections (${sandbox.connections.toLocaleString('en')})` },
          { value: 'codes', label: 'Link codes' },
        ]}
      />
      {view === 'resources' && <ResourceList {...{ clientId, sandbox }} />}
      {view === 'connections' && (
        <ConnectionList {...{ clientId, sandbox }} onShow={(connection) => change({ show: '', code: '', connection })} />
      )}
      {view === 'codes' && <LinkCodeList clientId={clientId} />}
    </Stack>
  );
}

/** Link codes of the last 24 hours with their states, the one first that an address names. Their digits were shown once, when they were generated. */
function LinkCodeList({ clientId }: { clientId: string }) {
  const pagination = usePagination('codes');
  const named = useSearchParams()[0].get('code');
  const [result, read] = useQuery({
    query: sandboxLinkCodesQuery,
    variables: { clientId, after: pagination.after },
    context: sandboxContext,
  });
  return (
    <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandboxLinkCodes }) => (
        <PagedList
          label="Link codes"
          pagination={pagination}
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

type ConnectionListProps = {
  clientId: string;
  sandbox: Sandbox;
  /** Shows the resources of a connection. */
  onShow: (connectionId: string) => void;
};

/** The test users' connections, newest first. */
function ConnectionList({ clientId, sandbox, onShow }: ConnectionListProps) {
  const pagination = usePagination('connections');
  const readOnly = useReadOnly();
  const [chosen, setChosen] = useState<SandboxShare | null>(null);
  const [result, read] = useQuery({
    query: sandboxSharesQuery,
    variables: { clientId, first: 25, after: pagination.after },
    context: sandboxContext,
  });
  useFollowing(sandbox, read);
  const actionsOf = (share: SandboxShare): RowAction[] => [
    { label: 'Copy ID', copy: share.id },
    { label: 'Show its resources', onSelect: () => onShow(share.id) },
    ...(readOnly
      ? []
      : [{ label: 'Revoke', disabledBecause: share.revoked ? 'Already revoked.' : null, onSelect: () => setChosen(share) }]),
  ];
  return (
    <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandboxShares }) => (
        <div>
          <Text size="sm" c="dimmed" role="status">
            {sandboxShares.totalCount} in all, newest first
          </Text>
          <PagedList label="Connections" pagination={pagination} page={sandboxShares} none={null}>
            {(shares) => (
              <DataTable caption="Connections" columns={connectionListColumns} rows={shares} rowKey={({ id }) => id} actions={actionsOf} />
            )}
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

const connectionListColumns: readonly Column<SandboxShare>[] = [
  { header: 'Connection', breaks: true, cell: ({ id }) => <Identifier value={id} copy={false} /> },
  {
    header: 'Status',
    cell: ({ revoked }) => <StatusBadge tone={revoked ? 'stopped' : 'good'}>{revoked ? 'Revoked' : 'Active'}</StatusBadge>,
  },
  { header: 'Shared now', figures: true, cell: ({ liveResources }) => liveResources },
  { header: 'In statistics', cell: ({ statisticsOptedIn }) => (statisticsOptedIn ? 'Yes' : 'No') },
  { header: 'Linked', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

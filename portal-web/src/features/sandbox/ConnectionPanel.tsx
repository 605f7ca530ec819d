import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Panel } from '../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { RevokeShareDialog } from './RevokeShareDialog.tsx';
import { sandboxSharesQuery, sandboxContext, type SandboxShare } from './sandboxQueries.ts';
import { useResourceFilters } from './useResourceFilters.ts';

/** The test users' connections, newest first. */
export function ConnectionPanel({ clientId }: { clientId: string }) {
  const place = usePlace('connections');
  const [, changeFilters] = useResourceFilters();
  const [chosen, setChosen] = useState<SandboxShare | null>(null);
  const [result, read] = useQuery({
    query: sandboxSharesQuery,
    variables: { clientId, first: 5, after: place.after },
    context: sandboxContext,
  });
  const actions: Column<SandboxShare> = {
    header: 'What you can do',
    actions: true,
    cell: ({ id, revoked, ...share }) => (
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => changeFilters({ connectionId: id, type: null, status: null, id: null })}
          aria-label={`Show the resources of ${id}`}
        >
          Show its resources
        </Button>
        {!revoked && (
          <Button size="compact-sm" variant="default" onClick={() => setChosen({ id, revoked, ...share })} aria-label={`Revoke ${id}`}>
            Revoke
          </Button>
        )}
      </Group>
    ),
  };
  return (
    <Panel title="Connections" lead="Each belongs to one test user. Revoking a connection ends access to everything it shares.">
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ sandboxShares }) => (
          <PagedList label="Connections" place={place} page={sandboxShares} none={null}>
            {(shares) => (
              <>
                <Text size="sm" c="dimmed" mb="xs">
                  {sandboxShares.totalCount} in all
                </Text>
                <DataTable caption="Connections" columns={[...columns, actions]} rows={shares} rowKey={({ id }) => id} />
              </>
            )}
          </PagedList>
        )}
      </LoadedList>
      {chosen && (
        <RevokeShareDialog
          clientId={clientId}
          share={{ connectionId: chosen.id, liveResources: chosen.liveResources }}
          onClose={() => setChosen(null)}
        />
      )}
    </Panel>
  );
}

const columns: readonly Column<SandboxShare>[] = [
  {
    header: 'Connection',
    cell: ({ id, liveResources, statisticsOptedIn, createdAt }) => (
      <>
        <CopyableCode value={id} label="the connection ID" />
        <Text size="sm" c="dimmed">
          {liveResources} shared now · {statisticsOptedIn ? 'takes part in statistics' : 'does not take part in statistics'} · linked{' '}
          <RelativeTime value={createdAt} />
        </Text>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ revoked }) => <StatusBadge tone={revoked ? 'stopped' : 'good'}>{revoked ? 'Revoked' : 'Active'}</StatusBadge>,
  },
];

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useLoadedMore } from '../../ui/lists/useLoadedMore.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { RevokeShareDialog } from './RevokeShareDialog.tsx';
import { sandboxSharesQuery, sandboxContext, type SandboxShare } from './sandboxQueries.ts';
import classes from './Simulator.module.css';
import { useResourceFilters } from './useResourceFilters.ts';

/** The test users' connections, newest first. */
export function ConnectionPanel({ clientId }: { clientId: string }) {
  const [more, loadMore] = useLoadedMore('connections');
  const size = Math.min(100, 5 + more * 15);
  const [, changeFilters] = useResourceFilters();
  const [chosen, setChosen] = useState<SandboxShare | null>(null);
  const [result, read] = useQuery({ query: sandboxSharesQuery, variables: { clientId, first: size }, context: sandboxContext });
  return (
    <Panel title="Connections" lead="Each belongs to one test user. Revoking a connection ends access to everything it shares.">
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ sandboxShares: { edges, totalCount } }) => (
          <Stack gap="md">
            <div>
              {edges.map(({ node }) => (
                <ConnectionRow
                  key={node.id}
                  connection={node}
                  onShow={() => changeFilters({ connectionId: node.id, type: null, status: null, id: null })}
                  onRevoke={() => setChosen(node)}
                />
              ))}
            </div>
            {totalCount > edges.length && size < 100 && (
              <Button variant="default" w="fit-content" onClick={() => loadMore(more + 1)}>
                Show more of {totalCount}
              </Button>
            )}
            {chosen && (
              <RevokeShareDialog
                clientId={clientId}
                share={{ connectionId: chosen.id, liveResources: chosen.liveResources }}
                onClose={() => setChosen(null)}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

type ConnectionRowProps = { connection: SandboxShare; onShow: () => void; onRevoke: () => void };

function ConnectionRow({ connection, onShow, onRevoke }: ConnectionRowProps) {
  const { id, createdAt, liveResources, revoked, statisticsOptedIn } = connection;
  return (
    <article className={classes.row} aria-label={`Connection ${id}`}>
      <div className={classes.rowHead}>
        <CopyableCode value={id} label="the connection ID" />
        <StatusBadge tone={revoked ? 'stopped' : 'good'}>{revoked ? 'Revoked' : 'Active'}</StatusBadge>
      </div>
      <Text size="sm" c="dimmed">
        {liveResources} shared now · {statisticsOptedIn ? 'takes part in statistics' : 'does not take part in statistics'} · linked{' '}
        <RelativeTime value={createdAt} />
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" onClick={onShow} aria-label={`Show the resources of ${id}`}>
          Show its resources
        </Button>
        {!revoked && (
          <Button size="compact-sm" variant="default" onClick={onRevoke} aria-label={`Revoke ${id}`}>
            Revoke
          </Button>
        )}
      </Group>
    </article>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { NewTokenDialog } from '../../features/administration/NewTokenDialog.tsx';
import { OperatorLink } from '../../features/administration/OperatorLink.tsx';
import { ReasonDialog } from '../../features/administration/ReasonDialog.tsx';
import { TokenFilterBar } from '../../features/administration/TokenFilterBar.tsx';
import {
  revokeServiceTokenMutation,
  serviceTokensQuery,
  tokenOrders,
  type ServiceToken,
} from '../../features/administration/tokenQueries.ts';
import { useFreshPasskey } from '../../features/passkey/useFreshPasskey.ts';
import { Empty } from '../../ui/states/Empty.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { InlineCode } from '../../ui/values/InlineCode.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { Pager } from '../../ui/lists/Pager.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

/** What the order-tracking service's programs present instead of a session. */
export function Component() {
  const [filters, change] = useUrlFilters(['environment', 'order']);
  const { after } = filters;
  const environment = filters.environment === 'sandbox' || filters.environment === 'production' ? filters.environment : null;
  const order = tokenOrders.find(({ value }) => value === filters.order)?.value ?? 'newest';
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: serviceTokensQuery,
    variables: { environment, search: search || null, order, after: after || null },
    requestPolicy: 'cache-and-network',
  });
  const [creating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ServiceToken | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Stack gap="md">
      <PageHeading
        title="Service tokens"
        lead="Each token belongs to one program of the order-tracking service and one environment, and expires."
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            New token
          </Button>
        }
      />
      <Group>
        <SearchField label="Search" description="Part of a name, or a complete svt_…" value={search} onChange={setSearch} />
      </Group>
      <TokenFilterBar environment={environment} order={order} onChange={change} />
      <Loaded result={result} onRetry={reread}>
        {({ serviceTokens: { edges, pageInfo } }) =>
          edges.length === 0 ? (
            <Empty>
              {environment || search || order === 'ending'
                ? 'No tokens match. Search for something else, or choose another environment or order.'
                : 'There are no tokens yet. The order-tracking service needs one to supply orders and create link codes.'}
            </Empty>
          ) : (
            <div>
              <RecordList label="Service tokens">
                {edges.map(({ node }) => (
                  <TokenRow key={node.id} token={node} onRevoke={() => setRevoked(node)} />
                ))}
              </RecordList>
              <Pager page={pageInfo} after={after} onAfter={(cursor) => change({ after: cursor })} />
            </div>
          )
        }
      </Loaded>
      {creating && <NewTokenDialog onClose={() => setCreating(false)} onCreated={reread} />}
      {revoked && <RevokeTokenDialog token={revoked} onClose={() => setRevoked(null)} onRevoked={reread} />}
    </Stack>
  );
}

function TokenRow({ token, onRevoke }: { token: ServiceToken; onRevoke: () => void }) {
  const { id, name, environment, permissions, createdAt, createdBy, createdByName, lastUsedAt, expiresAt, revokedAt } = token;
  const expired = new Date(expiresAt) <= useNow();
  return (
    <RecordRow
      title={<Text fw={600}>{name}</Text>}
      facts={
        <>
          <div>
            <InlineCode value={id} />
          </div>
          <div>{permissions.join(', ')}</div>
          <div>
            Created <RelativeTime value={createdAt} />{' '}
            {createdBy ? (
              <>
                by <OperatorLink id={createdBy} name={createdByName} />
              </>
            ) : (
              'at the server’s terminal'
            )}
            ;{' '}
            {lastUsedAt ? (
              <>
                last used <RelativeTime value={lastUsedAt} />
              </>
            ) : (
              'never used'
            )}
            ;{' '}
            {revokedAt ? (
              <>
                revoked <RelativeTime value={revokedAt} />
              </>
            ) : (
              <>
                {expired ? 'ended' : 'ends'} <RelativeTime value={expiresAt} />
              </>
            )}
          </div>
        </>
      }
      marks={
        <>
          <EnvironmentTag environment={environment} />
          {revokedAt || expired ? (
            <StatusBadge tone="stopped">{revokedAt ? 'Revoked' : 'Expired'}</StatusBadge>
          ) : (
            <StatusBadge tone="good">Valid</StatusBadge>
          )}
        </>
      }
      actions={
        !revokedAt &&
        !expired && (
          <Button variant="default" size="xs" onClick={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        )
      }
    />
  );
}

type RevokeTokenDialogProps = { token: ServiceToken; onClose: () => void; onRevoked: () => void };

function RevokeTokenDialog({ token, onClose, onRevoked }: RevokeTokenDialogProps) {
  const [, revokeServiceToken] = useMutation(revokeServiceTokenMutation);
  const confirmed = useFreshPasskey();

  async function revoke(): Promise<string | null> {
    const { error } = await confirmed(() => revokeServiceToken({ input: { serviceTokenId: token.id } }));
    if (error) return error.message;
    onRevoked();
    return null;
  }

  return (
    <ReasonDialog title={`Revoke ${token.name}?`} confirm="Revoke token" danger reason={false} onConfirm={revoke} onClose={onClose}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <code>{token.id}</code> in the {token.environment}. The program that holds it is refused from its next request on. This cannot be
        undone.
      </Text>
    </ReasonDialog>
  );
}

import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { NewTokenDialog } from '../../features/administration/NewTokenDialog.tsx';
import { TokenFilterBar } from '../../features/administration/TokenFilterBar.tsx';
import { TokenTable } from '../../features/administration/TokenTable.tsx';
import {
  revokeServiceTokenMutation,
  serviceTokensQuery,
  tokenOrders,
  type ServiceToken,
} from '../../features/administration/tokenQueries.ts';
import { usePageActs } from '../../features/find/usePageActs.ts';
import { useFreshPasskey } from '../../features/passkey/useFreshPasskey.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';

/** The tokens with which the order-tracking service's programs authenticate. */
export function Component() {
  const [filters, change] = useUrlFilters(['environment', 'order']);
  const place = usePlace();
  const environment = filters.environment === 'sandbox' || filters.environment === 'production' ? filters.environment : null;
  const order = tokenOrders.find(({ value }) => value === filters.order)?.value ?? 'newest';
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: serviceTokensQuery,
    variables: { environment, search: search || null, order, after: place.after },
    requestPolicy: 'cache-and-network',
  });
  const [creating, setCreating] = useState(false);
  usePageActs([{ label: 'New service token', run: () => setCreating(true) }]);
  const [revoked, setRevoked] = useState<ServiceToken | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Stack gap="md">
      <PageHeader
        title="Service tokens"
        lead="Each token belongs to one program of the order-tracking service and one environment, and expires."
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            New token
          </Button>
        }
      />
      <SearchField label="Search" description="Part of a name, or a complete svt_…" value={search} onChange={setSearch} />
      <TokenFilterBar environment={environment} order={order} onChange={change} />
      <LoadedList place={place} result={result} onRetry={reread}>
        {({ serviceTokens }) => (
          <PagedList
            label="Service tokens"
            place={place}
            page={serviceTokens}
            none={
              <EmptyState
                kind={environment || search || order === 'ending' ? 'nothingFits' : 'nothingYet'}
                title={environment || search || order === 'ending' ? 'No tokens match.' : 'There are no tokens yet.'}
              >
                {environment || search || order === 'ending'
                  ? 'Search for something else, or choose another environment or order.'
                  : 'The order-tracking service needs one to supply orders and create link codes.'}
              </EmptyState>
            }
          >
            {(tokens) => <TokenTable tokens={tokens} onRevoke={setRevoked} />}
          </PagedList>
        )}
      </LoadedList>
      {creating && <NewTokenDialog onClose={() => setCreating(false)} onCreated={reread} />}
      {revoked && <RevokeTokenDialog token={revoked} onClose={() => setRevoked(null)} onRevoked={reread} />}
    </Stack>
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
    <ConsequenceDialog
      title={`Revoke ${token.name}?`}
      object={
        <>
          <EnvironmentTag environment={token.environment} /> <code>{token.id}</code>
        </>
      }
      changes={['The program that holds it is refused from its next request.', 'This cannot be undone.']}
      unchanged={['What it has supplied stays.', 'Other tokens keep working.']}
      verb="Revoke token"
      tone="danger"
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}

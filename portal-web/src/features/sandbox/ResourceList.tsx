import { Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { listedWords } from './listedWords.ts';
import { movedWords } from './movedWords.ts';
import { ResourceFilterBar } from './ResourceFilterBar.tsx';
import { ResourceTable, type ResourceAction } from './ResourceTable.tsx';
import { RevokeShareDialog, type RevokedShare } from './RevokeShareDialog.tsx';
import { resourcePage, sandboxContext, sandboxResourcesQuery, type Sandbox, type SandboxResource } from './sandboxQueries.ts';
import { ShippingEventDialog } from './ShippingEventDialog.tsx';
import { isNarrowed, noFilters, useResourceFilters, type ResourceFilters } from './useResourceFilters.ts';
import { useSimulator } from './useSimulator.ts';

type ResourceListProps = { clientId: string; sandbox: Sandbox };

/** The resources of the test data, the most recently changed or revoked first. */
export function ResourceList({ clientId, sandbox }: ResourceListProps) {
  const [filters, changeFilters] = useResourceFilters();
  const types = (['order', 'vehicle'] as const).filter((type) => (type === 'order' ? sandbox.orders : sandbox.vehicles) > 0);
  return (
    <>
      <ResourceFilterBar filters={filters} onChange={changeFilters} types={types} />
      <FilteredResources
        key={JSON.stringify(filters)}
        {...{ clientId, filters }}
        scopes={sandbox.grantableScopes}
        onConnection={(connectionId) => changeFilters({ ...noFilters, connectionId })}
      />
    </>
  );
}

type FilteredResourcesProps = {
  clientId: string;
  filters: ResourceFilters;
  scopes: readonly string[];
  onConnection: (connectionId: string) => void;
};

function FilteredResources({ clientId, filters, scopes, onConnection }: FilteredResourcesProps) {
  const place = usePlace('resources');
  const [result, read] = useQuery({
    query: sandboxResourcesQuery,
    variables: resourcePage(clientId, filters, place.after),
    context: sandboxContext,
  });
  const { advance, problem } = useSimulator(clientId);
  const [moved, setMoved] = useState<{ id: string; after: string } | null>(null);
  const [shipping, setShipping] = useState<SandboxResource | null>(null);
  const [revoked, setRevoked] = useState<{ resource: SandboxResource; share: RevokedShare } | null>(null);

  function act(action: ResourceAction, resource: SandboxResource) {
    const { id, connectionId } = resource;
    if (action === 'ship') setShipping(resource);
    else if (action === 'revoke') setRevoked({ resource, share: { resourceId: id } });
    else if (action === 'revokeConnection') setRevoked({ resource, share: { connectionId, liveResources: null } });
    else if (action === 'showConnection') onConnection(connectionId);
    else void advance({ resourceId: id, ending: action === 'end' }).then((done) => done && noteMove(resource));
  }

  // What has changed comes first in the list, so the row is no longer on a later page.
  function noteMove({ id }: SandboxResource) {
    setMoved(place.after === null ? null : { id, after: place.after });
  }

  const filtered = isNarrowed(filters);

  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandboxResources }) => (
        <div>
          {problem && <ErrorMessage message={problem} />}
          <Text size="sm" c="dimmed" role="status">
            {listedWords(sandboxResources)}, latest change first
          </Text>
          <PagedList
            label="Shared resources"
            place={place}
            page={sandboxResources}
            note={moved?.after === place.after ? movedWords(moved.id, filtered) : null}
            none={
              <EmptyState
                kind={filtered ? 'nothingFits' : 'nothingYet'}
                title={filtered ? 'Nothing here matches the filters.' : 'Nothing is shared.'}
              >
                {filtered ? 'Change or clear the filters.' : 'To share more, generate a link code and redeem it.'}
              </EmptyState>
            }
          >
            {(resources) => <ResourceTable {...{ resources, scopes }} onAction={act} />}
          </PagedList>
          {shipping && (
            <ShippingEventDialog
              clientId={clientId}
              resourceId={shipping.id}
              onDone={() => noteMove(shipping)}
              onClose={() => setShipping(null)}
            />
          )}
          {revoked && (
            <RevokeShareDialog
              clientId={clientId}
              share={revoked.share}
              onDone={() => noteMove(revoked.resource)}
              onClose={() => setRevoked(null)}
            />
          )}
        </div>
      )}
    </LoadedList>
  );
}

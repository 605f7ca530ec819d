import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { ResourceFilterBar } from './ResourceFilterBar.tsx';
import { ResourceTable, type ResourceAction } from './ResourceTable.tsx';
import { RevokeShareDialog } from './RevokeShareDialog.tsx';
import { movedWords } from './movedWords.ts';
import { sandboxContext, sandboxResourcesQuery, type Sandbox, type SandboxResource } from './sandboxQueries.ts';
import { ShippingEventDialog } from './ShippingEventDialog.tsx';
import { useResourceFilters, type ResourceFilters } from './useResourceFilters.ts';
import { useSimulator } from './useSimulator.ts';

type ResourcePanelProps = { clientId: string; sandbox: Sandbox };

/** The resources of the test data to choose from, the most recently changed or revoked first. */
export function ResourcePanel({ clientId, sandbox }: ResourcePanelProps) {
  const [filters, changeFilters] = useResourceFilters();
  const types = (['order', 'vehicle'] as const).filter((type) => (type === 'order' ? sandbox.orders : sandbox.vehicles) > 0);
  return (
    <Panel
      title="Shared resources"
      lead="Most recently changed or revoked first. Each resource belongs to one connection, so an order that is shared twice appears twice."
    >
      <ResourceFilterBar filters={filters} onChange={changeFilters} types={types} />
      <ResourceList key={JSON.stringify(filters)} {...{ clientId, filters }} scopes={sandbox.grantableScopes} />
    </Panel>
  );
}

type ListProps = Omit<ResourcePanelProps, 'sandbox'> & { filters: ResourceFilters; scopes: readonly string[] };

function ResourceList({ clientId, filters, scopes }: ListProps) {
  const place = usePlace('resources');
  const [result, read] = useQuery({
    query: sandboxResourcesQuery,
    variables: { clientId, ...filters, first: 10, after: place.after },
    context: sandboxContext,
  });
  const { advance, problem, busy } = useSimulator(clientId);
  const [moved, setMoved] = useState<{ id: string; after: string } | null>(null);
  const [chosen, setChosen] = useState<{ action: 'ship' | 'revoke'; resource: SandboxResource } | null>(null);

  function act(action: ResourceAction, resource: SandboxResource) {
    if (action === 'ship' || action === 'revoke') setChosen({ action, resource });
    else void advance({ resourceId: resource.id, ending: action === 'end' }).then((done) => done && noteMove(resource));
  }

  // What has changed comes first in the list, so the row is no longer on a later page.
  function noteMove({ id }: SandboxResource) {
    setMoved(place.after === null ? null : { id, after: place.after });
  }

  const filtered = Object.values(filters).some((value) => value !== null);

  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandboxResources }) => (
        <Stack gap="xs" mt="md">
          {problem && <ErrorMessage message={problem} />}
          <Text size="sm" c="dimmed" role="status">
            {sandboxResources.totalCount === 0 ? 'No matches.' : `${sandboxResources.totalCount} in all`}
          </Text>
          <PagedList
            label="Shared resources"
            place={place}
            page={sandboxResources}
            note={moved?.after === place.after ? movedWords(moved.id, filtered) : null}
            none={<Text size="sm">Change the filters, or share more by generating and redeeming a link code.</Text>}
          >
            {(resources) => <ResourceTable {...{ resources, scopes, busy }} onAction={act} />}
          </PagedList>
          {chosen?.action === 'ship' && (
            <ShippingEventDialog
              clientId={clientId}
              resourceId={chosen.resource.id}
              onDone={() => noteMove(chosen.resource)}
              onClose={() => setChosen(null)}
            />
          )}
          {chosen?.action === 'revoke' && (
            <RevokeShareDialog
              clientId={clientId}
              share={{ resourceId: chosen.resource.id }}
              onDone={() => noteMove(chosen.resource)}
              onClose={() => setChosen(null)}
            />
          )}
        </Stack>
      )}
    </LoadedList>
  );
}

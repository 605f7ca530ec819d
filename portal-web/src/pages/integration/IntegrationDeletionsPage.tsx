import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { DeletionFilterBar } from '../../features/deletions/DeletionFilterBar.tsx';
import { DeletionList } from '../../features/deletions/DeletionList.tsx';
import { NoDeletions } from '../../features/deletions/NoDeletions.tsx';
import { RecordDeletionsDialog } from '../../features/deletions/RecordDeletionsDialog.tsx';
import { revocationsQuery } from '../../features/deletions/revocationsQuery.ts';
import { useDeletionFilters } from '../../features/deletions/useDeletionFilters.ts';
import { WhatToDelete } from '../../features/deletions/WhatToDelete.tsx';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';

/** What the operator has to delete, with the time left, and what has been deleted. */
export function Component() {
  const { integration, service } = useIntegration();
  const { slug } = integration;
  // Retiring an integration also revokes all connections of its test users, and nobody has to act on those.
  const retiredFromProduction =
    integration.status === 'retired' && integration.clients.some((client) => client.environment === 'production');
  const [filters, changeFilters] = useDeletionFilters(retiredFromProduction ? 'production' : null);
  const place = usePlace();
  const [recording, setRecording] = useState(false);
  const [result, read] = usePolledQuery({
    query: revocationsQuery,
    variables: { slug, ...filters, first: 20, after: place.after },
    // The operator's back end acknowledges deletions, so the page has to poll for acknowledgements.
    whileTrue: ({ revocations }) => revocations.outstandingCount > 0,
    every: 5000,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const several = filters.state !== 'acknowledged' && (result.data?.revocations.edges.length ?? 0) > 1;
  return (
    <Stack gap="lg">
      <DeletionFilterBar filters={filters} onChange={changeFilters} counts={result.data?.revocations} />
      {several && (
        <Button variant="default" w="fit-content" onClick={() => setRecording(true)}>
          Record several deletions
        </Button>
      )}
      {recording && <RecordDeletionsDialog {...{ slug, filters }} onClose={() => setRecording(false)} onRecorded={reread} />}
      <LoadedList place={place} result={result} onRetry={reread}>
        {({ revocations }) => (
          <DeletionList
            {...{ place, service }}
            page={revocations}
            none={<NoDeletions slug={slug} state={filters.state} retired={integration.status === 'retired'} />}
          />
        )}
      </LoadedList>
      <WhatToDelete />
    </Stack>
  );
}

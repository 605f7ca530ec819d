import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { DeletionFilterBar } from '../../features/deletions/DeletionFilterBar.tsx';
import { DeletionList, pageSize } from '../../features/deletions/DeletionList.tsx';
import { NoDeletions } from '../../features/deletions/NoDeletions.tsx';
import { RecordDeletionsDialog } from '../../features/deletions/RecordDeletionsDialog.tsx';
import { revocationsQuery } from '../../features/deletions/revocationsQuery.ts';
import { useDeletionFilters } from '../../features/deletions/useDeletionFilters.ts';
import { WhatToDelete } from '../../features/deletions/WhatToDelete.tsx';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** What the integration has to delete, with the time left, and what it has deleted. */
export function Component() {
  const { integration, service } = useIntegration();
  const { slug } = integration;
  const [filters, changeFilters] = useDeletionFilters();
  const [recording, setRecording] = useState(false);
  const [result, read] = usePolledQuery({
    query: revocationsQuery,
    variables: { slug, ...filters, first: pageSize, after: null },
    // An acknowledgement comes from the operator's back end; the page learns of it by asking.
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
      <Loaded result={result} onRetry={reread}>
        {({ revocations }) =>
          revocations.edges.length === 0 ? (
            <NoDeletions slug={slug} state={filters.state} retired={integration.status === 'retired'} />
          ) : (
            <DeletionList key={JSON.stringify(filters)} {...{ slug, filters, service }} first={revocations} />
          )
        }
      </Loaded>
      <WhatToDelete />
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { useState } from 'react';
import { failingEndpointsQuery, type FailingEndpoint } from '../../features/administration/webhooks/failingEndpointQueries.ts';
import { FailingEndpointTable } from '../../features/administration/webhooks/FailingEndpointTable.tsx';
import { PauseAnyDialog } from '../../features/administration/webhooks/PauseAnyDialog.tsx';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';

const views = [
  { value: '', label: 'failing' },
  { value: 'paused', label: 'paused by staff' },
];
const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Everybody’s webhook endpoints that fail, with the way to pause one. */
export function Component() {
  const place = usePlace();
  const [{ show }, change] = useUrlFilters(['show']);
  const view = show === 'paused' ? 'paused' : 'failing';
  const [result, read] = usePolledQuery({
    query: failingEndpointsQuery,
    variables: { view, after: place.after },
    whileTrue: () => place.after === null,
    every: 10_000,
    context: fresh,
  });
  const [asked, setAsked] = useState<FailingEndpoint | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Stack gap="md">
      <PageHeader
        title="Failing webhook endpoints"
        documentTitle="Failing endpoints"
        lead="Endpoints to which every attempt fails, the longest first. Owners are emailed after an hour, a day and five days; nothing is switched off by itself. Only hosts are shown, because the rest of a URL may be a secret."
      />
      <FilterChips
        label="Filter the endpoints"
        choices={[{ label: 'Show', value: view === 'paused' ? view : '', options: views, onChange: (value) => change({ show: value }) }]}
        onClear={null}
      />
      <LoadedList place={place} result={result} onRetry={reread}>
        {({ failingWebhookEndpoints }) => (
          <PagedList
            label="Failing endpoints"
            place={place}
            page={failingWebhookEndpoints}
            note={note}
            none={
              <EmptyState
                kind={view === 'paused' ? 'nothingYet' : 'allClear'}
                title={view === 'paused' ? 'Staff have paused no endpoint.' : 'No endpoint fails.'}
              >
                {!(view === 'paused') && 'One that does appears here by itself.'}
              </EmptyState>
            }
          >
            {(endpoints) => <FailingEndpointTable {...{ endpoints }} onDecide={setAsked} />}
          </PagedList>
        )}
      </LoadedList>
      {asked && (
        <PauseAnyDialog
          failing={asked}
          onClose={() => setAsked(null)}
          onDone={(words) => {
            setNote(words);
            reread();
          }}
        />
      )}
    </Stack>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { counted } from '../../ui/text/counted.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { useReadOnly } from '../integration/ownerView.ts';
import type { Endpoint } from '../webhooks/webhookQueries.ts';
import { DeliveryFilterBar } from './DeliveryFilterBar.tsx';
import { deliveriesQuery } from './deliveryQueries.ts';
import { DeliveryTable } from './DeliveryTable.tsx';
import { FailureGroups } from './FailureGroups.tsx';
import { NoDeliveries } from './NoDeliveries.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';
import type { ReplayFilter } from './replayQueries.ts';
import { filterOf, isNarrowed, noFilters, replayFilterOf, useDeliveryFilters } from './useDeliveryFilters.ts';

type DeliveriesPanelProps = { endpoint: Pick<Endpoint, 'id' | 'url' | 'environment' | 'status'> };

const pageSize = 50;
const fresh = { requestPolicy: 'cache-and-network' } as const;

/** An endpoint’s deliveries, the newest first. They arrive by themselves; what failed can be replayed: those chosen, or all that the filter finds. */
export function DeliveriesPanel({ endpoint }: DeliveriesPanelProps) {
  const [filters, change] = useDeliveryFilters();
  const place = usePlace();
  const now = useNow();
  const [result, read] = usePolledQuery({
    query: deliveriesQuery,
    variables: { endpointId: endpoint.id, ...filterOf(filters, now), first: pageSize, after: place.after },
    // Later pages stay as they are while somebody reads them.
    whileTrue: () => place.after === null && endpoint.status !== 'removed',
    every: 3000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [replaying, setReplaying] = useState<ReplayFilter | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const readOnly = useReadOnly();
  const replayable = !readOnly && endpoint.status === 'active';
  const filter = replayFilterOf(filters, now);

  function choose(id: string, taken: boolean) {
    const next = new Set(chosen);
    if (taken) next.add(id);
    else next.delete(id);
    setChosen(next);
  }

  return (
    <Panel title="Deliveries" lead="Kept for 30 days. New ones appear by themselves. Of what was sent, the body is not kept.">
      <Stack gap="md">
        <Group gap="xs">
          <SavedViews state={filters.state} onState={(state) => change({ ...noFilters, state })} />
        </Group>
        <DeliveryFilterBar filters={filters} onChange={change} />
        {replayable ? (
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              disabled={chosen.size === 0}
              onClick={() => setReplaying({ deliveryIds: [...chosen], states: ['delivered', 'dead', 'discarded'] })}
            >
              {chosen.size === 0 ? 'Replay chosen deliveries' : `Replay ${counted(chosen.size, 'chosen delivery')}`}
            </Button>
            {filter && (
              <Button variant="default" size="xs" onClick={() => setReplaying(filter)}>
                {filters.state === 'delivered' ? 'Replay all that the filter finds' : 'Replay all that failed'}
              </Button>
            )}
          </Group>
        ) : (
          !readOnly && (
            <Text size="sm" c="dimmed">
              Deliveries can be replayed while the endpoint is active.
            </Text>
          )
        )}
        {replaying && (
          <ReplayDialog
            {...{ endpoint }}
            filter={replaying}
            onClose={() => setReplaying(null)}
            onReplayed={(words) => {
              setNote(words);
              setChosen(new Set());
              reread();
            }}
          />
        )}
        <LoadedList place={place} result={result} onRetry={reread}>
          {({ webhookEndpoint: { deliveries, lastReplay, failureGroups } }) => (
            <>
              <FailureGroups groups={failureGroups} />
              {lastReplay && lastReplay.finishedAt === null && (
                <Text role="status">
                  Replaying: {lastReplay.replayed.toLocaleString('en')} of {counted(lastReplay.count, 'delivery')}.
                </Text>
              )}
              <PagedList
                label="Deliveries"
                place={place}
                page={deliveries}
                note={note}
                none={<NoDeliveries narrowed={isNarrowed(filters)} status={endpoint.status} onClear={() => change(noFilters)} />}
              >
                {(items) => (
                  <DeliveryTable endpointId={endpoint.id} deliveries={items} chosen={replayable ? chosen : null} onChoose={choose} />
                )}
              </PagedList>
            </>
          )}
        </LoadedList>
      </Stack>
    </Panel>
  );
}

function SavedViews({ state, onState }: { state: string; onState: (state: '' | 'undelivered' | 'dead') => void }) {
  const views = [
    { value: '', word: 'All' },
    { value: 'undelivered', word: 'What was never delivered?' },
    { value: 'dead', word: 'Dead letters' },
  ] as const;
  return views.map(({ value, word }) => (
    <Button
      key={value}
      variant={state === value ? 'light' : 'default'}
      size="xs"
      aria-pressed={state === value}
      onClick={() => onState(value)}
    >
      {word}
    </Button>
  ));
}

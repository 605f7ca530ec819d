import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { BesidePanel } from '../../ui/layout/SidePanel.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { useOpened } from '../../ui/lists/useOpened.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { counted } from '../../ui/text/counted.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { useReadOnly } from '../integration/ownerView.ts';
import type { EndpointInFull } from '../webhooks/webhookQueries.ts';
import { DeliveryFilterBar } from './DeliveryFilterBar.tsx';
import { DeliveryPanel } from './DeliveryPanel.tsx';
import { deliveriesQuery } from './deliveryQueries.ts';
import { DeliveryTable, isReplayable } from './DeliveryTable.tsx';
import { FailureGroups } from './FailureGroups.tsx';
import { NoDeliveries } from './NoDeliveries.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';
import { TryDialog } from './TryDialog.tsx';
import type { WaitingFilter } from './attemptQueries.ts';
import type { ReplayFilter } from './replayQueries.ts';
import { deliveryPage, isNarrowed, noFilters, replayFilterOf, useDeliveryFilters, waitingFilterOf } from './useDeliveryFilters.ts';

type DeliveriesPanelProps = { endpoint: EndpointInFull; onChange: () => void };

const fresh = { requestPolicy: 'cache-and-network' } as const;

/**
 * Why deliveries failed, and each of them, the newest first. They arrive by themselves; what failed can be replayed: those chosen, or all that the
 * filter finds; what waits can be tried at once.
 */
export function DeliveriesPanel({ endpoint, onChange }: DeliveriesPanelProps) {
  const { failureGroups, lastReplay } = endpoint;
  const [filters, change] = useDeliveryFilters();
  const opened = useOpened('delivery');
  const place = usePlace();
  const now = useNow();
  const [result, read] = usePolledQuery({
    query: deliveriesQuery,
    variables: deliveryPage(endpoint.id, filters, now, place.after),
    // Later pages stay as they are while somebody reads them.
    whileTrue: () => place.after === null && webhookEndpointFacts[endpoint.status].receives !== 'never',
    every: 3000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [replaying, setReplaying] = useState<ReplayFilter | null>(null);
  const [trying, setTrying] = useState<WaitingFilter | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const readOnly = useReadOnly();
  const replayable = !readOnly && webhookEndpointFacts[endpoint.status].receives === 'yes';
  const filter = replayFilterOf(filters, now);
  const waiting = endpoint.health.waiting > 0 ? waitingFilterOf(filters, now) : null;
  const changed = (words: string) => {
    setNote(words);
    setChosen(new Set());
    reread();
    onChange();
  };

  return (
    <Panel title="Deliveries" marks={<Text size="sm">Kept for 30 days, without their bodies. New ones appear by themselves.</Text>}>
      <Stack gap="sm">
        <FailureGroups groups={failureGroups} />
        <Group gap="xs">
          {replayable && filter && (
            <Button size="xs" variant={failureGroups.length > 0 ? 'filled' : 'default'} onClick={() => setReplaying(filter)}>
              {filters.state !== '' && filters.state !== 'undelivered' && deliveryFacts[filters.state].arrived
                ? 'Replay all that the filter finds'
                : 'Replay all that failed'}
            </Button>
          )}
          {replayable && waiting && (
            <Button size="xs" variant="default" onClick={() => setTrying(waiting)}>
              Try all that wait now
            </Button>
          )}
          <Undelivered state={filters.state} onState={(state) => change({ ...noFilters, state })} />
          {!replayable && !readOnly && (
            <Text size="sm" c="dimmed">
              Deliveries can be replayed while the endpoint is active.
            </Text>
          )}
        </Group>
        <DeliveryFilterBar filters={filters} onChange={change} />
        {lastReplay && lastReplay.finishedAt === null && (
          <Text role="status">
            Replaying: {lastReplay.replayed.toLocaleString('en')} of {counted(lastReplay.count, 'delivery')}.
          </Text>
        )}
        <LoadedList place={place} result={result} onRetry={reread}>
          {({ webhookEndpoint: { deliveries } }) => (
            <BesidePanel
              panel={
                opened.id !== '' && (
                  <DeliveryPanel {...{ endpoint, opened }} onTried={reread} deliveries={deliveries.edges.map(({ node }) => node)} />
                )
              }
            >
              <PagedList
                label="Deliveries"
                place={place}
                page={deliveries}
                note={note}
                none={<NoDeliveries narrowed={isNarrowed(filters)} status={endpoint.status} onClear={() => change(noFilters)} />}
              >
                {(items) => (
                  <DeliveryTable
                    deliveries={items}
                    toPanel={opened.to}
                    opened={opened.id}
                    selection={
                      replayable
                        ? {
                            selected: chosen,
                            onChange: setChosen,
                            selectable: (id) => items.some((delivery) => delivery.id === id && isReplayable(delivery)),
                            bar: (
                              <Group gap="sm">
                                <Button size="xs" onClick={() => setReplaying({ deliveryIds: [...chosen], states: ['delivered', 'dead'] })}>
                                  Replay {counted(chosen.size, 'chosen delivery')}
                                </Button>
                                <Button size="xs" variant="default" onClick={() => setChosen(new Set())}>
                                  Choose none
                                </Button>
                              </Group>
                            ),
                          }
                        : undefined
                    }
                  />
                )}
              </PagedList>
            </BesidePanel>
          )}
        </LoadedList>
      </Stack>
      {replaying && <ReplayDialog {...{ endpoint }} filter={replaying} onClose={() => setReplaying(null)} onReplayed={changed} />}
      {trying && <TryDialog {...{ endpoint }} filter={trying} onClose={() => setTrying(null)} onTried={changed} />}
    </Panel>
  );
}

/** The saved view of what the receiver never had. */
function Undelivered({ state, onState }: { state: string; onState: (state: '' | 'undelivered') => void }) {
  const shown = state === 'undelivered';
  return (
    <Button variant={shown ? 'light' : 'default'} size="xs" aria-pressed={shown} onClick={() => onState(shown ? '' : 'undelivered')}>
      What was never delivered?
    </Button>
  );
}

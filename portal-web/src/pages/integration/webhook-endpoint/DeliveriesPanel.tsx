import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation, useQuery } from 'urql';
import { deliveryFacts } from '../../../../../server/domain/outbox/deliveryFacts.ts';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { DayFields } from '../../../features/audit/DayFields.tsx';
import { timeChoice } from '../../../features/audit/timeChoice.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import type { WaitingFilter } from '../../../features/webhook-deliveries/attemptQueries.ts';
import { deliveriesQuery } from '../../../features/webhook-deliveries/deliveryQueries.ts';
import { DeliveryTable, isReplayable } from '../../../features/webhook-deliveries/DeliveryTable.tsx';
import { replayCountQuery, replayDeliveriesMutation, type ReplayFilter } from '../../../features/webhook-deliveries/replayQueries.ts';
import type { Endpoint, EndpointInFull, FailureGroup } from '../../../features/webhooks/webhookQueries.ts';
import { eventTypes, eventTypeWords } from '../../../features/webhooks/webhookWords.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { BesidePanel } from '../../../ui/layout/SidePanel.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { SearchField } from '../../../ui/lists/SearchField.tsx';
import { useOpened } from '../../../ui/lists/useOpened.ts';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { DeliveryPanel } from './DeliveryPanel.tsx';
import classes from './FailureGroups.module.css';
import { SelectionDialog, TryDialog } from './SelectionDialog.tsx';
import {
  type DeliveryFilters,
  deliveryPage,
  isNarrowed,
  noFilters,
  replayFilterOf,
  subjectOf,
  useDeliveryFilters,
  waitingFilterOf,
} from './useDeliveryFilters.ts';

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
  const pagination = usePagination();
  const now = useNow();
  const [result, read] = usePolledQuery({
    query: deliveriesQuery,
    variables: deliveryPage(endpoint.id, filters, now, pagination.after),
    // Later pages stay as they are while somebody reads them.
    whileTrue: () => pagination.after === null && webhookEndpointFacts[endpoint.status].receives !== 'never',
    every: 3000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [replaying, setReplaying] = useState<ReplayFilter | null>(null);
  const [trying, setTrying] = useState<WaitingFilter | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const readOnly = useReadOnly();
  const ofDelivered = filters.state !== '' && filters.state !== 'undelivered' && deliveryFacts[filters.state].arrived;
  const replayable = !readOnly && webhookEndpointFacts[endpoint.status].receives === 'yes';
  const filter = replayFilterOf(filters, now);
  const said = new Set(failureGroups.map(({ cause: { what } }) => what));
  const waiting = endpoint.health.waiting > 0 ? waitingFilterOf(filters, now) : null;
  const changed = (words: string) => {
    setNote(words);
    setChosen(new Set());
    reread();
    onChange();
  };

  return (
    <Panel title="Deliveries" marks={<Text size="sm">We keep deliveries for 30 days, but not their payloads.</Text>}>
      <Stack gap="sm">
        <FailureGroups groups={failureGroups} />
        <Group gap="xs">
          {replayable && filter && (
            <Button
              size="xs"
              variant={failureGroups.length > 0 ? 'filled' : 'default'}
              disabled={!ofDelivered && failureGroups.length === 0}
              onClick={() => setReplaying(filter)}
            >
              {ofDelivered ? 'Replay all that match' : 'Replay all that failed'}
            </Button>
          )}
          {replayable && waiting && (
            <Button size="xs" variant="default" onClick={() => setTrying(waiting)}>
              Try all waiting deliveries now
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
        <LoadedList pagination={pagination} result={result} onRetry={reread}>
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
                pagination={pagination}
                page={deliveries}
                note={note}
                none={<NoDeliveries narrowed={isNarrowed(filters)} endpoint={endpoint} onClear={() => change(noFilters)} />}
              >
                {(items) => (
                  <DeliveryTable
                    deliveries={items}
                    toPanel={opened.to}
                    opened={opened.id}
                    said={said}
                    selection={
                      replayable
                        ? {
                            selected: chosen,
                            onChange: setChosen,
                            selectable: (id) => items.some((delivery) => delivery.id === id && isReplayable(delivery)),
                            bar: (
                              <Group gap="sm">
                                <Button size="xs" onClick={() => setReplaying({ deliveryIds: [...chosen], states: ['delivered', 'dead'] })}>
                                  Replay {counted(chosen.size, 'selected delivery')}
                                </Button>
                                <Button size="xs" variant="default" onClick={() => setChosen(new Set())}>
                                  Clear selection
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
      Show what was never delivered
    </Button>
  );
}

/** An endpoint’s dead letters by what went wrong, each cause with what to mend. Shows nothing if there are none. */
function FailureGroups({ groups }: { groups: readonly FailureGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <ul className={classes.groups} aria-label="Why deliveries failed for good">
      {groups.map(({ cause: { title, what, next }, count, firstAt, lastAt }) => (
        <li key={`${title} ${what}`}>
          <div className={classes.line}>
            <StatusBadge tone="bad">{title}</StatusBadge>
            <strong>{counted(count, 'event')} not delivered</strong>
            <span className={classes.when}>
              {count > 1 && (
                <>
                  first <Time value={firstAt} />, last{' '}
                </>
              )}
              <Time value={lastAt} />
            </span>
          </div>
          <div>
            {what} {next && <strong>{next}</strong>}
          </div>
        </li>
      ))}
    </ul>
  );
}

type NoDeliveriesProps = { narrowed: boolean; endpoint: Pick<Endpoint, 'id' | 'status' | 'environment'>; onClear: () => void };

/** Says why an endpoint’s list is empty, and what fills it. */
function NoDeliveries({ narrowed, endpoint: { id, status, environment }, onClear }: NoDeliveriesProps) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  if (narrowed) {
    return (
      <EmptyState
        kind="nothingFits"
        title="No deliveries fit these filters."
        action={
          <Button variant="default" size="xs" onClick={onClear}>
            Clear the filters
          </Button>
        }
      />
    );
  }
  if (webhookEndpointFacts[status].receives === 'notYet')
    return (
      <EmptyState kind="nothingYet" title="No deliveries yet.">
        Events are kept for this endpoint from its first proof on.
      </EmptyState>
    );
  return (
    <EmptyState kind="nothingYet" title="No deliveries yet.">
      The next event of a chosen type appears here within seconds.
      {environment === 'sandbox' && !readOnly && (
        <>
          {' '}
          To see one now,{' '}
          <Anchor component={Link} to={to.webhookTest(id)} inherit>
            send a test event
          </Anchor>
          .
        </>
      )}
    </EmptyState>
  );
}

type DeliveryFilterBarProps = { filters: DeliveryFilters; onChange: (changes: Partial<DeliveryFilters>) => void };

const states = [
  { value: '', label: 'all' },
  { value: 'undelivered', label: 'never delivered' },
  ...Object.entries(deliveryFacts)
    .filter(([value]) => value !== 'unknown')
    .map(([value, { word }]) => ({ value, label: word.toLowerCase() })),
];
const types = [{ value: '', label: 'all' }, ...eventTypes.map((value) => ({ value, label: eventTypeWords[value].name }))];

type ReplayDialogProps = {
  endpoint: Pick<Endpoint, 'id' | 'url' | 'environment'>;
  filter: ReplayFilter;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onReplayed: (words: string) => void;
};

const words = {
  title: 'Replay these deliveries?',
  none: 'Nothing to replay.',
  will: 'will be sent again',
  verb: (deliveries: string | null) => (deliveries === null ? 'Replay' : `Replay ${deliveries}`),
  changes: ['Each event is sent again, and tried for 24 hours.'],
  unchanged: [
    'The event IDs stay the same, so a receiver that remembers them applies none twice.',
    'Anything revoked since is not sent: every attempt is checked as usual.',
  ],
};

/** Replays many deliveries: it shows how many the filter finds, and takes the order for exactly those. */
function ReplayDialog({ endpoint, filter, onClose, onReplayed }: ReplayDialogProps) {
  const endpointId = endpoint.id;
  const [{ data, error, fetching }, read] = useQuery({
    query: replayCountQuery,
    variables: { endpointId, filter },
    requestPolicy: 'network-only',
  });
  const [, replayDeliveries] = useMutation(replayDeliveriesMutation);
  const confirmed = useFreshPasskey();

  async function replay({ count: expectedCount, selectionDigest, until }: NonNullable<typeof data>['replayCount']) {
    const { error: refused } = await confirmed(() =>
      replayDeliveries({ input: { endpointId, filter, expectedCount, selectionDigest, until } }),
    );
    if (refused) return refused.message;
    onReplayed(`${counted(expectedCount, 'delivery')} queued for replay. They appear here as they are sent.`);
    return null;
  }

  return (
    <SelectionDialog
      {...{ endpoint, words, onClose }}
      counting={{ found: data?.replayCount, fetching, error }}
      recount={() => read({ requestPolicy: 'network-only' })}
      act={replay}
    />
  );
}

const kept = { days: '30', words: 'last 30 days' };

/** Which deliveries the list shows. */
function DeliveryFilterBar({ filters, onChange }: DeliveryFilterBarProps) {
  const { state, type, time, from, to, search } = filters;
  const incomplete = search !== '' && subjectOf(search) === null;
  const choices = [
    { label: 'State', value: state, options: states, onChange: (value: string) => onChange({ state: value as DeliveryFilters['state'] }) },
    { label: 'Event type', value: type, options: types, onChange: (value: string) => onChange({ type: value as DeliveryFilters['type'] }) },
    // Deliveries are kept for 30 days, so that range is the same as none.
    timeChoice({ time, onChange, kept }),
  ];
  return (
    <FilterChips label="Filter the deliveries" choices={choices} onClear={isNarrowed(filters) ? () => onChange(noFilters) : null}>
      {time === 'days' && <DayFields {...{ from, to, onChange }} />}
      <SearchField
        label="Event or resource ID"
        inRow
        placeholder="evt_…, ord_… or veh_…"
        error={incomplete && 'An ID is evt_, ord_ or veh_ followed by 26 characters.'}
        value={search}
        onChange={(value) => onChange({ search: value })}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </FilterChips>
  );
}

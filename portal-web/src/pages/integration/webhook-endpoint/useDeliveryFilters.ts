import { deliveryFacts } from '../../../../../server/domain/outbox/deliveryFacts.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { instantsOf } from '../../../features/audit/timeRanges.ts';
import type { VariablesOf } from '../../../graphql/graphql.ts';
import type { deliveriesQuery, DeliveryState } from '../../../features/webhook-deliveries/deliveryQueries.ts';
import type { EventType } from '../../../features/webhooks/webhookQueries.ts';
import { eventTypeWords } from '../../../features/webhooks/webhookWords.ts';

/** Which deliveries a list shows, kept in its page’s address so that it can be sent to a colleague. */
export type DeliveryFilters = {
  /** A state, or whatever was not delivered in whichever way. */
  state: DeliveryState | 'undelivered' | '';
  type: EventType | '';
  /** A range of time as `timeChoice` has it. */
  time: string;
  from: string;
  to: string;
  /** An event’s or a resource’s identifier, as it was typed. */
  search: string;
};

export const noFilters: DeliveryFilters = { state: '', type: '', time: '', from: '', to: '', search: '' };

/** The filters of an endpoint’s deliveries. */
export function useDeliveryFilters(): [DeliveryFilters, (changes: Partial<DeliveryFilters>) => void] {
  const [{ state, type, time, from, to, id }, change] = useUrlFilters(['state', 'type', 'time', 'from', 'to', 'id']);
  const filters: DeliveryFilters = {
    state: (state in deliveryFacts && state !== 'unknown') || state === 'undelivered' ? (state as DeliveryFilters['state']) : '',
    type: type in eventTypeWords ? (type as EventType) : '',
    time,
    from,
    to,
    search: id,
  };
  return [
    filters,
    (changes) => {
      const { search, ...others } = { ...filters, ...changes };
      change({ ...others, id: search });
    },
  ];
}

/** Whether the reader has narrowed the list. */
export function isNarrowed({ state, type, time, search }: DeliveryFilters): boolean {
  return [state, type, time, search].some((value) => value !== '');
}

/** The identifiers by which deliveries can be found. */
export function subjectOf(search: string): { eventId: string } | { resourceId: string } | null {
  if (/^evt_[0-9a-z]{26}$/.test(search)) return { eventId: search };
  return /^(ord|veh)_[0-9a-z]{26}$/.test(search) ? { resourceId: search } : null;
}

/** A page of the deliveries that fit. */
export function deliveryPage(
  endpointId: string,
  filters: DeliveryFilters,
  now: Date,
  after: string | null,
): VariablesOf<typeof deliveriesQuery> {
  return { endpointId, ...filterOf(filters, now), first: 50, after };
}

/** The filter as the service takes it. */
function filterOf({ state, type, search, ...times }: DeliveryFilters, now: Date) {
  const subject = subjectOf(search);
  const { from, to } = instantsOf(times, now);
  return {
    states: state === '' || state === 'undelivered' ? null : [state],
    undelivered: state === 'undelivered' ? true : null,
    types: type === '' ? null : [type],
    from,
    to,
    eventId: subject && 'eventId' in subject ? subject.eventId : null,
    resourceId: subject && 'resourceId' in subject ? subject.resourceId : null,
  };
}

/** The same filter for what waits, or null if the list shows nothing that waits, or only what one event or resource is about. */
export function waitingFilterOf({ state, ...filters }: DeliveryFilters, now: Date) {
  if ((state !== '' && (state === 'undelivered' || deliveryFacts[state].waitsFor !== 'attempt')) || filters.search !== '') return null;
  const { types, from, to } = filterOf({ state, ...filters }, now);
  return { types, from, to };
}

/**
 * The same filter for a replay, or null if the list shows nothing that a replay could choose: what is still under way or was discarded, or
 * what one event or resource is about, which is replayed by choosing it.
 */
export function replayFilterOf({ state, ...filters }: DeliveryFilters, now: Date) {
  if ((state !== '' && state !== 'undelivered' && !deliveryFacts[state].isReplayable) || filters.search !== '') return null;
  const { states, types, from, to, undelivered } = filterOf({ state, ...filters }, now);
  return { states, types, from, to, undelivered };
}

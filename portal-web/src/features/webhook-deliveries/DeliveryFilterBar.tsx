import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { DayFields } from '../audit/DayFields.tsx';
import { timeChoice } from '../audit/timeChoice.ts';
import { eventTypes, eventTypeWords } from '../webhooks/webhookWords.ts';
import { isNarrowed, noFilters, subjectOf, type DeliveryFilters } from './useDeliveryFilters.ts';

type DeliveryFilterBarProps = { filters: DeliveryFilters; onChange: (changes: Partial<DeliveryFilters>) => void };

const states = [
  { value: '', label: 'all' },
  { value: 'undelivered', label: 'never delivered' },
  ...Object.entries(deliveryFacts).map(([value, { word }]) => ({ value, label: word.toLowerCase() })),
];
const types = [{ value: '', label: 'all' }, ...eventTypes.map((value) => ({ value, label: eventTypeWords[value].name }))];
const kept = { days: '30', words: 'last 30 days' };

/** Which deliveries the list shows. */
export function DeliveryFilterBar({ filters, onChange }: DeliveryFilterBarProps) {
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

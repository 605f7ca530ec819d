import { TextInput } from '@mantine/core';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { timeRanges } from '../audit/timeRanges.ts';
import { eventTypes, eventTypeWords } from '../webhooks/webhookWords.ts';
import { deliveryStateWords } from './deliveryWords.ts';
import { isNarrowed, noFilters, subjectOf, type DeliveryFilters } from './useDeliveryFilters.ts';

type DeliveryFilterBarProps = { filters: DeliveryFilters; onChange: (changes: Partial<DeliveryFilters>) => void };

const states = [
  { value: '', label: 'all' },
  { value: 'undelivered', label: 'never delivered' },
  ...Object.entries(deliveryStateWords).map(([value, { word }]) => ({ value, label: word.toLowerCase() })),
];
const types = [{ value: '', label: 'all' }, ...eventTypes.map((value) => ({ value, label: eventTypeWords[value].name }))];
const times = timeRanges.map(({ value, label }) => ({ value, label: value === '' ? 'last 30 days' : label.toLowerCase() }));

/** Which deliveries the list shows. */
export function DeliveryFilterBar({ filters, onChange }: DeliveryFilterBarProps) {
  const { state, type, time, from, to, search } = filters;
  const incomplete = search !== '' && subjectOf(search) === null;
  const choices = [
    { label: 'State', value: state, options: states, onChange: (value: string) => onChange({ state: value as DeliveryFilters['state'] }) },
    { label: 'Event type', value: type, options: types, onChange: (value: string) => onChange({ type: value as DeliveryFilters['type'] }) },
    // Deliveries are kept for 30 days, so that range is the same as none.
    {
      label: 'Time',
      value: time,
      options: times.filter(({ value }) => value !== '30'),
      onChange: (value: string) => onChange({ time: value, from: '', to: '' }),
    },
  ];
  return (
    <FilterChips label="Filter the deliveries" choices={choices} onClear={isNarrowed(filters) ? () => onChange(noFilters) : null}>
      {time === 'days' && (
        <>
          <Day label="First day (UTC)" value={from} onChange={(value) => onChange({ from: value })} />
          <Day label="Last day (UTC)" value={to} onChange={(value) => onChange({ to: value })} />
        </>
      )}
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

function Day({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      aria-label={label}
      title={label}
      type="date"
      size="xs"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

import { Group, NativeSelect } from '@mantine/core';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { TimeFields } from '../audit/TimeFields.tsx';
import { subjectOf, type DeliveryFilters } from './useDeliveryFilters.ts';
import { eventTypes, eventTypeWords } from '../webhooks/webhookWords.ts';
import { deliveryStateWords } from './deliveryWords.ts';

type DeliveryFilterBarProps = { filters: DeliveryFilters; onChange: (changes: Partial<DeliveryFilters>) => void };

const states = [
  { value: '', label: 'All deliveries' },
  { value: 'undelivered', label: 'Never delivered' },
  ...Object.entries(deliveryStateWords).map(([value, { word }]) => ({ value, label: word })),
];
const types = [{ value: '', label: 'All types' }, ...eventTypes.map((value) => ({ value, label: eventTypeWords[value].name }))];

/** Which deliveries the list shows. */
export function DeliveryFilterBar({ filters: { state, type, time, from, to, search }, onChange }: DeliveryFilterBarProps) {
  const incomplete = search !== '' && subjectOf(search) === null;
  return (
    <Group gap="md" align="flex-start">
      <NativeSelect
        label="State"
        data={states}
        value={state}
        onChange={(event) => onChange({ state: event.currentTarget.value as DeliveryFilters['state'] })}
        flex="1 1 11rem"
      />
      <NativeSelect
        label="Event type"
        data={types}
        value={type}
        onChange={(event) => onChange({ type: event.currentTarget.value as DeliveryFilters['type'] })}
        flex="1 1 12rem"
      />
      <TimeFields {...{ time, from, to }} onChange={onChange} />
      <SearchField
        label="Event or resource ID"
        placeholder="evt_… or ord_…"
        error={incomplete && 'An ID is evt_, ord_ or veh_ followed by 26 characters.'}
        value={search}
        onChange={(value) => onChange({ search: value })}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </Group>
  );
}

import { Button, Group, NativeSelect } from '@mantine/core';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { statusesOf } from './resourceWords.ts';
import type { ResourceFilters } from './useResourceFilters.ts';

type Props = { filters: ResourceFilters; onChange: (change: Partial<ResourceFilters>) => void; types: readonly ('order' | 'vehicle')[] };

/** Filters the list of the test data's resources. */
export function ResourceFilterBar({ filters, onChange, types }: Props) {
  const statuses = (filters.type ? [filters.type] : types).flatMap((type) => statusesOf[type]);
  return (
    <Group gap="sm" align="flex-end">
      {types.length > 1 && (
        <NativeSelect
          label="Type"
          value={filters.type ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ type: (value || null) as ResourceFilters['type'], status: null })}
          data={[
            { value: '', label: 'Both' },
            { value: 'order', label: 'Orders' },
            { value: 'vehicle', label: 'Stock vehicles' },
          ]}
        />
      )}
      <NativeSelect
        label="Status"
        value={filters.status ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ status: value || null })}
        data={[{ value: '', label: 'Any' }, ...statuses]}
      />
      <SearchField label="ID" placeholder="ord_…" value={filters.id ?? ''} onChange={(value) => onChange({ id: value || null })} />
      {filters.connectionId && (
        <Button variant="default" onClick={() => onChange({ connectionId: null })}>
          Filtered by one connection: show all
        </Button>
      )}
    </Group>
  );
}

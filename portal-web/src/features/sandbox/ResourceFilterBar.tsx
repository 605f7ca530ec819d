import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { statusesOf } from './resourceWords.ts';
import type { ResourceFilters } from './useResourceFilters.ts';

type Props = { filters: ResourceFilters; onChange: (change: Partial<ResourceFilters>) => void; types: readonly ('order' | 'vehicle')[] };

const pause = 300;

/** Narrows the list of synthetic resources. */
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
      <IdFilter key={filters.id === null ? 'none' : 'some'} value={filters.id} onChange={(id) => onChange({ id })} />
      {filters.connectionId && (
        <Button variant="default" onClick={() => onChange({ connectionId: null })}>
          One connection only: show all
        </Button>
      )}
    </Group>
  );
}

/** Asks a moment after the last key. */
function IdFilter({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const [text, setText] = useState(value ?? '');
  useEffect(() => {
    if (text === (value ?? '')) return;
    const timer = setTimeout(() => onChange(text.trim() || null), pause);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      label="ID"
      placeholder="ord_…"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      spellCheck={false}
      autoComplete="off"
    />
  );
}

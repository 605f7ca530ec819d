import { Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { RevocationPage } from './revocationsQuery.ts';
import type { DeletionFilters } from './useDeletionFilters.ts';

type Props = {
  filters: DeletionFilters;
  onChange: (change: Partial<DeletionFilters>) => void;
  counts: Pick<RevocationPage, 'outstandingCount' | 'overdueCount'> | undefined;
};

/** Chooses which revocations are listed, and in which order. */
export function DeletionFilterBar({ filters: { state, environment, order }, onChange, counts }: Props) {
  const narrow = useMediaQuery('(max-width: 30em)');
  const counted = (word: string, count: number | undefined) => (count === undefined ? word : `${word} (${count})`);
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label="State"
        orientation={narrow ? 'vertical' : 'horizontal'}
        fullWidth={narrow}
        w={narrow ? '100%' : undefined}
        value={state}
        onChange={(value) => onChange({ state: value })}
        data={[
          { value: 'outstanding', label: counted('Outstanding', counts?.outstandingCount) },
          { value: 'overdue', label: counted('Overdue', counts?.overdueCount) },
          { value: 'acknowledged', label: 'Acknowledged' },
        ]}
      />
      <NativeSelect
        aria-label="Environment"
        value={environment ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ environment: (value || null) as DeletionFilters['environment'] })}
        data={[
          { value: '', label: 'All environments' },
          { value: 'sandbox', label: 'Sandbox' },
          { value: 'production', label: 'Production' },
        ]}
      />
      {state !== 'acknowledged' && (
        <NativeSelect
          aria-label="Order"
          value={order}
          onChange={({ currentTarget: { value } }) => onChange({ order: value as DeletionFilters['order'] })}
          data={[
            { value: 'deadline', label: 'Nearest deadline first' },
            { value: 'newest', label: 'Newest first' },
          ]}
        />
      )}
    </Group>
  );
}

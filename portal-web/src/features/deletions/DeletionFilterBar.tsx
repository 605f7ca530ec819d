import { Button, Group, SegmentedControl } from '@mantine/core';
import type { RevocationPage } from './revocationsQuery.ts';
import type { DeletionFilters } from './useDeletionFilters.ts';

type Props = {
  filters: DeletionFilters;
  onChange: (change: Partial<DeletionFilters>) => void;
  page: Pick<RevocationPage, 'outstandingCount' | 'overdueCount'>;
};

/** Chooses which revocations are listed. */
export function DeletionFilterBar({ filters: { state, id }, onChange, page: { outstandingCount, overdueCount } }: Props) {
  if (id !== null) {
    return (
      <Group gap="sm">
        <Button variant="default" size="xs" onClick={() => onChange({ id: null })}>
          Only one revocation is shown: show all
        </Button>
      </Group>
    );
  }
  return (
    <SegmentedControl
      aria-label="State"
      size="xs"
      w="fit-content"
      maw="100%"
      value={state}
      onChange={(value) => onChange({ state: value })}
      data={[
        { value: 'outstanding', label: `Outstanding (${outstandingCount})` },
        { value: 'overdue', label: `Overdue (${overdueCount})` },
        { value: 'acknowledged', label: 'Done' },
      ]}
    />
  );
}

import { SegmentedControl } from '@mantine/core';
import { useZone } from './useZone.ts';

/** Whether times are in the reader’s zone or in UTC, everywhere in the portal. */
export function ZoneSwitch() {
  const [zone, change] = useZone();
  return (
    <SegmentedControl
      aria-label="Times"
      size="xs"
      data={[
        { value: 'local', label: 'Local' },
        { value: 'utc', label: 'UTC' },
      ]}
      value={zone}
      onChange={(chosen) => change(chosen === 'utc' ? 'utc' : 'local')}
    />
  );
}

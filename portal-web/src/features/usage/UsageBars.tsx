import { Text } from '@mantine/core';
import { Bars } from '../../ui/charts/Bars.tsx';
import { hourWords } from '../../ui/time/timeWords.ts';
import { hoursOf } from './hoursOf.ts';
import type { ClientFacts } from './usageQueries.ts';

/** The requests of the last 24 hours by the hour. */
export function UsageBars({ usage }: { usage: ClientFacts['usage'] }) {
  const bars = hoursOf(usage).map(({ from, sum, totals }) => ({
    name: `${hourWords(from)} UTC`,
    total: sum,
    failed: totals.refused + totals.failed,
  }));
  if (bars.every(({ total }) => total === 0)) {
    return (
      <Text size="sm" c="dimmed">
        No requests in the last 24 hours.
      </Text>
    );
  }
  return <Bars label="Requests in the last 24 hours" failedWord="refused or failed" bars={bars} />;
}

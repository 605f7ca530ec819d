import { Text } from '@mantine/core';
import { heightOf } from '../../ui/charts/heightOf.ts';
import { attemptOutcomeNames, countsWords, sumOf, totalsOf } from './attemptOutcomes.ts';
import classes from './DayBars.module.css';
import type { AttemptBucket } from '../webhooks/webhookQueries.ts';

/** The attempts of the last 24 hours as small bars, with the sums as words. The endpoint’s own page has the figures of each hour. */
export function DayBars({ buckets }: { buckets: readonly AttemptBucket[] }) {
  const highest = Math.max(1, ...buckets.map(sumOf));
  const words = countsWords(totalsOf(buckets), 'in the last 24 hours');
  return (
    <div>
      {buckets.some((bucket) => sumOf(bucket) > 0) && (
        <div className={classes.bars} aria-hidden>
          {buckets.map((bucket) => (
            <div key={bucket.from} className={classes.bar}>
              {attemptOutcomeNames.map((name) => (
                <div key={name} className={classes[name]} style={{ height: heightOf(bucket[name], highest) }} />
              ))}
            </div>
          ))}
        </div>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {words}.
      </Text>
    </div>
  );
}

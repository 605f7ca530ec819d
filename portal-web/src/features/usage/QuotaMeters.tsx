import { Progress, SimpleGrid, Text } from '@mantine/core';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import type { Quota } from './usageQueries.ts';

const words = {
  minute: { title: 'This minute', what: 'requests' },
  hour: { title: 'This hour', what: 'requests' },
  statistics: { title: 'Statistics, this hour', what: 'requests' },
  est: { title: 'Certificate renewal, this hour', what: 'requests' },
  redeem: { title: 'Link codes, this hour', what: 'redemptions' },
} as const;

/** What is left of each quota, as a bar and in words. */
export function QuotaMeters({ quotas }: { quotas: readonly Quota[] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="lg">
      {quotas.map((quota) => (
        <QuotaMeter key={quota.name} quota={quota} />
      ))}
    </SimpleGrid>
  );
}

function QuotaMeter({ quota: { name, limit, left, resetsAt, overridden, overrideExpiresAt } }: { quota: Quota }) {
  const { title, what } = words[name];
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Progress value={(left / limit) * 100} color={left === 0 ? 'red.8' : undefined} aria-label={`${title}: left of the quota`} my={6} />
      <Text size="sm">
        <strong>{left.toLocaleString('en')}</strong> of {limit.toLocaleString('en')} {what} left
      </Text>
      <Text size="xs" c="dimmed">
        {resetsAt ? (
          <>
            {left === 0 ? 'Used up. ' : ''}Resets <RelativeTime value={resetsAt} />
          </>
        ) : (
          'Unused; the window starts with the next call'
        )}
        {overridden && (
          <>
            . Approved override
            {overrideExpiresAt && (
              <>
                , ends <RelativeTime value={overrideExpiresAt} />
              </>
            )}
          </>
        )}
      </Text>
    </div>
  );
}

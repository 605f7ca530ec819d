import { Text } from '@mantine/core';
import { ErrorGroups } from './ErrorGroups.tsx';
import { QuotaLine } from './QuotaLine.tsx';
import { PageLoading } from '../../ui/states/PageLoading.tsx';
import classes from './RequestsTop.module.css';
import { UsageBars } from './UsageBars.tsx';
import type { ClientFacts, ErrorGroup } from './usageQueries.ts';

type RequestsTopProps = {
  /** Null until they have been read. */
  facts: ClientFacts | null;
  /** Whether the integration is retired, so that quotas no longer matter. */
  retired: boolean;
  toRequests: (group: ErrorGroup) => string;
};

/** Whether something is refused now, what is left of the quotas, and how many requests there were in a day. */
export function RequestsTop({ facts, retired, toRequests }: RequestsTopProps) {
  if (!facts) {
    return (
      <div className={classes.top} aria-busy>
        <div className={classes.waiting}>
          <PageLoading />
        </div>
      </div>
    );
  }
  const { groups, usage } = facts;
  return (
    <div className={classes.top}>
      <div className={classes.words}>
        <ErrorGroups groups={groups} lastRequestAt={usage.lastRequestAt} toRequests={toRequests} />
        {retired ? (
          <Text size="sm" c="dimmed">
            The integration is retired: every call is refused.
          </Text>
        ) : (
          <QuotaLine quotas={usage.quotas} />
        )}
      </div>
      <UsageBars usage={usage} />
    </div>
  );
}

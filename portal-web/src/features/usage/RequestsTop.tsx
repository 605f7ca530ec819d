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
  /** Why every call is refused, so that quotas do not matter; null where calls are answered. */
  refusedBecause: string | null;
  toRequests: (group: ErrorGroup) => string;
};

/** Whether something is refused now, what is left of the quotas, and how many requests there were in a day. */
export function RequestsTop({ facts, refusedBecause, toRequests }: RequestsTopProps) {
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
        {refusedBecause !== null && <Text fw={600}>{refusedBecause}</Text>}
        <ErrorGroups groups={groups} lastRequestAt={usage.lastRequestAt} {...{ refusedBecause, toRequests }} />
        {refusedBecause === null && <QuotaLine quotas={usage.quotas} />}
      </div>
      <UsageBars usage={usage} />
    </div>
  );
}

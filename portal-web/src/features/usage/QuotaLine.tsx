import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Time } from '../../ui/time/Time.tsx';
import classes from './QuotaLine.module.css';
import { isTight, quotaWords, shownQuotas } from './quotaWords.ts';
import type { Quota } from './usageQueries.ts';

/** What is left of the quotas now, in one line. One that is nearly used up says when it starts over. */
export function QuotaLine({ quotas }: { quotas: readonly Quota[] }) {
  return (
    <p className={classes.line}>
      Quota left:{' '}
      {shownQuotas(quotas).map((quota, index) => (
        <Fragment key={quota.name}>
          {index > 0 && ' · '}
          <span data-tight={isTight(quota) || undefined}>
            {isTight(quota) && <IconAlertTriangle size={14} aria-hidden />}
            {quotaWords(quota)}
            {isTight(quota) && quota.resetsAt && (
              <>
                , all again <Time value={quota.resetsAt} />
              </>
            )}
            {quota.overridden && ' (approved override)'}
          </span>
        </Fragment>
      ))}
    </p>
  );
}

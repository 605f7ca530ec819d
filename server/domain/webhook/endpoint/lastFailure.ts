import { deliveryLifecycle, waitsAtEndpoint } from '../../outbox/deliveryStatus.ts';
import type { Failed } from '../failureCause.ts';

/** A dead letter, and what its last attempt came to, as far as that is known. */
export type DeadLetter = { readonly at: Date; readonly failure: Failed | null };

const columns = 'd.number, d.attempts, d.reason';

/**
 * SQL: what the last attempt came to at something that the endpoint `p` has not received, and whether that is retried, as `f`: at the delivery that is tried again last, or at the
 * newest dead letter. Both ends of webhook_delivery_due and webhook_delivery_dead, and the primary key of webhook_attempt. Nothing is looked up for an
 * endpoint that is not `wanted`.
 */
export const lastFailureSql = (wanted = 'true'): string => `left join lateral (
  select d.reason, a.status, a.error, d.retried from (
    (select ${columns}, true as retried from webhook_delivery d where d.endpoint_number = p.number and ${deliveryLifecycle.isIn(['pending'], { row: 'd' })}
      order by d.next_attempt_at desc limit 1)
     union all
    (select ${columns}, false from webhook_delivery d where ${waitsAtEndpoint} order by d.finished_at desc limit 1)) d
    left join webhook_attempt a on a.delivery_number = d.number and a.number = d.attempts
   where ${wanted} and (d.attempts > 0 or d.reason is not null) order by a.started_at desc nulls last limit 1) f on true`;

/** SQL: what the last attempt at the newest dead letter of the endpoint `p` came to, as `l`. The end of webhook_delivery_dead, and the primary key of webhook_attempt. */
export const deadLetterSql = `left join lateral (
  select d.reason, d.finished_at, a.status, a.error
    from (select ${columns}, d.finished_at from webhook_delivery d where ${waitsAtEndpoint} order by d.finished_at desc limit 1) d
    left join webhook_attempt a on a.delivery_number = d.number and a.number = d.attempts) l on true`;

/** SQL: the columns of `l`, as `deadLetterOf` reads them. */
export const deadLetterColumns = `l.status as "deadStatus", l.error as "deadError", l.reason as "deadReason", l.finished_at as "deadAt"`;

export type DeadLetterRow = {
  readonly deadStatus: Failed['status'];
  readonly deadError: Failed['error'];
  readonly deadReason: NonNullable<Failed['reason']> | null;
  readonly deadAt: Date | null;
};

/** When the newest dead letter was given up, and why; null without one. */
export function deadLetterOf({ deadStatus: status, deadError: error, deadReason: reason, deadAt: at }: DeadLetterRow): DeadLetter | null {
  return at && { at, failure: status === null && error === null && reason === null ? null : { status, error, reason } };
}

/** SQL: the columns of `f`, as `lastFailureOf` reads them. */
export const lastFailureColumns = `f.status as "failureStatus", f.error as "failureError", f.reason as "failureReason"`;

export type LastFailureRow = {
  readonly failureStatus: Failed['status'];
  readonly failureError: Failed['error'];
  readonly failureReason: NonNullable<Failed['reason']> | null;
};

/** What the last failure was; null without one. */
export function lastFailureOf({ failureStatus: status, failureError: error, failureReason: reason }: LastFailureRow): Failed | null {
  return status === null && error === null && reason === null ? null : { status, error, reason };
}

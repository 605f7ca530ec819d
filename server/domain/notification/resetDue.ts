import { limits } from '../shared/limits.ts';

/** The moment before which a reset must have been due to be out of time at `now`. */
export const outOfTime = (now: Date): Date => new Date(now.getTime() - limits.accountResetUsable);

/**
 * Whether the account `o` can be reset at the moment `$2`; `$3` is `outOfTime` of it. A locked account stays as it is. It stands here because
 * the link that such an account gets is written when the email is sent.
 */
export const resetDueSql = `(o.locked_at is null and exists (select 1 from account_reset r where r.operator_id = o.id
    and r.cancelled_at is null and r.done_at is null and r.due_at <= $2 and r.due_at > $3))`;

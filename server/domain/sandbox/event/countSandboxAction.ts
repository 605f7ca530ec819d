import { noteLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { secondsUntil } from '../../shared/secondsUntil.ts';
import { sql } from '../../shared/sql.ts';

const hour = 3_600_000;

/** Primary key of sandbox_actions. The hour begins with its first action. The row stays locked until the commit. */
const countSql = `
insert into sandbox_actions as a (client_number, window_start, count) values ($1, $2, 1)
on conflict (client_number) do update set window_start = case when a.window_start <= $3 then $2 else a.window_start end,
  count = case when a.window_start <= $3 then 1 else a.count + 1 end
returning window_start as "windowStart", count`;

/**
 * Counts an operator's actions in a sandbox, across all processes. An action that is refused later is rolled back and does not count.
 * Errors: rate_limit_exceeded (300 an hour).
 */
export async function countSandboxAction(tx: EntityManager, clientNumber: number, now: Date): Promise<void> {
  noteLock(tx, 'sandboxActions');
  const [row] = await sql<{ windowStart: Date; count: number }>(tx, countSql, [clientNumber, now, new Date(now.getTime() - hour)]);
  if (!row || row.count <= limits.sandboxActionsPerHour) return;
  throw new DomainError('rate_limit_exceeded', {
    detail: `A sandbox allows at most ${limits.sandboxActionsPerHour} actions an hour.`,
    retryAfterSeconds: secondsUntil(new Date(row.windowStart.getTime() + hour), now),
  });
}

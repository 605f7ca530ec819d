import { locking, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { accountLimits } from '../accountLimits.ts';
import type { AuthenticatedSession } from './authenticateSession.ts';

/** A fresh confirmation: until when it is valid, and the generation of the cookie with which it is valid. */
export type Confirmation = { readonly confirmedUntil: Date; readonly generation: number };

type Row = { readonly generation: number; readonly seen: boolean };

/**
 * The generation rises with the confirmation, unless the cookie is not the browser's own (a request in progress) or so new that it has not
 * come back yet: two new generations at once would make every request in progress look like an outdated copy.
 */
const confirmSql = locking(
  'session',
  'no key update',
  (clause) => `
update portal_session s
   set confirmed_until = $2, generation = s.generation + r.step, confirmed_generation = s.generation + r.step,
       rotated_at = case when r.step = 1 then $3 else s.rotated_at end,
       generation_confirmed_at = case when r.step = 1 then null else s.generation_confirmed_at end
  from (select id, case when generation = $4 and (generation = 0 or generation_confirmed_at is not null) then 1 else 0 end as step
          from portal_session where id = $1 and ended_at is null ${clause}) r
 where s.id = r.id
returning s.generation, s.generation_confirmed_at is not null as seen`,
);

/**
 * Marks the session as freshly confirmed for five minutes, in the caller's transaction. From then on, only the cookie of the returned
 * generation is confirmed, and a copy of the former one is not. A secret of its own for the confirmation would be a second cookie with the
 * same exposure. Until the new cookie has come back once, the previous one is still exchanged for it, because the answer may have been
 * lost. Errors: unauthenticated (the session has ended meanwhile).
 */
export async function confirmSession(tx: EntityManager, session: AuthenticatedSession, now: Date): Promise<Confirmation> {
  const confirmedUntil = new Date(now.getTime() + accountLimits.freshPasskey);
  const [row] = await takeLock<Row>(tx, confirmSql, [session.id, confirmedUntil, now, session.generation]);
  if (!row) throw new DomainError('unauthenticated', { detail: 'This session has ended. Sign in again to continue.' });
  const givesNext = !row.seen && row.generation <= session.generation + 1;
  return { confirmedUntil, generation: givesNext ? row.generation : session.generation };
}

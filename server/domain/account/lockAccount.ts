import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';

/**
 * Keeps every other change of the account's credentials waiting until the transaction ends. Only then is the session looked at again:
 * a recovery that came first has ended it. Errors: unauthenticated.
 */
export async function lockAccount(tx: EntityManager, { operatorId, sessionId }: { operatorId: string; sessionId: string }): Promise<void> {
  await sql(tx, 'select 1 from operator where id = $1 for no key update', [operatorId]);
  const live = await sql(tx, 'select 1 from portal_session where id = $1 and operator_id = $2 and ended_at is null', [
    sessionId,
    operatorId,
  ]);
  if (live.length === 0) throw new DomainError('unauthenticated', { detail: 'This session has ended. Sign in again to go on.' });
}

/**
 * Keeps the account from being deleted until the transaction ends, for what a deletion would otherwise miss: a new integration.
 * Errors: unauthenticated (the account was deleted meanwhile).
 */
export async function holdAccount(tx: EntityManager, operatorId: string): Promise<void> {
  const held = await sql(tx, 'select 1 from operator where id = $1 and deleted_at is null for share', [operatorId]);
  if (held.length === 0) throw new DomainError('unauthenticated', { detail: 'This account was deleted.' });
}

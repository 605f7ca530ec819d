import { locking, lockRow, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';

type Lock = {
  operatorId: string;
  sessionId: string;
  /** For commands that need a fresh passkey confirmation: the moment at which it must be valid. */
  confirmedAt?: Date;
};

/**
 * Makes every other change of the account's credentials wait until the transaction ends, and only then reads the session again: a recovery
 * that came first has ended it, and the removal of a passkey has withdrawn what that passkey confirmed. Errors: unauthenticated,
 * fresh_passkey_required.
 */
export async function lockCredentials(tx: EntityManager, { operatorId, sessionId, confirmedAt }: Lock): Promise<void> {
  await lockRow(tx, 'operator', operatorId);
  const [live] = await sql<{ confirmed: boolean | null }>(
    tx,
    'select confirmed_until > $3 as confirmed from portal_session where id = $1 and operator_id = $2 and ended_at is null',
    [sessionId, operatorId, confirmedAt ?? null],
  );
  if (!live) throw new DomainError('unauthenticated', { detail: 'This session has ended. Sign in again to continue.' });
  if (confirmedAt && live.confirmed !== true) {
    throw new DomainError('fresh_passkey_required', { detail: 'Confirm with your passkey to continue.' });
  }
}

const holdSql = locking('operator', 'share', (clause) => `select 1 from operator where id = $1 and deleted_at is null ${clause}`);

/**
 * Keeps the account from being deleted until the transaction ends, because a deletion would miss what the transaction creates: a new
 * integration, or the address of an acceptance. Errors: unauthenticated (the account was deleted meanwhile).
 */
export async function holdAccount(tx: EntityManager, operatorId: string): Promise<void> {
  const held = await takeLock(tx, holdSql, [operatorId]);
  if (held.length === 0) throw new DomainError('unauthenticated', { detail: 'This account was deleted.' });
}

import { locking, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { emailKey } from './emailAddress.ts';
import { Operator } from './Operator.ts';

/** An account by its ID, or on the terminal by its address. */
export type NamedAccount = { readonly operatorId: string } | { readonly email: string };

/**
 * The account, locked until the end of the transaction and read under the lock, or null if there is none. Rows that only refer to it can
 * still be written, because a reviewer who works on a submission holds the submission and then needs this row.
 */
export async function lockNamedAccount(tx: EntityManager, whose: NamedAccount): Promise<Operator | null> {
  const column = 'operatorId' in whose ? 'id' : 'email_key';
  const value = 'operatorId' in whose ? whose.operatorId : emailKey(whose.email.trim());
  const lock = locking(
    'operator',
    'no key update',
    (clause) => `select id from operator where ${column} = $1 and deleted_at is null ${clause}`,
  );
  const [row] = await takeLock<{ id: string }>(tx, lock, [value]);
  return row ? tx.findOneOrFail(Operator, { id: row.id }, { refresh: true }) : null;
}

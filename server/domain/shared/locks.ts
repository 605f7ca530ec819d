import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from './sql.ts';

/**
 * Every lock that lasts until the end of a transaction, in the order in which all transactions take them: a transaction that holds one takes only the
 * same or later ones, so no two transactions wait for each other. One statement locks several rows of a kind, in the order of their keys.
 *
 * A new row locks the rows that it refers to `for key share`, in no order. So a row that others refer to is locked `for no key update`,
 * which lets them through, unless it is about to be deleted. An operator's address is a key: changing or removing it blocks even new
 * references, so it is written after all other locks have been taken.
 */
export const lockOrder = [
  /** Advisory. Changes of roles, locks of accounts and deletions take turns. */
  'administrators',
  /** A transaction that holds it may change the account's passkeys, sessions, recovery codes and address. */
  'operator',
  /** Rows of verification_link. */
  'verificationLink',
  /** Rows of attempt_window, in the order of `mailboxAttempts`. */
  'attempt',
  'passkey',
  'session',
  'integration',
  'submission',
  'agreement',
  /** Advisory. Shared by what depends on an acceptance, exclusive for a publication. */
  'terms',
  /** The row that counts a sandbox's actions. */
  'sandboxActions',
  /** Advisory, one for each environment. Shared by batches of upserts, exclusive for an erasure. */
  'batches',
  /** Advisory, one for each user. Shared by what makes link codes, exclusive for what has to reach all of them. */
  'user',
  'corpus',
  'linkCode',
  'trackedResource',
  'client',
  /** A transaction that holds it may change the endpoint, but not what the workers write about its deliveries. */
  'webhookEndpoint',
  /** Advisory, one for each endpoint. Replays to an endpoint take turns. */
  'webhookReplay',
  /** A transaction that holds it may make the authority's next revocation list, and mark the certificates that it names. */
  'authority',
  'certificate',
  /** The package with a certificate's key. */
  'p12Package',
  /** A transaction that holds it may write the client's connections and shares, and revoke them. */
  'feed',
  'revocation',
  /** Rows of review_evidence. */
  'evidence',
  /**
   * In the order of their numbers, as the workers write their results. So one transaction locks them with one statement: a second one could begin
   * with a smaller number.
   */
  'webhookDelivery',
  // Nobody takes another lock with these.
  'serviceGate',
  'serviceToken',
  'authorities',
  /** Advisory. Changes of the keys that sign deliveries take turns. */
  'signingKeys',
  /** Rows of key_ring_entry. */
  'keyRing',
] as const;
type Lock = (typeof lockOrder)[number];

type Strength = 'update' | 'no key update' | 'share' | 'key share';

/** A statement that locks rows. Only `takeLock` runs it. */
type LockingStatement = { readonly lock: Lock; readonly text: string };

/** `write` puts the locking clause where it belongs; ` of` names the rows to lock where the statement joins others. */
export function locking(lock: Lock, strength: Strength | `${Strength} of ${string}`, write: (clause: string) => string): LockingStatement {
  return { lock, text: write(`for ${strength}`) };
}

/** Runs a statement that locks rows until the end of the transaction. */
export function takeLock<Row>(tx: EntityManager, { lock, text }: LockingStatement, parameters: readonly unknown[] = []): Promise<Row[]> {
  noteLock(tx, lock);
  return sql<Row>(tx, text, parameters);
}

const tables = {
  operator: 'operator',
  submission: 'review_submission',
  agreement: 'commercial_agreement',
  serviceToken: 'service_token',
} as const satisfies Partial<Record<Lock, string>>;

/** Locks the row with this id, if there is one. */
export async function lockRow(tx: EntityManager, lock: keyof typeof tables, id: string): Promise<void> {
  await takeLock(
    tx,
    locking(lock, 'no key update', (clause) => `select 1 from ${tables[lock]} where id = $1 ${clause}`),
    [id],
  );
}

/** The key of each advisory lock; `$1` is the part of it that is locked. */
const advisoryKeys = {
  administrators: `hashtext('operator-integration-service.administrators')`,
  terms: `hashtext('operator-integration-service.terms'), 0`,
  batches: `hashtext('operator-integration-service.batches'), hashtext($1)`,
  user: '$1::bigint',
  webhookReplay: `hashtext('operator-integration-service.webhook_replay'), $1::int`,
  authorities: `hashtext('operator-integration-service.authorities')`,
  signingKeys: `hashtext('operator-integration-service.signing-keys')`,
} as const satisfies Partial<Record<Lock, string>>;

/** Locks what is not a row, together with others (`shared`) or alone (`exclusive`). */
export async function lockAdvisory(
  tx: EntityManager,
  lock: keyof typeof advisoryKeys,
  mode: 'shared' | 'exclusive',
  ...part: readonly string[]
): Promise<void> {
  noteLock(tx, lock);
  const take = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await sql(tx, `select ${take}(${advisoryKeys[lock]})`, part);
}

/** Notes a lock that the next statement takes by writing: an update, or an insert that may conflict with another transaction's row. */
export function noteLock(tx: EntityManager, lock: Lock): void {
  const transaction = watching ? tx.getTransactionContext<object>() : undefined;
  if (!transaction) return;
  const last = latest.get(transaction) ?? lock;
  if (lockOrder.indexOf(lock) < lockOrder.indexOf(last)) {
    throw new Error(`The lock “${lock}” is taken after “${last}”, against the order in shared/locks.ts.`);
  }
  latest.set(transaction, lock);
}

/** The last lock in the order that a transaction has taken. */
const latest = new WeakMap<object, Lock>();
let watching = false;

/** For tests: from now on, taking a lock against the order throws. */
export function watchLockOrder(): void {
  watching = true;
}

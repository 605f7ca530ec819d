import { locking, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import type { Environment } from '../shared/environment.ts';

type LockedClient = {
  readonly number: number;
  readonly id: string;
  readonly environment: Environment;
  readonly integrationId: string;
  readonly operatorId: string;
};

const lockSql = locking(
  'client',
  'no key update of k',
  (clause) =>
    `select k.number, k.id, k.environment, i.id as "integrationId", i.operator_id as "operatorId"
       from client k join integration i on i.id = k.integration_id where k.id = $1 ${clause}`,
);

/** Locks a client until the end of the transaction, no matter who owns it: for administrators. Errors: not_found. */
export async function lockClient(tx: EntityManager, clientId: string): Promise<LockedClient> {
  const [client] = await takeLock<LockedClient>(tx, lockSql, [clientId]);
  if (!client) throw new DomainError('not_found', { detail: 'There is no such client.' });
  return client;
}

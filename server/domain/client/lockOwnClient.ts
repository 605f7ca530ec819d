import type { EntityManager } from '@mikro-orm/postgresql';
import type { IntegrationStatus } from '../integration/integrationStatus.ts';
import { locking, takeLock } from '../shared/locks.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import type { Environment } from '../shared/environment.ts';
import { sql } from '../shared/sql.ts';
import { commonNameOf } from './commonName.ts';

/** A locked client, and what commands on it need to know about its integration. */
export type LockedClient = {
  number: number;
  id: string;
  environment: Environment;
  integrationId: string;
  integrationStatus: IntegrationStatus;
  commonName: string;
};

const lockSql = locking(
  'client',
  'no key update of k',
  (clause) => `select 1 from client k join integration i on i.id = k.integration_id where k.id = $1 and i.operator_id = $2 ${clause}`,
);

/**
 * Locks one of the actor's clients until the end of the transaction. Another operator's client is not_found, like one that never existed.
 */
export async function lockOwnClient(tx: EntityManager, actor: OperatorActor, clientId: string): Promise<LockedClient> {
  await takeLock(tx, lockSql, [clientId, actor.operatorId]);
  // A statement of its own: the lock may have waited for a retirement, which the earlier snapshot does not show.
  return seeOwnClient(tx, actor, clientId);
}

/** The same without the lock, for what can be refused before it: all of it but the names may change until the client is locked. */
export async function seeOwnClient(em: EntityManager, actor: OperatorActor, clientId: string): Promise<LockedClient> {
  const [client] = await sql<Omit<LockedClient, 'commonName'>>(
    em,
    `select k.number, k.id, k.environment, i.id as "integrationId", i.status as "integrationStatus"
       from client k join integration i on i.id = k.integration_id where k.id = $1 and i.operator_id = $2`,
    [clientId, actor.operatorId],
  );
  if (!client) throw new DomainError('not_found', { detail: 'There is no such client.' });
  return { ...client, commonName: commonNameOf(client) };
}

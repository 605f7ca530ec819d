import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';

type LockedClient = { readonly no: number; readonly id: string; readonly integrationId: string; readonly operatorId: string };

/** Locks a client until the end of the transaction, whoever owns it: for administrators. Errors: not_found. */
export async function lockClient(tx: EntityManager, clientId: string): Promise<LockedClient> {
  const [client] = await sql<LockedClient>(
    tx,
    `select k.no, k.id, i.id as "integrationId", i.operator_id as "operatorId"
       from client k join integration i on i.id = k.integration_id where k.id = $1 for no key update of k`,
    [clientId],
  );
  if (!client) throw new DomainError('not_found', { detail: 'There is no such client.' });
  return client;
}

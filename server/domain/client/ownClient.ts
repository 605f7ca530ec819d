import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import type { Environment } from './Client.ts';

export type OwnClient = { readonly no: number; readonly id: string; readonly environment: Environment };

/** A client of the operator's own by its id. Another's is not_found, like one that never was. */
export async function ownClient(em: EntityManager, operatorId: string, clientId: string): Promise<OwnClient> {
  const [client] = await sql<OwnClient>(
    em,
    `select k.no, k.id, k.environment from client k join integration i on i.id = k.integration_id where k.id = $1 and i.operator_id = $2`,
    [clientId, operatorId],
  );
  if (!client) throw new DomainError('not_found', { detail: 'There is no such client.' });
  return client;
}

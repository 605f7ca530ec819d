import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import type { Environment } from '../shared/environment.ts';
import { sql } from '../shared/sql.ts';

type OwnClient = { readonly number: number; readonly id: string; readonly environment: Environment };

/** Who looks at a client's list. */
export type ClientReader = Pick<OperatorActor, 'operatorId' | 'roles'>;

const clientSql = `
select k.number, k.id, k.environment from client k join integration i on i.id = k.integration_id
 where k.id = $1 and ($2::text is null or i.operator_id = $2)`;

/** One of the operator's clients by its ID. Another operator's is not_found, like one that never existed. */
export async function ownClient(em: EntityManager, operatorId: string, clientId: string): Promise<OwnClient> {
  return found(await sql<OwnClient>(em, clientSql, [clientId, operatorId]));
}

/**
 * A client whose certificates and requests the reader may see: one of their own, or for administrators any. Otherwise it is not_found, like
 * one that never existed. The log holds no address, path or body, so nothing is withheld from administrators. Commands that change
 * something use `ownClient`.
 */
export async function readableClient(em: EntityManager, { operatorId, roles }: ClientReader, clientId: string): Promise<OwnClient> {
  const owner = roles.includes('administrator') ? null : operatorId;
  return found(await sql<OwnClient>(em, clientSql, [clientId, owner]));
}

function found([client]: readonly OwnClient[]): OwnClient {
  if (!client) throw new DomainError('not_found', { detail: 'There is no such client.' });
  return client;
}

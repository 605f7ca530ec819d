import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { Integration } from './Integration.ts';

/**
 * An integration, locked until the end of the transaction and read under the lock. Rows that only refer to it can still be written. An
 * owner's lock finds none but their own. Errors: not_found.
 */
export async function lockIntegration(tx: EntityManager, integrationId: string, ownerId?: string): Promise<Integration> {
  const lock = 'select 1 from integration where id = $1 and operator_id = coalesce($2, operator_id) for no key update';
  await sql(tx, lock, [integrationId, ownerId ?? null]);
  const integration = await tx.findOne(
    Integration,
    { id: integrationId, ...(ownerId !== undefined && { operatorId: ownerId }) },
    { refresh: true },
  );
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  return integration;
}

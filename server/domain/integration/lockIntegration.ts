import { locking, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { Integration } from './Integration.ts';

const lockSql = locking(
  'integration',
  'no key update',
  (clause) => `select 1 from integration where id = $1 and operator_id = coalesce($2, operator_id) ${clause}`,
);

/**
 * An integration, locked until the end of the transaction and read under the lock. Rows that only refer to it can still be written. With an
 * `ownerId`, only that owner's integrations are found. Errors: not_found.
 */
export async function lockIntegration(tx: EntityManager, integrationId: string, ownerId?: string): Promise<Integration> {
  await takeLock(tx, lockSql, [integrationId, ownerId ?? null]);
  const integration = await tx.findOne(
    Integration,
    { id: integrationId, ...(ownerId !== undefined && { operatorId: ownerId }) },
    { refresh: true },
  );
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  return integration;
}

/** Locks several integrations, in the order of their IDs. */
export async function lockIntegrations(tx: EntityManager, ids: readonly string[]): Promise<Integration[]> {
  const locked: Integration[] = [];
  for (const id of [...ids].sort()) locked.push(await lockIntegration(tx, id));
  return locked;
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';

/** Primary keys of shared_resource and tracked_resource. */
const findFixtureSql = `
select t.id, s.revocation_id is not null as revoked
  from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id and t.synthetic_for = s.client_number
 where s.client_number = $1 and s.id = $2`;

/**
 * The resource of the sandbox corpus behind a live share. Everything else that is shared in the sandbox belongs to the order-tracking
 * service's tooling alone, so it is not_found, as is another client's resource. A revoked one is a conflict, because its client must not
 * learn of it any more.
 */
export async function findFixture(tx: EntityManager, clientNumber: number, resourceId: string): Promise<string> {
  const [found] = await sql<{ id: string; revoked: boolean }>(tx, findFixtureSql, [clientNumber, resourceId]);
  if (!found) throw new DomainError('not_found', { detail: 'There is no such resource in this sandbox.' });
  if (found.revoked)
    throw new DomainError('conflict', { detail: 'This resource has been revoked, so no sync will show further changes to it.' });
  return found.id;
}

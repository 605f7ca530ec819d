import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';

/** Primary keys of shared_resource and tracked_resource. */
const findFixtureSql = `
select t.id, s.revocation_id is not null as revoked
  from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id and t.synthetic_for = s.client_no
 where s.client_no = $1 and s.id = $2`;

/**
 * The resource of the sandbox corpus behind a live share. Whatever else is shared in the sandbox belongs to the order-tracking service's
 * tooling alone: not_found, as is another client's. A revoked one is a conflict: its client must not hear of it any more.
 */
export async function findFixture(tx: EntityManager, clientNo: number, resourceId: string): Promise<string> {
  const [found] = await sql<{ id: string; revoked: boolean }>(tx, findFixtureSql, [clientNo, resourceId]);
  if (!found) throw new DomainError('not_found', { detail: 'There is no such resource in this sandbox.' });
  if (found.revoked)
    throw new DomainError('conflict', { detail: 'This resource has been revoked, so no sync will show further changes to it.' });
  return found.id;
}

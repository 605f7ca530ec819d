import { lockAdvisory } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';

const administersSql = `select 1 from operator where id = $1 and roles @> '{administrator}' and deleted_at is null and locked_at is null`;
const otherAdministratorSql = `
  select 1 from operator where roles @> '{administrator}' and roles <> '{}' and deleted_at is null and locked_at is null and id <> $1 limit 1`;

/**
 * For everything that gives roles or removes an administrator: two administrators who withdraw each other's role, or leave, wait for each
 * other.
 */
export async function lockAdministrators(tx: EntityManager): Promise<void> {
  await lockAdvisory(tx, 'administrators', 'exclusive');
}

/** Whether the account is an administrator now, whatever its session said when the request began. Under `lockAdministrators`. */
export async function administers(tx: EntityManager, operatorId: string): Promise<boolean> {
  return (await sql(tx, administersSql, [operatorId])).length > 0;
}

/** Throws `conflict` if this account is an administrator and there is no other. Under `lockAdministrators`. */
export async function refuseLastAdministrator(tx: EntityManager, operatorId: string): Promise<void> {
  if (!(await administers(tx, operatorId)) || (await sql(tx, otherAdministratorSql, [operatorId])).length > 0) return;
  throw new DomainError('conflict', { detail: 'This is the last administrator. Give the role to another account first.' });
}

/**
 * The session's roles date from when the request began. Before rights are given or withdrawn, they are read again under the lock. The
 * server's own terminal needs none. Errors: forbidden.
 */
export async function refuseUnlessAdministrator(tx: EntityManager, actor: Actor): Promise<void> {
  if (actor.type === 'system') return;
  await lockAdministrators(tx);
  if (actor.type === 'operator' && (await administers(tx, actor.operatorId))) return;
  throw new DomainError('forbidden', { detail: 'This operation needs the role administrator.' });
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';

// Two administrators who withdraw each other's role, or leave, take turns.
const lockAdministratorsSql = `select pg_advisory_xact_lock(hashtext('operator-integration-service.administrators'))`;
const otherAdministratorSql = `
  select 1 from operator where roles @> '{administrator}' and roles <> '{}' and deleted_at is null and id <> $1 limit 1`;

/** Before the account's row is locked, by everything that takes an administrator away. */
export async function lockAdministrators(tx: EntityManager): Promise<void> {
  await sql(tx, lockAdministratorsSql);
}

/** Throws `conflict` when there is no administrator beside this one. */
export async function refuseLastAdministrator(tx: EntityManager, operatorId: string): Promise<void> {
  if ((await sql(tx, otherAdministratorSql, [operatorId])).length > 0) return;
  throw new DomainError('conflict', { detail: 'This is the last administrator. Give the role to another account first.' });
}

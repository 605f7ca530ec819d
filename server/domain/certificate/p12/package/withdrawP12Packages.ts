import type { EntityManager } from '@mikro-orm/postgresql';
import { noteLock } from '../../../shared/locks.ts';
import { sql } from '../../../shared/sql.ts';
import { p12Lifecycle } from './p12Status.ts';

const withdrawSql = `
update p12_package set ${p12Lifecycle.sets('withdrawP12', { sealed: 'null', endedAt: '$2' })}
 where certificate_id = any($1::text[]) and ${p12Lifecycle.mayStart('withdrawP12')}`;

/**
 * Ends what waits for a claim under these certificates and removes its bytes. Anyone who revokes certificates calls it in the same transaction,
 * after locking them; for certificates without a package it does nothing.
 */
export async function withdrawP12Packages(tx: EntityManager, certificateIds: readonly string[], now: Date): Promise<void> {
  noteLock(tx, 'p12Package');
  await sql(tx, withdrawSql, [[...certificateIds], now]);
}

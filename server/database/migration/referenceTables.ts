import { createHash } from 'node:crypto';
import type pg from 'pg';
import { statusFactRows } from '../../domain/integration/integrationStatus.ts';

/**
 * Tables whose rows are constants of the code, so that the functions of the schema's owner ask what the code decides instead of deciding it again.
 * Nobody else reads them.
 */
const referenceTables: Readonly<Record<string, readonly object[]>> = {
  integration_status_facts: statusFactRows(),
};

/** What the table `migration` calls the rows of this release, so that a process notices if they were never written. */
export const referenceRows = `reference/${createHash('sha256').update(JSON.stringify(referenceTables)).digest('hex').slice(0, 16)}`;

export function areReferenceRows(name: string): boolean {
  return name.startsWith('reference/');
}

/** Replaces the rows of all reference tables by those of this release, in one transaction. The session is the owner's. */
export async function fillReferenceTables(session: pg.ClientBase): Promise<void> {
  await session.query('begin');
  try {
    for (const [table, rows] of Object.entries(referenceTables)) {
      await session.query(`delete from ${table}`);
      await session.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [JSON.stringify(rows)]);
    }
    await session.query("insert into migration (name, checksum) values ($1, '') on conflict do nothing", [referenceRows]);
    await session.query('commit');
  } catch (error) {
    await session.query('rollback').catch(() => {});
    throw error;
  }
}

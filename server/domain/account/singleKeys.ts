import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/** Whether single keys do something on this operator’s pages. */
export async function singleKeys(em: EntityManager, operatorId: string): Promise<boolean> {
  const [row] = await sql<{ on: boolean }>(em, 'select single_keys as on from operator where id = $1', [operatorId]);
  return row?.on ?? true;
}

/** Switches them on or off. It is no more than a preference, so the audit trail does not name it. */
export async function setSingleKeys(em: EntityManager, { operatorId, on }: { operatorId: string; on: boolean }): Promise<boolean> {
  await sql(em, 'update operator set single_keys = $2 where id = $1', [operatorId, on]);
  return on;
}

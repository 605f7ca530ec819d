import type { EntityManager } from '@mikro-orm/postgresql';
import { instant } from '../shared/instant.ts';
import { sql } from '../shared/sql.ts';

/** A gate as it stands. `reason` and `changedAt` are null where nobody has changed it yet. */
export type ProductionGate = { readonly open: boolean; readonly reason: string | null; readonly changedAt: Date | null };

/** The gate of the whole service: the one row of its table. */
export async function serviceGate(em: EntityManager): Promise<ProductionGate> {
  const [row] = await sql<{ open: boolean; reason: string; changedAt: string }>(
    em,
    `select production_data_enabled as open, reason, ${instant('changed_at')} as "changedAt" from service_gate`,
  );
  if (!row) throw new Error('The service has no gate.');
  return { ...row, changedAt: new Date(row.changedAt) };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/** A gate as it stands. `reason` and `changedAt` are null where nobody has changed it yet. */
export type ProductionGate = { readonly open: boolean; readonly reason: string | null; readonly changedAt: Date | null };

/**
 * Since when production data is stopped by a closed gate: the integration's own, the service's, or, of two, the one that was closed first.
 * Null while both are open, and where the own one has never been open.
 */
export function closedSince(
  own: Pick<ProductionGate, 'open' | 'changedAt'>,
  service: Pick<ProductionGate, 'open' | 'changedAt'>,
): Date | null {
  if (own.open) return service.open ? null : service.changedAt;
  if (service.open || own.changedAt === null || service.changedAt === null) return own.changedAt;
  return service.changedAt < own.changedAt ? service.changedAt : own.changedAt;
}

/** The gate of the whole service: the one row of its table. */
export async function serviceGate(em: EntityManager): Promise<ProductionGate> {
  const [row] = await sql<{ open: boolean; reason: string; changedAt: Date }>(
    em,
    `select production_data_enabled as open, reason, changed_at as "changedAt" from service_gate`,
  );
  if (!row) throw new Error('The service has no gate.');
  return row;
}

import { webhookLimits } from '../../outbox/webhookLimits.ts';
import type { Query } from '../../shared/query.ts';
import { comeForwardSql } from './waiting.sql.ts';

/**
 * Brings forward one slice of what waits for an endpoint that takes deliveries again, scattered over some seconds (docs/specification.md,
 * “Trying now”). A wait that the receiver itself has asked for is kept. Returns how many; fewer than a slice is all of them.
 */
export async function comeForward(query: Query, { endpointNumber, now }: { endpointNumber: number; now: number }): Promise<number> {
  const { slice, spread } = webhookLimits.webhookComeForward;
  const [row] = await query<{ count: number }>(comeForwardSql, [now, spread, endpointNumber, slice]);
  return row?.count ?? 0;
}

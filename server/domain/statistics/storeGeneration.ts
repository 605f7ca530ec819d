import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { emitEvent } from '../outbox/emitEvent.ts';
import { recheckDeliveries } from '../outbox/wakePump.ts';
import type { OrderStatistics } from './orderStatistics.ts';
import { forgetFormerBasesSql, insertGenerationSql } from './publishStatisticsGeneration.sql.ts';

/** A generous estimate of what the answer contains besides its groups. */
const envelopeBytes = 1024;

/** The period that generations at this time cover, as dates: four whole years and the current one, the same for everybody. */
export function statisticsPeriod(now: Date): { readonly from: string; readonly to: string } {
  return { from: `${now.getUTCFullYear() - 4}-01-01`, to: now.toISOString().slice(0, 10) };
}

/**
 * Stores a client's next generation with its `statistics.updated` event and forgets what the former ones were computed from, in the
 * caller's transaction. Throws `conflict` when its answer would exceed 2 MiB: leaving groups out would tell that they are small.
 */
export async function storeGeneration(
  tx: EntityManager,
  { clientNumber, statistics, now }: { clientNumber: number; statistics: OrderStatistics; now: Date },
): Promise<{ readonly generationId: string }> {
  const groups = JSON.stringify(statistics.groups);
  if (Buffer.byteLength(groups) + envelopeBytes > limits.statisticsResponseBytes) {
    throw new DomainError('conflict', {
      detail: `${statistics.groups.length} groups do not fit into a response of 2 MiB. The previous generation stays in effect.`,
    });
  }
  const generationId = newId('gen');
  const { from, to } = statisticsPeriod(now);
  const basis = JSON.stringify(statistics.basis);
  await sql(tx, insertGenerationSql, [clientNumber, generationId, now, from, to, limits.minimumGroupSize, groups, basis]);
  await sql(tx, forgetFormerBasesSql, [clientNumber, generationId]);
  await emitEvent(tx, [{ type: 'statistics.updated', clientNumber, generationId }], now);
  // Whatever still waits to tell of a former generation is discarded when it is checked.
  await recheckDeliveries(tx, { clientNumber });
  return { generationId };
}

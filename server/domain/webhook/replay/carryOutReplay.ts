import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { chosenSql } from './replayable.sql.ts';
import { chosenOf, type ReplayFilter } from './replayDeliveries.ts';
import { lockReplays, storeReplays } from './storeReplays.ts';

/** A filter as JSON holds it. */
type StoredFilter = Omit<ReplayFilter, 'from' | 'to'> & { readonly from?: string | null; readonly to?: string | null };
type Order = {
  readonly endpointNo: number;
  readonly filter: StoredFilter;
  readonly until: string;
  readonly left: number;
  readonly gone: boolean;
};

const orderSql = `
select r.endpoint_no as "endpointNo", r.filter, r.until::text as until, r.count - r.replayed as left, p.status = 'removed' as gone
  from webhook_replay r join webhook_endpoint p on p.no = r.endpoint_no where r.id = $1 and r.finished_at is null`;
const progressSql = `
update webhook_replay set replayed = replayed + $2, finished_at = case when $3 then $4::timestamptz end where id = $1`;

/**
 * Carries out an order for many replays, a slice in each transaction, which also writes down how far it has come. What a slice replays is
 * no longer chosen by the next one, so it can be repeated at any point.
 */
export async function carryOutReplay(em: EntityManager, { replayId, now }: { replayId: string; now: Date }): Promise<void> {
  while (await replaySlice(em, replayId, now));
}

/** Returns whether anything may be left. */
function replaySlice(em: EntityManager, replayId: string, now: Date): Promise<boolean> {
  return em.transactional(async (tx) => {
    const [named] = await sql<Order>(tx, orderSql, [replayId]);
    if (!named) return false;
    await lockReplays(tx, named.endpointNo);
    // Read again: another run of this job may have held the lock.
    const [order] = await sql<Order>(tx, orderSql, [replayId]);
    if (!order) return false;
    const most = Math.min(order.left, limits.replaySlice);
    const { text, values } = chosenSql(chosenOf(order.endpointNo, filterFrom(order.filter), { until: new Date(order.until), now }), most);
    const rows = order.gone || most < 1 ? [] : await sql<{ no: string }>(tx, text, values);
    const nos = rows.map(({ no }) => Number(no)).sort((one, other) => one - other);
    await storeReplays(tx, order.endpointNo, nos, now);
    const finished = nos.length < limits.replaySlice;
    await sql(tx, progressSql, [replayId, nos.length, finished, now]);
    return !finished;
  });
}

/** The filter as it was ordered; JSON has no dates. */
function filterFrom({ from, to, ...rest }: StoredFilter): ReplayFilter {
  return { ...rest, from: from ? new Date(from) : null, to: to ? new Date(to) : null };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';

/** An order to replay many deliveries, and how far it has come. */
export type ReplayOrder = {
  readonly id: string;
  readonly count: number;
  /** How many deliveries it has made. It may end with fewer than were counted, if some have been replayed otherwise. */
  readonly replayed: number;
  readonly orderedAt: Date;
  readonly finishedAt: Date | null;
};

const columns = `id, count, replayed, ordered_at as "orderedAt", finished_at as "finishedAt"`;
const byIdSql = `select ${columns} from webhook_replay where id = $1`;
/** By webhook_replay_latest. */
const latestSql = `select ${columns} from webhook_replay where endpoint_number = $1 order by ordered_at desc, id desc limit 1`;

/** An order that exists. */
export async function replayOrder(em: EntityManager, id: string): Promise<ReplayOrder> {
  const [row] = await sql<ReplayOrder>(em, byIdSql, [id]);
  if (!row) throw new Error(`There is no order ${id}.`);
  return row;
}

/** The last order for an endpoint, if any is on record. */
export async function lastReplayOf(em: EntityManager, endpointNumber: number): Promise<ReplayOrder | null> {
  const [row] = await sql<ReplayOrder>(em, latestSql, [endpointNumber]);
  return row ?? null;
}

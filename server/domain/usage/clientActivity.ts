import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/** When a client was last active, with null for never. A sync counts if it was answered with 200 or 304. */
export type ClientActivity = { readonly lastRequestAt: Date | null; readonly lastSyncAt: Date | null };

type Row = { client_number: number; last_request_at: Date | null; last_sync_at: Date | null };

/** By primary key. */
const activitySql = `
  select client_number, last_request_at, last_sync_at
    from client_activity where client_number = any($1::int[])`;

/** The last times of several clients, in the order of their numbers given. */
export async function clientActivities(em: EntityManager, clientNumbers: readonly number[]): Promise<ClientActivity[]> {
  const rows = await sql<Row>(em, activitySql, [[...clientNumbers]]);
  return clientNumbers.map((number) => {
    const row = rows.find((each) => each.client_number === number);
    return { lastRequestAt: row?.last_request_at ?? null, lastSyncAt: row?.last_sync_at ?? null };
  });
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { ownClient } from '../client/ownClient.ts';
import { sql } from '../shared/sql.ts';
import { type ClientActivity, clientActivities } from './clientActivity.ts';
import { type QuotaLeft, quotaLeft } from './quotaLeft.ts';

const hour = 60 * 60 * 1000;

export const usagePeriods = ['day', 'week'] as const;
export type UsagePeriod = (typeof usagePeriods)[number];
const hoursOf = { day: 24, week: 7 * 24 } as const satisfies Record<UsagePeriod, number>;

/** How many requests of one operation were answered with one status in the hour that begins at `hour` (UTC). */
type UsageCount = { readonly hour: Date; readonly operation: string; readonly status: number; readonly count: number };

export type Usage = {
  /** The beginning of the first hour; the last hour is the running one. */
  readonly from: Date;
  readonly hours: number;
  readonly counts: readonly UsageCount[];
  /** Calls of GET /v1/sync that were answered with 200 or 304, and how many of them with 304. */
  readonly syncs: number;
  readonly unchangedSyncs: number;
  readonly quotas: readonly QuotaLeft[];
} & ClientActivity;

/** A range of the primary key. */
const countsSql = `
  select hour, route as operation, status, count from usage_counter
   where client_number = $1 and hour >= $2 order by hour, route, status`;

/**
 * How a client of the operator's own was used in the last 24 hours or 7 days, by the hour, and what is left of its quotas now.
 * Errors: not_found.
 */
export async function usage(
  em: EntityManager,
  { operatorId, clientId, period, now }: { operatorId: string; clientId: string; period: UsagePeriod; now: Date },
): Promise<Usage> {
  const client = await ownClient(em, operatorId, clientId);
  const hours = hoursOf[period];
  const from = new Date((Math.floor(now.getTime() / hour) - hours + 1) * hour);
  const rows = await sql<UsageCount>(em, countsSql, [client.number, from]);
  const [activity = { lastRequestAt: null, lastSyncAt: null }] = await clientActivities(em, [client.number]);
  const syncsWith = (status: number) => sum(rows.filter((row) => row.operation === 'getSync' && row.status === status));
  const unchangedSyncs = syncsWith(304);
  return {
    from,
    hours,
    counts: rows,
    syncs: syncsWith(200) + unchangedSyncs,
    unchangedSyncs,
    quotas: await quotaLeft(em, { clientNumber: client.number, now }),
    ...activity,
  };
}

function sum(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0);
}

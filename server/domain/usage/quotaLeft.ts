import type { EntityManager } from '@mikro-orm/postgresql';
import { quotas, type QuotaName, quotaWindows } from '../client/quotas.ts';
import { sql } from '../shared/sql.ts';

const second = 1_000;

/** One quota of a client as it stands now. */
export type QuotaLeft = {
  readonly name: QuotaName;
  readonly limit: number;
  readonly left: number;
  /** When the running window ends; null while nothing has been taken. */
  readonly resetsAt: Date | null;
  /** An approved override is in effect instead of the baseline; until when, if it ends. */
  readonly overridden: boolean;
  readonly overrideExpiresAt: Date | null;
};

type Counts = Record<`${QuotaName}_start` | `${QuotaName}_count`, number>;
type Override = { quota: string; value: number; expires_at: Date | null };

/** By primary key. In milliseconds, because a window that has not begun yet began at minus infinity, which no date is. */
const countsSql = `
  select ${quotaWindows.map(({ name }) => `(extract(epoch from ${name}_start) * 1000)::float8 as ${name}_start, ${name}_count`).join(', ')}
    from client_quota where client_number = $1`;
/** By quota_override_current. */
const overridesSql = `
  select quota, value, expires_at
    from quota_override where client_number = $1 and withdrawn_at is null and (expires_at is null or expires_at > $2)`;

/** What is left of a client's quotas at this moment, from the same counts and overrides and by the same rules as admission (`admit`). */
export async function quotaLeft(em: EntityManager, { clientNumber, now }: { clientNumber: number; now: Date }): Promise<QuotaLeft[]> {
  const [counts] = await sql<Counts>(em, countsSql, [clientNumber]);
  if (!counts) throw new Error('A client has no quota row.');
  const overrides = await sql<Override>(em, overridesSql, [clientNumber, now]);
  return quotaWindows.map(({ name, quota, seconds }) => {
    const override = overrides.find((each) => each.quota === quota);
    const limit = override?.value ?? quotas[quota].baseline;
    const resets = counts[`${name}_start`] + seconds * second;
    const used = resets > now.getTime() ? counts[`${name}_count`] : 0;
    return {
      name,
      limit,
      left: Math.max(limit - used, 0),
      resetsAt: used === 0 ? null : new Date(resets),
      overridden: override !== undefined,
      overrideExpiresAt: override?.expires_at ?? null,
    };
  });
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import type { OverridableQuota } from './quotas.ts';

/** An override that has not been withdrawn. After `expiresAt`, it no longer applies. */
export type QuotaOverride = {
  readonly quota: OverridableQuota;
  readonly value: number;
  readonly reason: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

/** Both by `quota_override_current`. Under the client's lock. */
export const withdrawCurrentSql =
  'update quota_override set withdrawn_at = $3 where client_number = $1 and quota = $2 and withdrawn_at is null returning value';

const currentSql = `
select client_number as "clientNumber", quota, value, reason, created_at as "createdAt", expires_at as "expiresAt"
  from quota_override where client_number = any($1::int[]) and withdrawn_at is null order by quota`;

/** The overrides of each client that have not been withdrawn, by name. There are at most eight. */
export async function quotaOverridesOf(em: EntityManager, clientNumbers: readonly number[]): Promise<QuotaOverride[][]> {
  const rows = await sql<QuotaOverride & { clientNumber: number }>(em, currentSql, [clientNumbers]);
  return clientNumbers.map((number) =>
    rows
      .filter(({ clientNumber }) => clientNumber === number)
      .map(({ quota, value, reason, createdAt, expiresAt }) => ({
        quota,
        value,
        reason,
        createdAt,
        expiresAt,
      })),
  );
}

/** One client's, as `quotaOverridesOf`. */
export async function quotaOverrides(em: EntityManager, clientNumber: number): Promise<QuotaOverride[]> {
  return (await quotaOverridesOf(em, [clientNumber]))[0] ?? [];
}

/** The override of one quota that has just been set. */
export async function currentOverride(tx: EntityManager, clientNumber: number, quota: OverridableQuota): Promise<QuotaOverride> {
  const override = (await quotaOverrides(tx, clientNumber)).find((each) => each.quota === quota);
  if (!override) throw new Error(`There is no override of ${quota}.`);
  return override;
}

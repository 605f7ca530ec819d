import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import type { Actor } from '../shared/actor.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { goodReason } from '../shared/reason.ts';
import { sql } from '../shared/sql.ts';
import { lockClient } from './lockClient.ts';
import { quotaOverrideErrors } from './quotaOverrideRules.ts';
import { withdrawCurrentSql, currentOverride, type QuotaOverride } from './quotaOverrides.ts';
import type { OverridableQuota } from './quotas.ts';

type SetQuotaOverride = {
  readonly actor: Actor;
  readonly clientId: string;
  readonly quota: OverridableQuota;
  readonly value: number;
  readonly reason: string;
  /** If null, it applies until it is withdrawn. */
  readonly expiresAt: Date | null;
  readonly now: Date;
};

/**
 * Gives one client another value for one quota, or another polling interval. It replaces the former override (docs/specification.md, “Quota
 * overrides”). It applies to admission from the next request on, and capabilities show it. Errors: invalid_request by field, not_found,
 * forbidden (own).
 */
export function setQuotaOverride(
  em: EntityManager,
  { actor, clientId, quota, value, reason, expiresAt, now }: SetQuotaOverride,
): Promise<QuotaOverride> {
  refuseInvalid(quotaOverrideErrors({ quota, value, expiresAt }, now));
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const client = await lockClient(tx, clientId);
    refuseOwn(client, actor, 'administers');
    const [former] = await sql<{ value: number }>(tx, withdrawCurrentSql, [client.number, quota, now]);
    await sql(
      tx,
      `insert into quota_override (client_number, quota, value, reason, created_at, created_by, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
      [client.number, quota, value, words, now, actor.type === 'operator' ? actor.operatorId : null, expiresAt],
    );
    await record(tx, actor, now, {
      action: 'quota_override.set',
      subject: { type: 'client', id: client.id },
      operatorId: client.operatorId,
      integrationId: client.integrationId,
      details: {
        quota,
        value,
        reason: words,
        ...(former && { formerValue: former.value }),
        ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
      },
    });
    return currentOverride(tx, client.number, quota);
  });
}

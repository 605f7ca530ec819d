import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { goodReason } from '../shared/reason.ts';
import { sql } from '../shared/sql.ts';
import { lockClient } from './lockClient.ts';
import { quotaOverrides, withdrawCurrentSql, type QuotaOverride } from './quotaOverrides.ts';
import type { OverridableQuota } from './quotas.ts';

type WithdrawQuotaOverride = {
  readonly actor: Actor;
  readonly clientId: string;
  readonly quota: OverridableQuota;
  readonly reason: string;
  readonly now: Date;
};

/**
 * Ends an override. The baseline applies again from the next request. Returns the remaining overrides. Errors: invalid_request, not_found,
 * forbidden (own).
 */
export function withdrawQuotaOverride(
  em: EntityManager,
  { actor, clientId, quota, reason, now }: WithdrawQuotaOverride,
): Promise<readonly QuotaOverride[]> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const client = await lockClient(tx, clientId);
    refuseOwn(client, actor, 'administers');
    const [former] = await sql<{ value: number }>(tx, withdrawCurrentSql, [client.number, quota, now]);
    if (!former) throw new DomainError('not_found', { detail: 'This client has no such override.' });
    await record(tx, actor, now, {
      action: 'quota_override.withdrawn',
      subject: { type: 'client', id: client.id },
      operatorId: client.operatorId,
      integrationId: client.integrationId,
      details: { quota, formerValue: former.value, reason: words },
    });
    return quotaOverrides(tx, client.number);
  });
}

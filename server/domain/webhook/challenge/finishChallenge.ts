import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { WebhookEndpoint } from '../endpoint/WebhookEndpoint.ts';
import { releaseDeliveries } from '../../outbox/wakePump.ts';
import { challengeEnd, challengeLifecycle, type ChallengeStatus } from '../challengeStatus.ts';
import type { ChallengeFailure, ChallengeStep, VoidReason } from './challengeSteps.ts';
import { challengeFacts } from '../challengeFacts.ts';
import { webhookEndpointFacts } from '../../outbox/webhookEndpointFacts.ts';
import { type WebhookEndpointStatus } from '../../outbox/webhookEndpointStatus.ts';
import { factsIn } from '../../shared/lifecycle.ts';

const actor = { type: 'system', name: 'verifyWebhookEndpoint' } as const;

const findSql = `
select c.url, c.status, c.requested_at as "requestedAt", c.begun_at as "begunAt",
       p.number, p.url as "presentUrl", p.status as "endpointStatus", i.operator_id as "operatorId"
  from webhook_challenge c join webhook_endpoint p on p.number = c.endpoint_number join integration i on i.id = p.integration_id
 where c.id = $1`;

type Found = {
  readonly url: string;
  readonly status: ChallengeStatus;
  readonly requestedAt: Date;
  readonly begunAt: Date | null;
  readonly number: number;
  readonly presentUrl: string;
  readonly endpointStatus: WebhookEndpointStatus;
  readonly operatorId: string;
};

/** What a challenge is about, whether it has ended already, and whether it means nothing any more. */
export async function voidReason(
  em: EntityManager,
  challengeId: string,
  now: Date,
): Promise<Found & { readonly ended: boolean; readonly reason: VoidReason | null }> {
  const [found] = await sql<Found>(em, findSql, [challengeId]);
  if (!found) throw new Error('There is no such challenge.');
  return { ...found, ended: !factsIn(challengeFacts, found.status).isRunning, reason: reasonOf(found, now) };
}

function reasonOf({ url, presentUrl, endpointStatus, requestedAt, begunAt }: Found, now: Date): VoidReason | null {
  if (factsIn(webhookEndpointFacts, endpointStatus).receives === 'never') return 'endpoint_removed';
  if (url !== presentUrl) return 'url_changed';
  const end = challengeEnd({ requestedAt, begunAt });
  return now < end ? null : 'time_over';
}

const lockSql = locking(
  'webhookEndpoint',
  'no key update of p',
  (clause) => `select 1 from webhook_endpoint p join webhook_challenge c on c.endpoint_number = p.number where c.id = $1 ${clause}`,
);
const passSql = `
update webhook_challenge set ${challengeLifecycle.sets('passChallenge', { finishedAt: '$2' })}, steps = $3::jsonb
 where id = $1 and ${challengeLifecycle.mayStart('passChallenge')} returning 1`;
const failSql = `
update webhook_challenge set ${challengeLifecycle.sets('failChallenge', { finishedAt: '$2', failure: '$4' })}, steps = $3::jsonb
 where id = $1 and ${challengeLifecycle.mayStart('failChallenge')} returning 1`;

type Finish = {
  readonly challengeId: string;
  readonly failure: ChallengeFailure | null;
  readonly steps: readonly ChallengeStep[];
  readonly now: Date;
};

/**
 * Records how a challenge has ended, once. Success activates the endpoint, unless its URL has been changed, the endpoint removed, or the time
 * has passed meanwhile. Failure leaves the endpoint as it is.
 */
export function finishChallenge(em: EntityManager, { challengeId, failure, steps, now }: Finish): Promise<void> {
  return em.transactional(async (tx) => {
    await takeLock(tx, lockSql, [challengeId]);
    const found = await voidReason(tx, challengeId, now);
    const reason = found.reason ?? failure;
    const written = [challengeId, now, JSON.stringify(steps)];
    const finished = reason === null ? await sql(tx, passSql, written) : await sql(tx, failSql, [...written, reason]);
    if (finished.length === 0) return;
    const endpoint = await tx.findOneOrFail(WebhookEndpoint, { number: found.number }, { refresh: true });
    if (reason === null) {
      endpoint.prove(now);
      await tx.flush();
      // After a change of URL, deliveries were held until now.
      await releaseDeliveries(tx, { endpointNumber: endpoint.number });
    }
    await record(tx, actor, now, {
      action: reason === null ? 'webhook_endpoint.verified' : 'webhook_endpoint.verification_failed',
      subject: { type: 'webhook_endpoint', id: endpoint.id },
      operatorId: found.operatorId,
      integrationId: endpoint.integrationId,
      details: { challengeId, ...(reason !== null && { reason }) },
    });
  });
}

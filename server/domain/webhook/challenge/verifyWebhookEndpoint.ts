import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { newId } from '../../shared/ids.ts';
import { enqueue } from '../../shared/jobs.ts';
import { sql } from '../../shared/sql.ts';
import { lockOwnEndpoint } from '../endpoint/lockOwnEndpoint.ts';
import { ownWebhookEndpoint } from '../endpoint/ownWebhookEndpoint.ts';
import type { WebhookEndpoint } from '../endpoint/WebhookEndpoint.ts';
import { challengeEnd, challengeRuns } from '../challengeStatus.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { latestChallenge } from './latestChallenge.ts';
import { challengeFacts } from '../challengeFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

/** An interrupted challenge starts over; within its lifetime there is no time for more. */
const attempts = 5;

const insertSql = `
insert into webhook_challenge (id, endpoint_number, url, requested_at, requested_by) values ($1, $2, $3, $4, $5)`;

/**
 * Challenges of all endpoints of an operator that have, or wait for, a place at the workers. One that a change of its endpoint has made void keeps
 * its place until the server has answered. Index webhook_challenge_latest.
 */
const underWaySql = `
select count(*)::int as "underWay"
  from integration i join webhook_endpoint p on p.integration_id = i.id join webhook_challenge c on c.endpoint_number = p.number
 where i.operator_id = $1 and c.requested_at > $2
   and (${challengeRuns('c')} and (c.begun_at is null or c.begun_at > $3)
        or c.failure in ('url_changed', 'environment_changed') and c.begun_at > $4)`;

/**
 * Asks the endpoint's server, through a worker, to prove that it wants webhooks (docs/specification.md, “Ownership challenge”). Errors:
 * not_found, conflict (one is under way, or two of the actor's others), rate_limit_exceeded (10 an hour for an endpoint, 30 for an operator).
 */
export function verifyWebhookEndpoint(
  em: EntityManager,
  { actor, endpointId, now }: { actor: OperatorActor; endpointId: string; now: Date },
): Promise<WebhookEndpoint> {
  return em.transactional(async (tx) => {
    // Before the attempts, which belong to the endpoint and would tell a stranger about it. A refusal below takes them back.
    await ownWebhookEndpoint(tx, actor.operatorId, endpointId);
    await takeAttempt(tx, { kind: 'challenge_endpoint', source: endpointId }, now);
    // This row also has the challenges of one operator take turns.
    await takeAttempt(tx, { kind: 'challenge_operator', source: actor.operatorId }, now);
    const endpoint = await lockOwnEndpoint(tx, actor, endpointId);
    const latest = await latestChallenge(tx, endpoint);
    if (latest && factsIn(challengeFacts, latest.status).isRunning && now < challengeEnd(latest)) {
      throw new DomainError('conflict', { detail: 'The endpoint is being verified right now.' });
    }
    await refuseManyUnderWay(tx, actor.operatorId, now);
    const id = newId('whc');
    await sql(tx, insertSql, [id, endpoint.number, endpoint.url, now, actor.operatorId]);
    await enqueue(tx, 'verifyWebhookEndpoint', { challengeId: id }, { attempts });
    await record(tx, actor, now, {
      action: 'webhook_endpoint.verification_requested',
      subject: { type: 'webhook_endpoint', id: endpoint.id },
      integrationId: endpoint.integrationId,
      details: { challengeId: id },
    });
    return endpoint;
  });
}

async function refuseManyUnderWay(tx: EntityManager, operatorId: string, now: Date): Promise<void> {
  const { webhookChallengeWait, webhookChallengeLifetime, webhookChallenge, webhookChallengesUnderWay } = webhookLimits;
  const since = (before: number): Date => new Date(now.getTime() - before);
  const [row] = await sql<{ underWay: number }>(tx, underWaySql, [
    operatorId,
    since(webhookChallengeWait + webhookChallengeLifetime),
    since(webhookChallengeLifetime),
    since(webhookChallenge.totalMs),
  ]);
  if (!row || row.underWay < webhookChallengesUnderWay) return;
  throw new DomainError('conflict', {
    detail: 'Two of your other endpoints are being verified. Verify this one when one of them is done.',
  });
}

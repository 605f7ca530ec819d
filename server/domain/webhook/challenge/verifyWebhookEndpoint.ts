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
import { challengeEnd } from '../challengeStatus.ts';
import { latestChallenge } from './latestChallenge.ts';

/** An interrupted challenge begins anew; within its lifetime there is no time for more. */
const attempts = 5;

const insertSql = `
insert into webhook_challenge (id, endpoint_no, url, requested_at, requested_by) values ($1, $2, $3, $4, $5)`;

/**
 * Asks the endpoint's server, through a worker, to prove that it wants webhooks (docs/specification.md, “Ownership challenge”). Errors:
 * not_found, conflict (one is under way), rate_limit_exceeded (10 an hour for an endpoint, 30 for an operator).
 */
export function verifyWebhookEndpoint(
  em: EntityManager,
  { actor, endpointId, now }: { actor: OperatorActor; endpointId: string; now: Date },
): Promise<WebhookEndpoint> {
  return em.transactional(async (tx) => {
    // Before the attempts, which belong to the endpoint and would tell a stranger about it. A refusal below takes them back.
    await ownWebhookEndpoint(tx, actor.operatorId, endpointId);
    await takeAttempt(tx, { kind: 'challenge_endpoint', source: endpointId }, now);
    await takeAttempt(tx, { kind: 'challenge_operator', source: actor.operatorId }, now);
    const endpoint = await lockOwnEndpoint(tx, actor, endpointId);
    const latest = await latestChallenge(tx, endpoint);
    if (latest?.status === 'pending' && now < challengeEnd(latest.requestedAt)) {
      throw new DomainError('conflict', { detail: 'The endpoint is being verified at this moment.' });
    }
    const id = newId('whc');
    await sql(tx, insertSql, [id, endpoint.no, endpoint.url, now, actor.operatorId]);
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

import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { isUnderWay } from '../checkTimes.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { newId } from '../../shared/ids.ts';
import { enqueue } from '../../shared/jobs.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import { refuseUnlessActive } from '../replay/refuseUnlessActive.ts';
import { ownSandboxEndpoint } from '../trial/ownSandboxEndpoint.ts';
import { receiverCheckOf, type ReceiverCheck } from './receiverChecks.ts';

/** Primary key. What an earlier check found stays until this one has found something. */
const requestSql = `
insert into webhook_receiver_check as c (endpoint_number, id, requested_by, requested_at) values ($1, $2, $3, $4)
on conflict (endpoint_number) do update set id = excluded.id, requested_by = excluded.requested_by, requested_at = excluded.requested_at, begun_at = null, failure = null, finished_at = null
  where not ${isUnderWay('c', '$4', webhookLimits.receiverCheckTimes)}
returning id`;

/** Checks of the operator's other endpoints, by their integrations and primary keys. */
const underWaySql = `
select 1 from integration i join webhook_endpoint p on p.integration_id = i.id join webhook_receiver_check c on c.endpoint_number = p.number
 where i.operator_id = $1 and ${isUnderWay('c', '$2', webhookLimits.receiverCheckTimes)} and p.number <> $3 limit 1`;

/**
 * Has a worker send a series of probes to one of the actor's active sandbox endpoints, good and bad ones, to find out whether its receiver
 * follows the specification (docs/specification.md, “Receiver checks”). Errors: not_found, conflict (production, not active, another check
 * under way at any of the actor's endpoints), rate_limit_exceeded (10 an hour for an endpoint, 30 for an operator).
 */
export function checkReceiver(
  em: EntityManager,
  { actor, endpointId, now }: { actor: OperatorActor; endpointId: string; now: Date },
): Promise<ReceiverCheck> {
  return em.transactional(async (tx) => {
    const endpoint = await ownSandboxEndpoint(tx, actor.operatorId, endpointId);
    await takeAttempt(tx, { kind: 'receiver_check_endpoint', source: endpointId }, now);
    // This row also has the checks of one operator take turns.
    await takeAttempt(tx, { kind: 'receiver_check_operator', source: actor.operatorId }, now);
    refuseUnlessActive(endpoint);
    const id = newId('wrc');
    const [other] = await sql(tx, underWaySql, [actor.operatorId, now, endpoint.number]);
    if (other)
      throw new DomainError('conflict', { detail: 'Another of your receivers is being checked. Start this check when that one is done.' });
    const [begun] = await sql(tx, requestSql, [endpoint.number, id, actor.operatorId, now]);
    if (!begun) throw new DomainError('conflict', { detail: 'This receiver is being checked. The result appears here in a moment.' });
    await enqueue(tx, 'checkReceiver', { receiverCheckId: id }, { attempts: 3 });
    await record(tx, actor, now, {
      action: 'webhook_endpoint.receiver_check_requested',
      subject: { type: 'webhook_endpoint', id: endpointId },
      integrationId: endpoint.integrationId,
    });
    const check = await receiverCheckOf(tx, endpoint, now);
    if (!check) throw new Error('The check was not stored.');
    return check;
  });
}

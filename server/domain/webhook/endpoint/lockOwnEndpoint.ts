import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { WebhookEndpoint } from './WebhookEndpoint.ts';
import { presentEndpointStatuses } from '../../outbox/webhookEndpointStatus.ts';

const lockSql = locking(
  'webhookEndpoint',
  'no key update of p',
  (clause) =>
    `select p.number from webhook_endpoint p join integration i on i.id = p.integration_id where p.id = $1 and i.operator_id = $2 ${clause}`,
);

/** Locks one of the actor's endpoints until the end of the transaction. One that is removed, or somebody else's, is not_found. */
export async function lockOwnEndpoint(tx: EntityManager, actor: OperatorActor, endpointId: string): Promise<WebhookEndpoint> {
  const [row] = await takeLock<{ number: number }>(tx, lockSql, [endpointId, actor.operatorId]);
  const present = { number: row?.number ?? 0, status: { $in: [...presentEndpointStatuses] } };
  // A statement of its own: the lock may have waited for a removal, which the earlier snapshot does not show.
  const endpoint = row && (await tx.findOne(WebhookEndpoint, present, { refresh: true }));
  if (!endpoint) throw new DomainError('not_found', { detail: 'There is no such webhook endpoint.' });
  return endpoint;
}

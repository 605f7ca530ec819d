import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import { Client } from '../../client/Client.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import { deliveryLifecycle, openDeliveryStates } from '../../outbox/deliveryStatus.ts';
import { WebhookEndpoint } from '../endpoint/WebhookEndpoint.ts';
import type { Delivery } from '../history/deliveries.ts';
import { ownDelivery } from '../history/ownDelivery.ts';
import { refuseUnlessActive } from './refuseUnlessActive.ts';
import { replayableSince } from './replayableSince.ts';
import { lockReplays, storeReplays } from './storeReplays.ts';
import { deliveryFacts } from '../../outbox/deliveryFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

/** By webhook_delivery_event. */
const openSql = `
select id from webhook_delivery d where event_id = $1 and endpoint_number = $2 and ${deliveryLifecycle.isIn(openDeliveryStates, { row: 'd' })} limit 1`;

/**
 * Delivers an event once more that was delivered or failed (docs/specification.md, “Replays”): the same event in a new
 * delivery, with a window of its own. While one of its deliveries to this endpoint is still waiting, that one is the answer, so pressing
 * twice replays once. Errors: not_found, conflict (endpoint not active, delivery not over, type not subscribed to, endpoint moved to the other
 * environment, event too old),
 * rate_limit_exceeded (50,000 a day).
 */
export function replayDelivery(
  em: EntityManager,
  { actor, deliveryId, now }: { actor: OperatorActor; deliveryId: string; now: Date },
): Promise<Delivery> {
  return em.transactional(async (tx) => {
    const { endpointNumber } = await ownDelivery(tx, actor.operatorId, deliveryId);
    await takeAttempt(tx, { kind: 'replay_operator', source: actor.operatorId }, now);
    await lockReplays(tx, endpointNumber);
    // Read again: the previous holder of the lock may have replayed it.
    const delivery = await ownDelivery(tx, actor.operatorId, deliveryId);
    const endpoint = await tx.findOneOrFail(WebhookEndpoint, { number: endpointNumber });
    refuseUnlessActive(endpoint);
    const [open] = await sql<{ id: string }>(tx, openSql, [delivery.event.id, endpointNumber]);
    if (open && open.id !== delivery.id) return ownDelivery(tx, actor.operatorId, open.id);
    const { isReplayable, waitsFor } = factsIn(deliveryFacts, delivery.state);
    if (!isReplayable && waitsFor === null)
      throw new DomainError('conflict', {
        detail: 'This delivery was discarded because it no longer applies, so there is nothing to replay.',
      });
    if (!isReplayable)
      throw new DomainError('conflict', { detail: 'This delivery is still under way, so there is nothing to replay yet.' });
    const { environment } = await tx.findOneOrFail(Client, { number: endpoint.clientNumber });
    if ((delivery.event.environment ?? environment) !== environment)
      throw new DomainError('conflict', {
        detail: `This is an event of ${delivery.event.environment}. The endpoint has been moved to ${environment} since.`,
      });
    if (!endpoint.eventTypes.includes(delivery.event.type))
      throw new DomainError('conflict', {
        detail: `The endpoint no longer subscribes to ${delivery.event.type}. Subscribe it to that type first.`,
      });
    if (delivery.event.occurredAt <= replayableSince(now))
      throw new DomainError('conflict', {
        detail: 'Events can be replayed for 29 days, and this one is older. Run a sync to read the current data.',
      });
    const [id = ''] = await storeReplays(tx, endpointNumber, [delivery.number], now);
    await record(tx, actor, now, {
      action: 'webhook_delivery.replayed',
      subject: { type: 'webhook_delivery', id },
      integrationId: endpoint.integrationId,
      details: { endpointId: endpoint.id, replayOf: delivery.id, eventId: delivery.event.id, eventType: delivery.event.type },
    });
    return ownDelivery(tx, actor.operatorId, id);
  });
}

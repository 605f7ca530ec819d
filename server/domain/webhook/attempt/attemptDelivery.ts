import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { takeLock } from '../../shared/locks.ts';
import { WebhookEndpoint } from '../endpoint/WebhookEndpoint.ts';
import type { Delivery } from '../history/deliveries.ts';
import { ownDelivery } from '../history/ownDelivery.ts';
import { refuseUnlessActive } from '../replay/refuseUnlessActive.ts';
import { releaseDeliveries } from '../../outbox/wakePump.ts';
import { attemptNowSql } from './waiting.sql.ts';
import { deliveryFacts } from '../../outbox/deliveryFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

/**
 * Has a waiting delivery attempted at once, instead of at its next time (docs/specification.md, “Trying now”). It passes the same checks and
 * takes its place among the endpoint's attempts like any other. One that is due already stays as it is. Errors: not_found, conflict (endpoint
 * not active, delivery held or over), rate_limit_exceeded (50,000 a day, with replays).
 */
export function attemptDelivery(
  em: EntityManager,
  { actor, deliveryId, now }: { actor: OperatorActor; deliveryId: string; now: Date },
): Promise<Delivery> {
  return em.transactional(async (tx) => {
    const delivery = await ownDelivery(tx, actor.operatorId, deliveryId);
    const endpoint = await tx.findOneOrFail(WebhookEndpoint, { number: delivery.endpointNumber });
    refuseUnlessActive(endpoint);
    const { waitsFor } = factsIn(deliveryFacts, delivery.state);
    if (waitsFor === 'release')
      throw new DomainError('conflict', { detail: 'This delivery is held, so it cannot be tried until it is released.' });
    if (waitsFor === null) throw new DomainError('conflict', { detail: 'This delivery is over. Replay it instead.' });
    await takeAttempt(tx, { kind: 'replay_operator', source: actor.operatorId }, now);
    const [brought] = await takeLock<{ count: number }>(tx, attemptNowSql, [[delivery.number], now]);
    if (brought?.count) {
      await releaseDeliveries(tx, { endpointNumber: endpoint.number });
      await record(tx, actor, now, {
        action: 'webhook_delivery.tried_now',
        subject: { type: 'webhook_delivery', id: delivery.id },
        integrationId: endpoint.integrationId,
        details: { endpointId: endpoint.id, eventId: delivery.event.id, eventType: delivery.event.type },
      });
    }
    return ownDelivery(tx, actor.operatorId, deliveryId);
  });
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { takeLock } from '../../shared/locks.ts';
import { ownWebhookEndpoint } from '../endpoint/ownWebhookEndpoint.ts';
import {
  chosenBy,
  countErrors,
  selectDeliveries,
  type Selection,
  type SelectionCount,
  selectionErrors,
  type SelectionFilter,
} from '../history/selection.ts';
import { refuseUnlessActive } from '../replay/refuseUnlessActive.ts';
import { releaseDeliveries } from '../../outbox/wakePump.ts';
import { attemptNowSql, waitingNumbersSql } from './waiting.sql.ts';

/** Which waiting deliveries of an endpoint; without anything, all of them. */
type WaitingFilter = Pick<SelectionFilter, 'deliveryIds' | 'types' | 'from' | 'to'>;

type Asked = { readonly endpointId: string; readonly filter: WaitingFilter };

/** How many deliveries `attemptDeliveries` would have attempted with this filter. Errors: invalid_request (filter), not_found. */
export async function waitingCount(
  em: EntityManager,
  { operatorId, endpointId, filter, now }: Asked & { operatorId: string; now: Date },
): Promise<SelectionCount> {
  refuseInvalid(selectionErrors(filter, 'filter'));
  const { number } = await ownWebhookEndpoint(em, operatorId, endpointId);
  const { count, tooMany, until } = await select(em, number, filter, { until: now, now });
  return { count, tooMany, until };
}

type AttemptDeliveries = Asked & {
  readonly actor: OperatorActor;
  /** As they were shown to the owner. */
  readonly until: Date;
  readonly expectedCount: number;
  readonly now: Date;
};

/**
 * Has waiting deliveries attempted at once (docs/specification.md, “Trying now”). Attempts go on meanwhile, so there may be fewer than were
 * counted, but never more. Returns how many are due now. Errors: invalid_request, not_found, conflict (endpoint not active, or more wait than
 * were counted: count again), rate_limit_exceeded (50,000 a day, with replays).
 */
export async function attemptDeliveries(
  em: EntityManager,
  { actor, endpointId, filter, until, expectedCount, now }: AttemptDeliveries,
): Promise<number> {
  refuseInvalid([...selectionErrors(filter, 'input.filter'), ...countErrors({ until, expectedCount, to: 'tried', now })]);
  return em.transactional(async (tx) => {
    const endpoint = await ownWebhookEndpoint(tx, actor.operatorId, endpointId);
    refuseUnlessActive(endpoint);
    const { numbers } = await select(tx, endpoint.number, filter, { until, now });
    if (numbers.length > expectedCount) {
      throw new DomainError('conflict', {
        detail: `More deliveries wait than when they were counted: ${numbers.length} now, ${expectedCount} then. None was tried. Count them again.`,
      });
    }
    if (numbers.length === 0) return 0;
    await takeAttempt(tx, { kind: 'replay_operator', source: actor.operatorId }, now, numbers.length);
    const [brought] = await takeLock<{ count: number }>(tx, attemptNowSql, [numbers, now]);
    const count = brought?.count ?? 0;
    if (count === 0) return 0;
    await releaseDeliveries(tx, { endpointNumber: endpoint.number });
    await record(tx, actor, now, {
      action: 'webhook_endpoint.tried_now',
      subject: { type: 'webhook_endpoint', id: endpoint.id },
      integrationId: endpoint.integrationId,
      details: { deliveries: count },
    });
    return count;
  });
}

function select(
  em: EntityManager,
  endpointNumber: number,
  filter: WaitingFilter,
  { until, now }: { until: Date; now: Date },
): Promise<Selection> {
  const chosen = { ...chosenBy(filter, { endpointNumber, until }), now };
  return selectDeliveries(em, until, (most) => waitingNumbersSql(chosen, most));
}

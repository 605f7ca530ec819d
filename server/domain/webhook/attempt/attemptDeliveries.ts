import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, type FieldError, refuseInvalid } from '../../shared/DomainError.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { numberWords } from '../../shared/text/numberWords.ts';
import { ownWebhookEndpoint } from '../endpoint/ownWebhookEndpoint.ts';
import { webhookEventTypes, type WebhookEventType } from '../eventTypes.ts';
import { timeErrors } from '../history/deliveries.ts';
import { refuseUnlessActive } from '../replay/refuseUnlessActive.ts';
import { releaseDeliveries } from '../wakePump.ts';
import { attemptNowSql, waitingSql, type WaitingChosen } from './waiting.sql.ts';

/** Which waiting deliveries of an endpoint; without anything, all of them. */
export type WaitingFilter = {
  readonly deliveryIds?: readonly string[] | null;
  readonly types?: readonly WebhookEventType[] | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
};

/** How many deliveries wait for a later attempt at one moment. */
export type WaitingCount = {
  readonly count: number;
  /** More than can be tried at once. The count is then a lower bound. */
  readonly tooMany: boolean;
  /** The moment of the count. What is stored later is not included. */
  readonly until: Date;
};

type Asked = { readonly endpointId: string; readonly filter: WaitingFilter };

/** How many deliveries `attemptDeliveries` would have attempted with this filter. Errors: invalid_request (filter), not_found. */
export async function waitingCount(
  em: EntityManager,
  { operatorId, endpointId, filter, now }: Asked & { operatorId: string; now: Date },
): Promise<WaitingCount> {
  refuseInvalid(filterErrors(filter, 'filter'));
  const { no } = await ownWebhookEndpoint(em, operatorId, endpointId);
  const most = limits.deliveriesReplayedAtOnce;
  const found = (await waitingNos(em, chosenOf(no, filter, { until: now, now }))).length;
  return { count: Math.min(found, most), tooMany: found > most, until: now };
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
  refuseInvalid([
    ...filterErrors(filter, 'input.filter'),
    ...countErrors(expectedCount),
    ...(until <= now ? [] : [{ path: 'input.until', message: 'This time is in the future.' }]),
  ]);
  return em.transactional(async (tx) => {
    const endpoint = await ownWebhookEndpoint(tx, actor.operatorId, endpointId);
    refuseUnlessActive(endpoint);
    const nos = await waitingNos(tx, chosenOf(endpoint.no, filter, { until, now }));
    if (nos.length > expectedCount) {
      throw new DomainError('conflict', {
        detail: `More deliveries wait than when they were counted: ${nos.length} now, ${expectedCount} then. None was tried. Count them again.`,
      });
    }
    if (nos.length === 0) return 0;
    await takeAttempt(tx, { kind: 'replay_operator', source: actor.operatorId }, now, nos.length);
    const [brought] = await takeLock<{ count: number }>(tx, attemptNowSql, [nos, now]);
    const count = brought?.count ?? 0;
    if (count === 0) return 0;
    await releaseDeliveries(tx, { endpointNo: endpoint.no });
    await record(tx, actor, now, {
      action: 'webhook_endpoint.tried_now',
      subject: { type: 'webhook_endpoint', id: endpoint.id },
      integrationId: endpoint.integrationId,
      details: { deliveries: count },
    });
    return count;
  });
}

async function waitingNos(em: EntityManager, chosen: WaitingChosen): Promise<string[]> {
  const { text, values } = waitingSql(chosen, limits.deliveriesReplayedAtOnce + 1);
  return (await sql<{ no: string }>(em, text, values)).map(({ no }) => no);
}

function chosenOf(
  endpointNo: number,
  { deliveryIds, types, from, to }: WaitingFilter,
  { until, now }: { until: Date; now: Date },
): WaitingChosen {
  return {
    endpointNo,
    deliveryIds: deliveryIds?.length ? [...new Set(deliveryIds)] : null,
    types: webhookEventTypes.filter((type) => !types?.length || types.includes(type)),
    from: from ?? null,
    to: to ?? null,
    until,
    now,
  };
}

function filterErrors(filter: WaitingFilter, path: string): FieldError[] {
  const { deliveryIds } = filter;
  const most = limits.pageSize;
  const found = timeErrors(filter, `${path}.`);
  if (deliveryIds && (deliveryIds.length > most || !deliveryIds.every((id) => hasIdForm('dlv', id))))
    found.push({ path: `${path}.deliveryIds`, message: `Choose at most ${most} deliveries by their IDs, which begin with dlv_.` });
  return found;
}

function countErrors(expectedCount: number): FieldError[] {
  const most = limits.deliveriesReplayedAtOnce;
  const path = 'input.expectedCount';
  if (expectedCount < 1) return [{ path, message: 'Send a count of at least 1. Where nothing waits, there is nothing to try.' }];
  if (expectedCount <= most) return [];
  return [{ path, message: `At most ${numberWords(most)} deliveries can be tried at once. Choose a narrower filter.` }];
}

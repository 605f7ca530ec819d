import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid, type FieldError } from '../../shared/DomainError.ts';
import { newId } from '../../shared/ids.ts';
import { enqueue } from '../../shared/jobs.ts';
import { sql } from '../../shared/sql.ts';
import { replayableDeliveryStates } from '../../outbox/deliveryStatus.ts';
import { ownWebhookEndpoint } from '../endpoint/ownWebhookEndpoint.ts';
import { chosenBy, countErrors, selectDeliveries, type Selection, selectionErrors, type SelectionFilter } from '../history/selection.ts';
import { replayableNumbersSql } from './replayable.sql.ts';
import { refuseUnlessActive } from './refuseUnlessActive.ts';
import { replayableSince } from './replayableSince.ts';
import { replayOrder, type ReplayOrder } from './replayOrder.ts';

/** What a filter finds at one moment. The owner sees it before giving the order. */
export type ReplayCount = Omit<Selection, 'numbers'>;

type Asked = {
  readonly endpointId: string;
  /** Without states, the dead letters. A delivery that a replay has already replaced is never chosen. */
  readonly filter: SelectionFilter;
};

/** How many deliveries `replayDeliveries` would replay with this filter. Errors: invalid_request (filter), not_found. */
export async function replayCount(
  em: EntityManager,
  { operatorId, endpointId, filter, now }: Asked & { operatorId: string; now: Date },
): Promise<ReplayCount> {
  refuseInvalid(filterErrors(filter, 'filter'));
  const { number } = await ownWebhookEndpoint(em, operatorId, endpointId);
  const { numbers: _, ...counted } = await select(em, number, filter, { until: now, now });
  return counted;
}

type ReplayDeliveries = Asked & {
  readonly actor: OperatorActor;
  /** As they were shown to the owner. */
  readonly until: Date;
  readonly expectedCount: number;
  readonly selectionDigest: string;
  readonly now: Date;
};

/**
 * Orders the replay of exactly those deliveries that were counted; a job carries it out (docs/specification.md, “Replays”). What has been
 * replayed by then is left out, so an order that is given twice replays nothing twice. Errors: invalid_request, not_found, conflict
 * (endpoint not active, or the deliveries have changed since: count again), rate_limit_exceeded (50,000 a day).
 */
export async function replayDeliveries(
  em: EntityManager,
  { actor, endpointId, filter, until, expectedCount, selectionDigest, now }: ReplayDeliveries,
): Promise<ReplayOrder> {
  refuseInvalid([...filterErrors(filter, 'input.filter'), ...countErrors({ until, expectedCount, to: 'replayed', now })]);
  return em.transactional(async (tx) => {
    const endpoint = await ownWebhookEndpoint(tx, actor.operatorId, endpointId);
    refuseUnlessActive(endpoint);
    const found = await select(tx, endpoint.number, filter, { until, now });
    if (found.count !== expectedCount || found.selectionDigest !== selectionDigest) {
      throw new DomainError('conflict', {
        detail: `The filter no longer finds the same deliveries: ${found.count} now, ${expectedCount} when they were counted. Nothing was replayed. Check the list and the count again.`,
      });
    }
    await takeAttempt(tx, { kind: 'replay_operator', source: actor.operatorId }, now, expectedCount);
    const id = newId('wrp');
    await sql(tx, orderSql, [id, endpoint.number, found.numbers, expectedCount, now]);
    await enqueue(tx, 'replayDeliveries', { replayId: id });
    await record(tx, actor, now, {
      action: 'webhook_endpoint.replay_ordered',
      subject: { type: 'webhook_endpoint', id: endpoint.id },
      integrationId: endpoint.integrationId,
      details: { deliveries: expectedCount, replayId: id },
    });
    return replayOrder(tx, id);
  });
}

const orderSql = `
insert into webhook_replay (id, endpoint_number, deliveries, count, ordered_at) values ($1, $2, $3, $4, $5)`;

function select(
  em: EntityManager,
  endpointNumber: number,
  filter: SelectionFilter,
  { until, now }: { until: Date; now: Date },
): Promise<Selection> {
  const states = filter.states?.length ? filter.states : (['dead'] as const);
  const chosen = { ...chosenBy({ ...filter, states }, { endpointNumber, until }), occurredAfter: replayableSince(now) };
  return selectDeliveries(em, until, (most) => replayableNumbersSql(chosen, most));
}

function filterErrors(filter: SelectionFilter, path: string): FieldError[] {
  const found = selectionErrors(filter, path);
  if (filter.states?.some((state) => !replayableDeliveryStates.some((replayable) => replayable === state)))
    found.push({ path: `${path}.states`, message: 'Only delivered and dead deliveries can be replayed.' });
  return found;
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid, type FieldError } from '../../shared/DomainError.ts';
import { hasIdForm, newId } from '../../shared/ids.ts';
import { enqueue } from '../../shared/jobs.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { deliveryStates, replayableDeliveryStates } from '../deliveryStatus.ts';
import { ownWebhookEndpoint } from '../endpoint/ownWebhookEndpoint.ts';
import { rangesOf, timeErrors, type DeliveryFilter } from '../history/deliveries.ts';
import { chosenSql, type Chosen } from './replayable.sql.ts';
import { refuseUnlessActive } from './refuseUnlessActive.ts';
import { replayableSince } from './replayableSince.ts';
import { replayOrder, type ReplayOrder } from './replayOrder.ts';
import { numberWords } from '../../shared/text/numberWords.ts';

/** Which deliveries to replay. A delivery that a replay has already replaced is never chosen. */
export type ReplayFilter = DeliveryFilter & {
  /** Only these. */
  readonly deliveryIds?: readonly string[] | null;
};

/** What a filter finds at one moment. The owner sees it before giving the order. */
export type ReplayCount = {
  readonly count: number;
  /** More than can be replayed at once. The count is then a lower bound. */
  readonly tooMany: boolean;
  /** Stands for exactly these deliveries. */
  readonly selectionDigest: string;
  /** The moment of the count. What ends later is not included. */
  readonly until: Date;
};

type Asked = { readonly endpointId: string; readonly filter: ReplayFilter };

/** How many deliveries `replayDeliveries` would replay with this filter. Errors: invalid_request (filter), not_found. */
export async function replayCount(
  em: EntityManager,
  { operatorId, endpointId, filter, now }: Asked & { operatorId: string; now: Date },
): Promise<ReplayCount> {
  refuseInvalid(filterErrors(filter, 'filter'));
  const { no } = await ownWebhookEndpoint(em, operatorId, endpointId);
  const { numbers: _, ...counted } = await countOf(em, chosenOf(no, filter, { until: now, now }), now);
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
  refuseInvalid([
    ...filterErrors(filter, 'input.filter'),
    ...countErrors(expectedCount),
    ...(until <= now ? [] : [{ path: 'input.until', message: 'This time is in the future.' }]),
  ]);
  return em.transactional(async (tx) => {
    const endpoint = await ownWebhookEndpoint(tx, actor.operatorId, endpointId);
    refuseUnlessActive(endpoint);
    const found = await countOf(tx, chosenOf(endpoint.no, filter, { until, now }), now);
    if (found.count !== expectedCount || found.selectionDigest !== selectionDigest) {
      throw new DomainError('conflict', {
        detail: `The filter no longer finds the same deliveries: ${found.count} now, ${expectedCount} when they were counted. Nothing was replayed. Check the list and the count again.`,
      });
    }
    await takeAttempt(tx, { kind: 'replay_operator', source: actor.operatorId }, now, expectedCount);
    const id = newId('wrp');
    await sql(tx, orderSql, [id, endpoint.no, found.numbers, expectedCount, actor.operatorId, now]);
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
insert into webhook_replay (id, endpoint_no, deliveries, count, ordered_by, ordered_at) values ($1, $2, $3, $4, $5, $6)`;

/** What a filter chooses of an endpoint's deliveries. Without states, the dead letters. */
function chosenOf(endpointNo: number, filter: ReplayFilter, { until, now }: { until: Date; now: Date }): Chosen {
  const states = filter.states?.length ? filter.states : deliveryStates.filter((state) => state !== 'delivered');
  return {
    ...rangesOf({ ...filter, states }),
    endpointNo,
    deliveryIds: filter.deliveryIds?.length ? [...new Set(filter.deliveryIds)] : null,
    until,
    occurredAfter: replayableSince(now),
  };
}

/** The digest is of the numbers in order, whatever order they are read in. */
async function countOf(em: EntityManager, chosen: Chosen, now: Date): Promise<ReplayCount & { readonly numbers: readonly string[] }> {
  const most = limits.deliveriesReplayedAtOnce;
  const { text, values } = chosenSql(chosen, most + 1);
  const [row] = await sql<{ found: number; digest: string; numbers: string[] }>(
    em,
    `select count(*)::int as found, coalesce(array_agg(no::text order by no), '{}') as numbers, encode(sha256(coalesce(string_agg(no::text, ' ' order by no), '')::bytea), 'hex') as digest from (${text}) c`,
    values,
  );
  const { found = 0, digest = '', numbers = [] } = row ?? {};
  return { count: Math.min(found, most), tooMany: found > most, selectionDigest: digest, until: now, numbers };
}

function filterErrors(filter: ReplayFilter, path: string): FieldError[] {
  const { deliveryIds, states } = filter;
  const most = limits.pageSize;
  const found = timeErrors(filter, `${path}.`);
  if (deliveryIds && (deliveryIds.length > most || !deliveryIds.every((id) => hasIdForm('dlv', id))))
    found.push({ path: `${path}.deliveryIds`, message: `Choose at most ${most} deliveries by their IDs, which begin with dlv_.` });
  if (states?.some((state) => !replayableDeliveryStates.some((replayable) => replayable === state)))
    found.push({ path: `${path}.states`, message: 'Only delivered and dead deliveries can be replayed.' });
  return found;
}

function countErrors(expectedCount: number): FieldError[] {
  const most = limits.deliveriesReplayedAtOnce;
  const path = 'input.expectedCount';
  if (expectedCount < 1)
    return [{ path, message: 'Send a count of at least 1. Where the filter finds nothing, there is nothing to replay.' }];
  if (expectedCount <= most) return [];
  return [{ path, message: `At most ${numberWords(most)} deliveries can be replayed at once. Choose a narrower filter.` }];
}

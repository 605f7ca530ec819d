import type { ChallengeStep } from '../../../server/domain/webhook/challenge/challengeSteps.ts';
import { attemptDurationBounds, durationPlace } from '../../../server/domain/webhook/delivery/attemptChart.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { HoldReason } from '../../../server/domain/outbox/deliveryFacts.ts';
import type { Rows } from '../world/Rows.ts';
import { storedDelivery } from '../webhooks/deliveryRows.ts';
import { webhookEndpoint } from '../webhooks/endpointRows.ts';

const minute = 60_000;
const hour = 60 * minute;

type UsedEndpoint = {
  readonly clientNumber: number;
  readonly url: string;
  readonly addedAt: Date;
  readonly lastSuccessAt: Date;
  /** Since when every attempt has failed; null where the last one succeeded. */
  readonly failingSince: Date | null;
  readonly removedAt: Date | null;
  /** Dead letters of an endpoint that works: events of one type that its receiver does not accept. */
  readonly refused: number;
  /** Why three deliveries wait; null: none does. */
  readonly heldFor: HoldReason | null;
};

/** An endpoint with deliveries of some days and their attempts, which tell the same as the times of its last success and first failure. */
export async function usedEndpoint(database: Rows, described: UsedEndpoint): Promise<void> {
  const { clientNumber, url, addedAt, lastSuccessAt, failingSince, removedAt, refused, heldFor } = described;
  const endpoint = await webhookEndpoint(database, clientNumber, {
    url,
    status: removedAt ? 'removed' : 'active',
    at: addedAt,
    description: '',
  });
  const stored = { endpoint, clientNumber };
  const before = (end: Date, hours: number) => new Date(end.getTime() - hours * hour);
  for (let n = 23; n >= 0; n -= 1) {
    await storedDelivery(database, { ...stored, state: 'delivered', at: before(lastSuccessAt, 3 * n), attempts: 1, answer: taken });
  }
  for (let n = refused; n > 0; n -= 1) {
    await storedDelivery(database, { ...stored, ...unknownType, at: before(lastSuccessAt, n) });
  }
  for (let n = heldFor === null ? 0 : 3; n > 0; n -= 1) {
    await storedDelivery(database, {
      ...stored,
      state: 'held',
      reason: heldFor,
      type: 'resource.updated',
      at: before(lastSuccessAt, -7 * n),
    });
  }
  const failures = failingSince ? await failedDeliveries(database, stored, failingSince) : 0;
  await charted(database, endpoint.number);
  await database.rows(
    `update webhook_endpoint set last_success_at = $2, failing_since = $3, failures_in_row = $4, removed_at = $5,
       status_changed_at = coalesce($5, status_changed_at) where number = $1`,
    [endpoint.number, lastSuccessAt, failingSince, failures, removedAt],
  );
}

const taken = { status: 204, response: null };
const unknownType = {
  state: 'dead',
  type: 'resource.updated',
  attempts: 1,
  answer: { status: 422, response: 'Unknown type: resource.updated' },
} as const;

type Stored = { readonly endpoint: { readonly number: number }; readonly clientNumber: number };

/** Twelve dead letters, and four deliveries that are tried again: forty failed attempts, which it returns, the first at this moment. */
async function failedDeliveries(database: Rows, stored: Stored, since: Date): Promise<number> {
  const [letters, waiting, retries] = [12, 4, 7];
  for (let n = 0; n < letters; n += 1) {
    const at = new Date(since.getTime() + 2 * n * hour);
    // Some answers say that nobody is there, others that nobody knows the type.
    await storedDelivery(database, { ...stored, state: 'dead', attempts: 1, at, ...(n % 3 === 2 ? unknownType : {}) });
  }
  for (let n = 0; n < waiting; n += 1) {
    const at = new Date(since.getTime() + 25 * hour + (15 + n) * minute);
    await storedDelivery(database, {
      ...stored,
      state: 'pending',
      attempts: retries,
      at,
      answer: { status: 503, response: 'Come back later' },
    });
  }
  return letters + waiting * retries;
}

/** Moves attempts to the times at which deliveries are tried again, and counts them by the hour. */
async function charted(database: Rows, endpointNumber: number): Promise<void> {
  await database.rows(
    `update webhook_attempt a set started_at = d.created_at + (2 ^ (a.number - 1) - 1) * interval '30 seconds'
       from webhook_delivery d where d.number = a.delivery_number and d.endpoint_number = $1`,
    [endpointNumber],
  );
  await database.rows(
    `update webhook_delivery set next_attempt_at = created_at + (2 ^ attempts - 1) * interval '30 seconds' where endpoint_number = $1 and state = 'pending'`,
    [endpointNumber],
  );
  // Every stored attempt took so many milliseconds.
  const place = durationPlace(12);
  await database.rows(
    `insert into webhook_attempt_hour (endpoint_number, hour, outcome, count, durations)
     select endpoint_number, hour, outcome, count(*), array_fill(0, array[$2::int]) || count(*)::int || array_fill(0, array[$3::int])
       from (select a.endpoint_number, date_trunc('hour', a.started_at, 'UTC') as hour,
                    case when a.status < 300 then 'delivered' when d.state = 'dead' then 'dead' else 'retried' end as outcome
               from webhook_attempt a join webhook_delivery d on d.number = a.delivery_number where d.endpoint_number = $1) a
      group by endpoint_number, hour, outcome`,
    [endpointNumber, place, attemptDurationBounds.length - place],
  );
}

/** An endpoint that was added, and whose server was asked and refused the connection. */
export async function unprovenEndpoint(database: Rows, clientNumber: number, at: Date): Promise<void> {
  const endpoint = await webhookEndpoint(database, clientNumber, {
    url: 'https://next.hooks.example.com/orders',
    status: 'registered',
    at,
    description: '',
  });
  const steps: ChallengeStep[] = [
    { name: 'addresses', outcome: 'passed', at: at.toISOString(), tookMs: 12, facts: ['203.0.113.20'] },
    { name: 'connection', outcome: 'failed', at: at.toISOString(), tookMs: 31, failure: 'connection_refused', facts: ['203.0.113.20'] },
  ];
  await database.rows(
    `insert into webhook_challenge (id, endpoint_number, url, status, requested_at, requested_by, finished_at, failure, steps)
     select $1, number, url, 'failed', $2, created_by, $2, 'connection_refused', $3::jsonb from webhook_endpoint where number = $4`,
    [newId('whc'), at, JSON.stringify(steps), endpoint.number],
  );
}

import { attemptResult, type DeliveryResult } from '../../../server/domain/webhook/delivery/deliveryResult.ts';
import type { Query } from '../../../server/domain/shared/query.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { ClaimedDeliveries } from '../../../workers/webhooks/ClaimedDeliveries.ts';
import { ResultWriter } from '../../../workers/webhooks/ResultWriter.ts';
import { DeliveryCounters } from '../../../workers/webhooks/DeliveryCounters.ts';
import { WebhookPump } from '../../../workers/webhooks/WebhookPump.ts';

export const now = Date.parse('2026-11-22T12:00:00.000Z');
const logger = createLogger('test', 'silent');
export const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 5));

type Answer = number | 'silent' | 'slow' | 'impossible';

/** What tests change while the pump runs. */
type Conditions = {
  ready: () => Promise<boolean>;
  elapsed: number;
  operatorOf: (endpointNumber: number) => string;
  url: string;
  /** What the database answers to a write, unless it takes it. */
  writeRefusal?: Error | undefined;
};

/**
 * A pump on a table in memory: deliveries are numbers, a thousand for each endpoint. What is answered slowly or silently waits until the test
 * ends it (`release`).
 */
export function pumpOn(waiting: Readonly<Record<number, number>>, answer: (endpointNumber: number, attempt: number) => Answer) {
  const conditions: Conditions = {
    ready: () => Promise.resolve(true),
    elapsed: 0,
    operatorOf: (endpointNumber) => `opr_${endpointNumber}`,
    url: 'https://a.test',
  };
  const failures: unknown[] = [];
  const pending = new Map(
    Object.entries(waiting).flatMap(([endpoint, count]) =>
      Array.from({ length: count }, (_, index) => [Number(endpoint) * 1_000 + index, Number(endpoint)] as const),
    ),
  );
  const attempts: number[] = [];
  const permissions: (() => boolean)[] = [];
  const inFlight = new Map<number, number>();
  const most = new Map<number, number>();
  const release: (() => void)[] = [];
  const dueAt = new Map<number, number>();
  let reads = 0;
  let answered: Promise<void> | undefined;
  const numbers = (parameter: unknown) => String(parameter).slice(1, -1).split(',').filter(Boolean).map(Number);
  const due = (number: number) => dueAt.get(number) ?? now;
  const query: Query = async <Row>(text: string, parameters: readonly unknown[]) => {
    if (!text.includes('cross join lateral (\n    select * from webhook_delivery q'))
      return [...Map.groupBy(pending, ([, endpointNumber]) => endpointNumber)].map(([endpoint_number, of]) => ({
        endpoint_number,
        due_at: Math.min(...of.map(([number]) => due(number))),
      })) as Row[];
    reads += 1;
    const [endpoints, rooms, floors] = [numbers(parameters[0]), numbers(parameters[1]), numbers(parameters[3])];
    const claimed = [...String(parameters[2]).matchAll(/"\{([\d,-]*)\}"/g)].map(([, held]) => new Set(numbers(`{${held}}`)));
    const rows = endpoints.flatMap((endpointNumber, index) =>
      [...pending]
        .filter(
          ([number, endpoint]) =>
            endpoint === endpointNumber && !claimed[index]?.has(number) && due(number) >= (floors[index] ?? 0) && due(number) <= now,
        )
        .slice(0, rooms[index])
        .map(([number]) => ({
          ...rowOf(number, endpointNumber, due(number)),
          operator_id: conditions.operatorOf(endpointNumber),
          url: conditions.url,
        })),
    ) as Row[];
    await answered;
    return rows;
  };
  const claimed = new ClaimedDeliveries();
  const stored: DeliveryResult[] = [];
  const writeQuery: Query = async (_text, parameters) => {
    if (conditions.writeRefusal) throw conditions.writeRefusal;
    // Without a next attempt, it is over.
    const next = String(parameters[5]).slice(1, -1).split(',');
    for (const [place, number] of numbers(parameters[0]).entries()) {
      if (next[place]?.toLowerCase() === 'null') pending.delete(number);
      else dueAt.set(number, Number(next[place]));
    }
    return [];
  };
  const writer = new ResultWriter({ query: writeQuery, claimed, logger });
  const pump = new WebhookPump({
    query,
    clock: { now: () => new Date(now) },
    claimed,
    writer,
    counters: new DeliveryCounters(),
    logger,
    elapsed: () => conditions.elapsed,
    ready: () => conditions.ready(),
    onFailure: (error) => failures.push(error),
    onHeld: () => {},
    onRecovered: () => {},
    attempt: async (delivery, mayStart) => {
      const { number, endpointNumber } = delivery;
      attempts.push(number);
      permissions.push(mayStart);
      inFlight.set(endpointNumber, (inFlight.get(endpointNumber) ?? 0) + 1);
      most.set(endpointNumber, Math.max(most.get(endpointNumber) ?? 0, inFlight.get(endpointNumber) ?? 0));
      const status = answer(endpointNumber, attempts.length);
      if (status === 'impossible') throw new Error('This event cannot be told.');
      await (typeof status === 'string' ? new Promise<void>((resolve) => release.push(resolve)) : nextTurn());
      inFlight.set(endpointNumber, (inFlight.get(endpointNumber) ?? 0) - 1);
      const totalUs = status === 'slow' ? 14_000_000 : 1;
      const phases = { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs };
      const ended = status === 'silent' ? { error: 'timeout' as const } : { status: status === 'slow' ? 200 : status };
      const result = attemptResult(delivery, {
        startedAt: now,
        endedAt: now,
        keyId: 'k',
        bodySha256: null,
        answer: { addresses: [], address: null, phases, ...ended },
      });
      stored.push(result);
      return result;
    },
  });
  writer.onStored = () => pump.resume();
  const answerWhen = (when: Promise<void>) => {
    answered = when;
  };
  return {
    pump,
    writer,
    attempts,
    permissions,
    stored,
    most,
    pending,
    release,
    reads: () => reads,
    claimed,
    dueAt,
    answerWhen,
    conditions,
    failures,
  };
}

function rowOf(number: number, endpointNumber: number, dueAt: number) {
  return {
    number,
    endpoint_number: endpointNumber,
    state: 'pending',
    held_for: null,
    attempts: 0,
    window_ends_at: now + 1e9,
    discard: null,
    hold: null,
    endpoint_id: `whk_${endpointNumber}`,
    url: 'https://a.test',
    environment: 'sandbox',
    failures_in_row: endpointNumber < 100 ? 0 : 5,
    failing_since: null,
    last_success_at: null,
    event_id: `evt_${number}`,
    type: 'integration.suspended',
    occurred_at: now,
    connection_id: null,
    resource_id: null,
    core: null,
    due_at: dueAt,
  };
}

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
export type Conditions = {
  ready: () => Promise<boolean>;
  elapsed: number;
  operatorOf: (endpointNo: number) => string;
  url: string;
  /** What the database answers to a write, unless it takes it. */
  writeRefusal?: Error | undefined;
};

/**
 * A pump on a table in memory: deliveries are numbers, a thousand for each endpoint. What is answered slowly or silently waits until the test
 * ends it (`release`).
 */
export function pumpOn(waiting: Readonly<Record<number, number>>, answer: (endpointNo: number, attempt: number) => Answer) {
  const conditions: Conditions = {
    ready: () => Promise.resolve(true),
    elapsed: 0,
    operatorOf: (endpointNo) => `opr_${endpointNo}`,
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
  const due = (no: number) => dueAt.get(no) ?? now;
  const query: Query = async <Row>(text: string, parameters: readonly unknown[]) => {
    if (!text.includes('cross join lateral (\n    select * from webhook_delivery q'))
      return [...Map.groupBy(pending, ([, endpointNo]) => endpointNo)].map(([endpoint_no, of]) => ({
        endpoint_no,
        due_at: Math.min(...of.map(([no]) => due(no))),
      })) as Row[];
    reads += 1;
    const [endpoints, rooms, floors] = [numbers(parameters[0]), numbers(parameters[1]), numbers(parameters[3])];
    const claimed = [...String(parameters[2]).matchAll(/"\{([\d,-]*)\}"/g)].map(([, held]) => new Set(numbers(`{${held}}`)));
    const rows = endpoints.flatMap((endpointNo, index) =>
      [...pending]
        .filter(
          ([no, endpoint]) => endpoint === endpointNo && !claimed[index]?.has(no) && due(no) >= (floors[index] ?? 0) && due(no) <= now,
        )
        .slice(0, rooms[index])
        .map(([no]) => ({ ...rowOf(no, endpointNo, due(no)), operator_id: conditions.operatorOf(endpointNo), url: conditions.url })),
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
    for (const [place, no] of numbers(parameters[0]).entries()) {
      if (next[place]?.toLowerCase() === 'null') pending.delete(no);
      else dueAt.set(no, Number(next[place]));
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
      const { no, endpointNo } = delivery;
      attempts.push(no);
      permissions.push(mayStart);
      inFlight.set(endpointNo, (inFlight.get(endpointNo) ?? 0) + 1);
      most.set(endpointNo, Math.max(most.get(endpointNo) ?? 0, inFlight.get(endpointNo) ?? 0));
      const status = answer(endpointNo, attempts.length);
      if (status === 'impossible') throw new Error('This event cannot be told.');
      await (typeof status === 'string' ? new Promise<void>((resolve) => release.push(resolve)) : nextTurn());
      inFlight.set(endpointNo, (inFlight.get(endpointNo) ?? 0) - 1);
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

function rowOf(no: number, endpointNo: number, dueAt: number) {
  return {
    no,
    endpoint_no: endpointNo,
    state: 'pending',
    held_for: null,
    attempts: 0,
    window_ends_at: now + 1e9,
    discard: null,
    hold: null,
    endpoint_id: `whk_${endpointNo}`,
    url: 'https://a.test',
    environment: 'sandbox',
    failures_in_row: endpointNo < 100 ? 0 : 5,
    failing_since: null,
    last_success_at: null,
    event_id: `evt_${no}`,
    type: 'integration.suspended',
    occurred_at: now,
    connection_id: null,
    resource_id: null,
    core: null,
    due_at: dueAt,
  };
}

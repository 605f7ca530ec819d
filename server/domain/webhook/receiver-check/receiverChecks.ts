import type { EntityManager } from '@mikro-orm/postgresql';
import { isOver } from '../checkTimes.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { OutboundErrorKind } from '../WebhookTransport.ts';
import { probeKinds, probes, type ProbeKind, type ProbeVerdict } from './probes.ts';

/** What one probe brought to light, as it is stored. */
export type StoredProbe = {
  readonly kind: ProbeKind;
  readonly status: number | null;
  readonly error: OutboundErrorKind | null;
  readonly tookMs: number | null;
  readonly verdict: ProbeVerdict;
  readonly mend: string | null;
};
/** The same with its words. */
type ProbeResult = StoredProbe & { readonly title: string; readonly expectation: string };

export const receiverCheckStates = ['running', 'finished', 'failed'] as const;

/** The last check of an endpoint's receiver. While one is under way, the results are those of the check before. */
export type ReceiverCheck = {
  readonly id: string;
  readonly state: (typeof receiverCheckStates)[number];
  /** Why it could not be made, in words. */
  readonly failure: string | null;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  /** When the results were found; null while there are none. */
  readonly probedAt: Date | null;
  /** Whether every probe was answered as the specification demands. Only that of production may be left out. */
  readonly passed: boolean;
  readonly probes: readonly ProbeResult[];
};

type Row = {
  readonly endpointNumber: number;
  readonly id: string;
  readonly failure: string | null;
  readonly requestedAt: Date;
  readonly begunAt: Date | null;
  readonly finishedAt: Date | null;
  readonly probedAt: Date | null;
  readonly probes: readonly StoredProbe[];
};

/** By the primary key. Results for another URL say nothing about the present one, nor do those of the sandbox about production. */
const checksSql = `
select c.endpoint_number as "endpointNumber", c.id, c.failure, c.requested_at as "requestedAt", c.begun_at as "begunAt", c.finished_at as "finishedAt",
       case when c.url = p.url then c.probed_at end as "probedAt", case when c.url = p.url then c.probes else '[]' end as probes
  from webhook_receiver_check c join webhook_endpoint p on p.number = c.endpoint_number join client k on k.number = p.client_number and k.environment = 'sandbox' where c.endpoint_number = any ($1::int[])`;

/** The last check of each of these endpoints. */
export async function receiverChecksOf(
  em: EntityManager,
  endpointNumbers: readonly number[],
  now: Date,
): Promise<(ReceiverCheck | null)[]> {
  const rows = await sql<Row>(em, checksSql, [endpointNumbers]);
  return endpointNumbers.map((number) => {
    const row = rows.find(({ endpointNumber }) => endpointNumber === number);
    return row ? checkOf(row, now) : null;
  });
}

/** The last check of one endpoint. */
export async function receiverCheckOf(
  em: EntityManager,
  { number }: { readonly number: number },
  now: Date,
): Promise<ReceiverCheck | null> {
  return (await receiverChecksOf(em, [number], now))[0] ?? null;
}

const abandoned = 'The check did not finish, because no worker was running or one was stopped. Start it again.';

function checkOf({ id, failure, requestedAt, begunAt, finishedAt, probedAt, probes: stored }: Row, now: Date): ReceiverCheck {
  const over = isOver({ requestedAt, begunAt, finishedAt }, webhookLimits.receiverCheckTimes, now);
  const found = probeKinds.flatMap((kind) => stored.filter((probe) => probe.kind === kind));
  return {
    id,
    state: failure !== null || over ? 'failed' : finishedAt === null ? 'running' : 'finished',
    failure: over ? abandoned : failure,
    requestedAt,
    finishedAt,
    probedAt,
    passed:
      found.length > 0 &&
      found.every(
        ({ kind, verdict }) =>
          verdict === 'passed' ||
          (verdict === 'advice' && probes[kind].expected === 'either') ||
          (verdict === 'not_sent' && kind === 'production'),
      ),
    probes: found.map((probe) => ({ ...probe, title: probes[probe.kind].title, expectation: probes[probe.kind].expectation })),
  };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { isUnderWay } from '../checkTimes.ts';
import type { Clock } from '../../shared/clock.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { CurrentDeliveryKey } from '../signing/deliveryKey.ts';
import type { WebhookTransport } from '../WebhookTransport.ts';
import { judgeProbe } from './judgeProbe.ts';
import { makeProbe, newProbeEvent } from './makeProbe.ts';
import { probeKinds } from './probes.ts';
import type { StoredProbe } from './receiverChecks.ts';
import { webhookEndpointFacts } from '../../outbox/webhookEndpointFacts.ts';
import { type WebhookEndpointStatus } from '../../outbox/webhookEndpointStatus.ts';
import { factsIn } from '../../shared/lifecycle.ts';

type RunReceiverCheck = {
  readonly receiverCheckId: string;
  readonly transport: WebhookTransport;
  /** The key that signs at this moment. */
  readonly signingKey: CurrentDeliveryKey;
  /** The origin of the machine API. */
  readonly source: string;
  readonly clock: Clock;
};

type Checked = { readonly number: number; readonly url: string; readonly clientNumber: number; readonly status: WebhookEndpointStatus };

/** Probes in a row without an answer. The others would wait as long, and would tell nothing new. */
const unansweredAtMost = 2;

const productionWithheld =
  'It is sent only after the good delivery was accepted, and to no URL that is registered for production: the receiver there would take it for an event.';

const openSql = `
select p.number, p.url, p.client_number as "clientNumber", p.status from webhook_receiver_check c join webhook_endpoint p on p.number = c.endpoint_number
 where c.id = $1 and ${isUnderWay('c', '$2', webhookLimits.receiverCheckTimes)}`;
const beginSql = 'update webhook_receiver_check set begun_at = $2 where id = $1 and begun_at is null and finished_at is null';
/** Whether anybody has, or had, this very URL for production. The hash index of URLs. */
const productionSql = `
select 1 from webhook_endpoint p join client c on c.number = p.client_number where p.url = $1 and c.environment = 'production' limit 1`;
const finishSql = `
update webhook_receiver_check set probes = $2::jsonb, url = $3, probed_at = $4, finished_at = $4 where id = $1 and finished_at is null`;
const failSql = `update webhook_receiver_check set failure = $2, finished_at = $3 where id = $1 and finished_at is null`;

/**
 * Sends the probes of a check one after the other through the guarded way out, and stores what came back. Nothing but its beginning
 * is written before the last answer, so a check that was interrupted begins again. If the good delivery meets no receiver at all, or two probes in a row get no
 * answer, nothing else is sent; nor if the endpoint is paused, changed or removed between two probes. Nobody’s receiver of production gets a
 * signed event about nothing: one that verifies signatures takes only those for its own registered URL, so it would have to be registered
 * here, and one that is not registered yet refuses the good delivery, which is of the sandbox.
 */
export async function runReceiverCheck(
  em: EntityManager,
  { receiverCheckId, transport, signingKey, source, clock }: RunReceiverCheck,
): Promise<void> {
  const read = async (): Promise<Checked | undefined> => (await sql<Checked>(em, openSql, [receiverCheckId, clock.now()]))[0];
  const endpoint = await read();
  if (!endpoint) return;
  await sql(em, beginSql, [receiverCheckId, clock.now()]);
  const { url, clientNumber } = endpoint;
  const basis = { url, source, event: newProbeEvent(), occurredAt: clock.now(), beganAt: clock.now() };
  const results: StoredProbe[] = [];
  let unanswered = 0;
  for (const kind of probeKinds) {
    if (unanswered >= unansweredAtMost) {
      results.push({ kind, status: null, error: null, tookMs: null, verdict: 'not_sent', mend: null });
      continue;
    }
    const present = await read();
    if (!present) return;
    if (factsIn(webhookEndpointFacts, present.status).receives !== 'yes' || present.url !== url || present.clientNumber !== clientNumber) {
      const failure = 'The endpoint was paused, changed or removed before the check had ended.';
      await sql(em, failSql, [receiverCheckId, failure, clock.now()]);
      return;
    }
    if (kind === 'production' && !(await mayGetProduction(em, url, results))) {
      results.push({ kind, status: null, error: null, tookMs: null, verdict: 'not_sent', mend: productionWithheld });
      continue;
    }
    const request = makeProbe(kind, { ...basis, key: await signingKey(), now: clock.now() });
    const answer = await transport.postGuarded({ url, ...request, limits: webhookLimits.webhookDelivery });
    if (answer.error === 'interrupted') throw new Error('The check was interrupted, and begins again.');
    const found = { status: answer.status ?? null, error: answer.error ?? null };
    results.push({ kind, ...found, tookMs: Math.round(answer.phases.totalUs / 1000), ...judgeProbe(kind, found) });
    if (found.error === null) unanswered = 0;
    else unanswered = kind === 'good' ? unansweredAtMost : unanswered + 1;
  }
  await sql(em, finishSql, [receiverCheckId, JSON.stringify(results), url, clock.now()]);
}

async function mayGetProduction(em: EntityManager, url: string, [good]: readonly StoredProbe[]): Promise<boolean> {
  return good?.verdict === 'passed' && (await sql(em, productionSql, [url])).length === 0;
}

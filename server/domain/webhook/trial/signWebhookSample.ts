import type { EntityManager } from '@mikro-orm/postgresql';
import { findSharedResource } from '../../feed/findSharedResource.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import { sql } from '../../shared/sql.ts';
import { deliveryEnvelope, eventTimestamp, type EnclosedSnapshot } from '../envelope.ts';
import { eventTypeFacts } from '../../outbox/eventTypeFacts.ts';
import type { WebhookEventType } from '../../outbox/eventTypes.ts';
import type { CurrentDeliveryKey } from '../signing/deliveryKey.ts';
import { signDelivery } from '../signing/signDelivery.ts';
import type { SandboxFixture } from './sandboxFixture.ts';

type Sample = {
  readonly type: WebhookEventType;
  readonly url: string;
  readonly clientNumber: number;
  readonly payloadMode: 'notification' | 'full_payload';
  /** As JSON: its times are texts. */
  readonly event: {
    readonly [Name in keyof SandboxFixture]: SandboxFixture[Name] extends Date | null ? string | null : SandboxFixture[Name];
  };
};

const openSql = `
select s.type, s.url, s.event, p.client_number as "clientNumber", p.payload_mode as "payloadMode"
  from webhook_sample s join webhook_endpoint p on p.number = s.endpoint_number where s.id = $1 and s.headers is null`;
const signedSql = `update webhook_sample set headers = $2::jsonb, body = $3 where id = $1`;

type SignWebhookSample = {
  readonly sampleId: string;
  readonly signingKey: CurrentDeliveryKey;
  /** The origin of the machine API. */
  readonly source: string;
  readonly clock: Clock;
};

/** Signs a sample that was asked for. Its event is on record nowhere. */
export async function signWebhookSample(em: EntityManager, { sampleId, signingKey, source, clock }: SignWebhookSample): Promise<void> {
  const [sample] = await sql<Sample>(em, openSql, [sampleId]);
  if (!sample) return;
  const { type, url } = sample;
  const deadline = sample.event.deletionDeadlineAt;
  const occurredAt = clock.now();
  const event = { ...sample.event, deletionDeadlineAt: deadline === null ? null : new Date(deadline), id: newId('evt'), type, occurredAt };
  const body = deliveryEnvelope({ event, source, environment: 'sandbox', snapshot: await snapshotOf(em, sample) });
  const headers = signDelivery({
    url,
    body: Buffer.from(body),
    eventId: event.id,
    eventTimestamp: eventTimestamp(event),
    created: Math.floor(occurredAt.getTime() / 1000),
    key: await signingKey(),
  });
  await sql(em, signedSql, [sampleId, JSON.stringify(headers), body]);
}

/** What a full payload encloses, as the detail response has it. */
async function snapshotOf(
  em: EntityManager,
  { type, payloadMode, clientNumber, event: { resource } }: Sample,
): Promise<EnclosedSnapshot | undefined> {
  if (payloadMode !== 'full_payload' || resource === null || eventTypeFacts[type].about !== 'resource') return undefined;
  const found = await findSharedResource((text, parameters) => sql(em, text, parameters), { clientNumber, ...resource });
  if (found.state !== 'live') return undefined;
  const { history_complete: historyComplete } = JSON.parse(found.text) as { history_complete: boolean };
  return { text: found.text, historyComplete };
}

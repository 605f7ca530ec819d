import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { hasIdForm, newId } from '../../shared/ids.ts';
import { enqueue } from '../../shared/jobs.ts';
import { sql } from '../../shared/sql.ts';
import type { WebhookEventType } from '../../outbox/eventTypes.ts';
import { curlCommand } from './curlCommand.ts';
import { loopbackErrors } from './loopbackUrl.ts';
import { ownSandboxEndpoint } from './ownSandboxEndpoint.ts';
import { sandboxFixture } from './sandboxFixture.ts';

/** A delivery for a receiver on the reader's own machine. */
export type SignedSample = {
  readonly id: string;
  readonly type: WebhookEventType;
  readonly url: string;
  /** The request as a command; null until a worker has signed it. */
  readonly command: string | null;
};

type Row = Omit<SignedSample, 'command'> & { readonly headers: Record<string, string> | null; readonly body: string | null };

const requestSql = `
insert into webhook_sample (id, endpoint_number, type, url, requested_by, requested_at, event) values ($1, $2, $3, $4, $5, $6, $7)`;
const sampleSql = `
select s.id, s.type, s.url, s.headers, s.body from webhook_sample s join webhook_endpoint p on p.number = s.endpoint_number
  join integration i on i.id = p.integration_id and i.operator_id = $2 where s.id = $1`;

type Request = {
  readonly actor: OperatorActor;
  readonly endpointId: string;
  readonly type: WebhookEventType;
  readonly url: string;
  readonly now: Date;
};

/**
 * Asks for a request as the endpoint would get it about something in its sandbox, signed for a URL on the reader's own machine
 * (docs/specification.md, “Test events and samples”). A worker signs it, because only workers have the keys. Errors: not_found,
 * invalid_request (`url`), conflict (production, removed, nothing to refer to), rate_limit_exceeded (60 an hour).
 */
export function requestSignedSample(em: EntityManager, { actor, endpointId, type, url, now }: Request): Promise<SignedSample> {
  refuseInvalid(loopbackErrors(url, 'input.url'));
  return em.transactional(async (tx) => {
    const endpoint = await ownSandboxEndpoint(tx, actor.operatorId, endpointId);
    await takeAttempt(tx, { kind: 'signed_sample_endpoint', source: endpointId }, now);
    const fixture = await sandboxFixture(tx, endpoint.clientNumber, type);
    const id = newId('wsm');
    await sql(tx, requestSql, [id, endpoint.number, type, url, actor.operatorId, now, JSON.stringify(fixture)]);
    await enqueue(tx, 'signWebhookSample', { sampleId: id });
    await record(tx, actor, now, {
      action: 'webhook_endpoint.sample_signed',
      subject: { type: 'webhook_endpoint', id: endpointId },
      integrationId: endpoint.integrationId,
      // Its path may hold a secret.
      details: { eventType: type, origin: new URL(url).origin, sampleId: id },
    });
    return { id, type, url, command: null };
  });
}

/** One of the operator's own samples, which is kept for an hour. Errors: not_found. */
export async function signedSample(em: EntityManager, operatorId: string, sampleId: string): Promise<SignedSample> {
  const [row] = hasIdForm('wsm', sampleId) ? await sql<Row>(em, sampleSql, [sampleId, operatorId]) : [];
  if (!row) throw new DomainError('not_found', { detail: 'There is no such sample. They are kept for an hour.' });
  const { id, type, url, headers, body } = row;
  return { id, type, url, command: headers && body !== null ? curlCommand({ url, headers, body }) : null };
}

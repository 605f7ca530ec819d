import { acknowledgeRevocation as acknowledge } from '../../server/domain/sharing/deletion/acknowledgeRevocation.ts';
import { readIdempotencyKey } from '../request/readIdempotencyKey.ts';
import { invalidBody } from '../answer/problemDetails.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/**
 * POST /v1/revocations/{revocation_id}/ack: the operator has deleted every copy. It can safely be repeated with the same Idempotency-Key.
 */
export async function acknowledgeRevocation(call: Call, { run, clock }: Services): Promise<Answer> {
  const idempotencyKey = readIdempotencyKey(call.header('idempotency-key'));
  const { deletion_completed: deletionCompleted } = call.body;
  if (typeof deletionCompleted !== 'boolean') throw invalidBody('/deletion_completed', 'Must be true or false.');
  const revocationId = call.parameters['revocation_id'] ?? '';
  const { actor, client } = call;
  const { acknowledgedAt } = await run(client.number, (em) =>
    acknowledge(em, { actor, client, revocationId, idempotencyKey, deletionCompleted, now: clock.now() }),
  );
  return { body: { revocation_id: revocationId, status: 'acknowledged', acknowledged_at: acknowledgedAt.toISOString() } };
}

import { type CallFacts, curlWithCertificate } from './firstCallCommands.ts';

/** The call that redeems a link code. The code is sent in the body, never in the address. */
export function redeemCommand(code: string, facts: CallFacts): string {
  return `${curlWithCertificate(facts)} \\
  -H 'Content-Type: application/json' \\
  -d '{"code": "${code}"}' ${facts.machineApiUrl}/link-codes/redeem`;
}

/** An idempotency key that stays the same however often this deletion is acknowledged. */
function idempotencyKey(revocationId: string): string {
  return `deleted-${revocationId}`;
}

/** The call that acknowledges a completed deletion. */
export function acknowledgementCommand(revocationId: string, facts: CallFacts): string {
  return `${curlWithCertificate(facts)} \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: ${idempotencyKey(revocationId)}' \\
  -d '{"deletion_completed": true}' ${facts.machineApiUrl}/revocations/${revocationId}/ack`;
}

/** The calls that acknowledge several, one after the other. */
export function acknowledgementLoop(revocationIds: readonly string[], facts: CallFacts): string {
  return `for id in ${revocationIds.join(' ')}; do
  ${curlWithCertificate(facts)} \\
    -H 'Content-Type: application/json' -H "Idempotency-Key: ${idempotencyKey('$id')}" \\
    -d '{"deletion_completed": true}' "${facts.machineApiUrl}/revocations/$id/ack"
done`;
}

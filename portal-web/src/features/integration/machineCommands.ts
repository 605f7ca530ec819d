import { type CallFacts, type Commands, copyFile, curlWithCertificate, syncWithKit } from './firstCallCommands.ts';

/** Redeems a link code. It is sent in the body, never in the address, and the kit reads it from the pipe. */
export function redeemCommands(code: string, facts: CallFacts): Commands {
  return {
    kit: `echo ${code} | npx svc redeem`,
    curl: `${curlWithCertificate(facts)} \\
  -H 'Content-Type: application/json' \\
  -d '{"code": "${code}"}' ${facts.machineApiUrl}/link-codes/redeem`,
  };
}

/** An idempotency key that stays the same however often this deletion is acknowledged. */
function idempotencyKey(revocationId: string): string {
  return `deleted-${revocationId}`;
}

/** Acknowledges completed deletions. The kit takes only those whose tombstones its copy has applied, so it syncs first. */
export function acknowledgementCommands(revocationIds: readonly string[], facts: CallFacts): Commands {
  const [first = ''] = revocationIds;
  return {
    kit: `${syncWithKit} &&\nnpx svc deletions ack ${revocationIds.join(' ')} --into ${copyFile}`,
    curl: revocationIds.length > 1 ? acknowledgementLoop(revocationIds, facts) : acknowledgement(first, facts),
  };
}

function acknowledgement(revocationId: string, facts: CallFacts): string {
  return `${curlWithCertificate(facts)} \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: ${idempotencyKey(revocationId)}' \\
  -d '{"deletion_completed": true}' ${facts.machineApiUrl}/revocations/${revocationId}/ack`;
}

/** The calls that acknowledge several, one after the other. */
function acknowledgementLoop(revocationIds: readonly string[], facts: CallFacts): string {
  return `for id in ${revocationIds.join(' ')}; do
  ${curlWithCertificate(facts)} \\
    -H 'Content-Type: application/json' -H "Idempotency-Key: ${idempotencyKey('$id')}" \\
    -d '{"deletion_completed": true}' "${facts.machineApiUrl}/revocations/$id/ack"
done`;
}

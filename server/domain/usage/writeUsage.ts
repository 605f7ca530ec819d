import { gatherEvidence } from '../evidence/gatherEvidence.ts';
import type { Query } from '../shared/query.ts';
import type { FinishedRequest } from './FinishedRequest.ts';
import { writeUsageSql } from './writeUsage.sql.ts';

/**
 * Writes finished requests, and what those of sandbox clients show for a review, in one statement; writing one again changes nothing.
 * Rejects when the database cannot be asked.
 */
export async function writeUsage(query: Query, requests: readonly FinishedRequest[]): Promise<void> {
  const { evidence, observations } = await gatherEvidence(query, requests);
  await query(writeUsageSql, [JSON.stringify(requests.map(rowOf)), JSON.stringify(evidence), JSON.stringify(observations)]);
}

function rowOf({ client, certificate, certificateAccepted, ...request }: FinishedRequest) {
  return {
    occurred_at: request.occurredAt,
    request_id: request.requestId,
    method: request.method,
    route: request.operation,
    status: request.status,
    problem: request.problem,
    duration_ms: request.durationMs,
    logged: request.logged,
    serial: certificate.serial,
    certificate_accepted: certificateAccepted,
    ...(client
      ? { client_number: client.number, certificate_id: client.certificateId }
      : { fingerprint: certificate.fingerprintSha256, common_name: certificate.commonName }),
  };
}

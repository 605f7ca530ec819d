import { newId } from '../../../server/domain/shared/ids.ts';
import type { FinishedRequest } from '../../../server/domain/usage/FinishedRequest.ts';
import type { TestCertificate, TestClient } from './Fixtures.ts';

/** A request that the machine API has answered, with 200 unless specified otherwise. */
export function finishedRequest(client: TestClient, certificate: TestCertificate, changes: Partial<FinishedRequest> = {}): FinishedRequest {
  return {
    occurredAt: new Date(),
    requestId: newId('req'),
    method: 'GET',
    operation: 'getSync',
    status: 200,
    problem: null,
    durationMs: 1.5,
    certificate: { fingerprintSha256: certificate.fingerprintSha256, serial: certificate.serial, commonName: client.commonName },
    certificateAccepted: true,
    client: { number: client.number, certificateId: certificate.id },
    logged: true,
    sandbox: null,
    ...changes,
  };
}

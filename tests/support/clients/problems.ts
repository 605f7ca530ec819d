import { expect } from '@jest/globals';
import { errorCatalogue, type ErrorCode } from '../../../server/domain/shared/errorCatalogue.ts';
import { testPortalUrl } from '../world/machine.ts';
import type { MachineResponse } from './MachineResponse.ts';

/** Expects the catalogue's problem as RFC 9457 problem details, with these further members. */
export function expectProblem(response: MachineResponse, code: ErrorCode, members: Record<string, unknown> = {}): void {
  const { status, title } = errorCatalogue[code];
  expect(response.body).toMatchObject({
    type: `${testPortalUrl}/problems/${code}`,
    title,
    status,
    code,
    detail: expect.any(String),
    instance: expect.any(String),
    request_id: response.headers['x-request-id'],
    ...members,
  });
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe('application/problem+json');
  // A back end learns from it which limit it has to mind (docs/specification.md, “Quotas”).
  if (code === 'rate_limit_exceeded') {
    expect((response.body as { violated_policies?: string[] }).violated_policies?.length).toBeGreaterThan(0);
  }
  if (status === 401) expect(response.headers['www-authenticate']).toBe('SvcClientCertificate realm="svc"');
}

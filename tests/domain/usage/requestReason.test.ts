import { expect, test } from '@jest/globals';
import type { ErrorCode } from '../../../server/domain/shared/errorCatalogue.ts';
import type { LoggedRequest } from '../../../server/domain/usage/requestLog.ts';
import { requestReason } from '../../../server/domain/usage/requestReason.ts';

const at = (time: string) => new Date(`${time}:00.000Z`);
const certificate = {
  id: 'crt_x',
  notBefore: at('2026-09-01T08:00'),
  notAfter: at('2026-11-30T08:00'),
  usableUntil: at('2026-11-30T08:00'),
  revokedAt: null,
  revocationReason: null,
} as const;
const request: LoggedRequest = {
  id: 'req_x',
  occurredAt: at('2026-11-21T10:00'),
  method: 'GET',
  operation: 'getSync',
  status: 401,
  problem: 'client_certificate_expired',
  serial: '0a1b',
  durationMs: 1,
  certificate,
};

test.each<[string, Partial<LoggedRequest>, string | null]>([
  [
    'a replaced certificate',
    { certificate: { ...certificate, usableUntil: at('2026-11-20T09:30') } },
    'This certificate was replaced by a newer one; the overlap of 14 days ended on 2026-11-20 09:30 UTC.',
  ],
  ['an expired certificate', { occurredAt: at('2026-12-01T10:00') }, 'This certificate was valid until 2026-11-30 08:00 UTC.'],
  [
    'a certificate that was replaced and has expired since',
    { occurredAt: at('2026-12-01T10:00'), certificate: { ...certificate, usableUntil: at('2026-11-20T09:30') } },
    'This certificate was valid until 2026-11-30 08:00 UTC.',
  ],
  [
    'a certificate whose time has not come',
    { occurredAt: at('2026-08-31T10:00') },
    'This certificate was not valid until 2026-09-01 08:00 UTC.',
  ],
  [
    'a certificate refused in its first moment',
    { occurredAt: certificate.notBefore },
    'This certificate was valid until 2026-11-30 08:00 UTC.',
  ],
  [
    'a replaced certificate in the last moment of its time',
    { occurredAt: certificate.notAfter, certificate: { ...certificate, usableUntil: at('2026-11-20T09:30') } },
    'This certificate was replaced by a newer one; the overlap of 14 days ended on 2026-11-20 09:30 UTC.',
  ],
  [
    'a certificate of which no time is known',
    { certificate: { ...certificate, notBefore: null, notAfter: null } },
    'This certificate has expired.',
  ],
  [
    'a certificate that is not whose it says',
    { problem: 'client_certificate_unknown' },
    'This certificate is on record, but its name and serial do not match.',
  ],
  [
    'an expired certificate that is not on record',
    { certificate: null },
    'One of our authorities issued this certificate, but it has expired and is not on record for this client.',
  ],
  [
    'a revoked certificate',
    {
      problem: 'client_certificate_revoked',
      certificate: { ...certificate, revokedAt: at('2026-11-19T07:05'), revocationReason: 'key_compromise' },
    },
    'This certificate was revoked on 2026-11-19 07:05 UTC (key compromise).',
  ],
  [
    'a certificate that is not on record',
    { problem: 'client_certificate_unknown', certificate: null },
    'One of our authorities issued the certificate with serial 0a1b, but it is not on record for this client.',
  ],
  ['a refusal that says it all', { problem: 'integration_suspended', status: 403 }, null],
])('%s is explained in words', (_name, changes, reason) => {
  expect(requestReason({ ...request, ...changes }).reason).toBe(reason);
});

test('a refusal has the catalogue’s title and advice', () => {
  expect(requestReason({ ...request, problem: 'rate_limit_exceeded', status: 429 })).toEqual({
    title: 'Rate limit exceeded',
    reason: null,
    advice: 'Wait for the time in Retry-After; the quota is shared by all certificates of the client.',
  });
});

test('a code that only a later release knows is said to be unknown', () => {
  expect(requestReason({ ...request, problem: 'of_a_later_release' as ErrorCode, status: 403 })).toEqual({
    title: 'Unknown problem',
    reason: 'Another release of the service answered of_a_later_release.',
    advice: null,
  });
});

test('who closed the connection is told that it was their side, and what to do', () => {
  expect(requestReason({ ...request, problem: null, status: 499 })).toEqual({
    title: 'Closed by the caller',
    reason: expect.stringContaining('Your side closed the connection before the response was complete.'),
    advice: expect.stringContaining('up to 30 seconds'),
  });
});

test('answers without a problem are told apart: answered, accepted, unchanged, closed by the caller', () => {
  const titles = [200, 202, 304, 499].map((status) => requestReason({ ...request, problem: null, status }).title);
  expect(titles).toEqual(['Answered', 'Accepted', 'Unchanged', 'Closed by the caller']);
});

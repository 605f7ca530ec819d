import { expect, test } from '@jest/globals';
import { p12Statuses, shownP12Status } from '../../../../server/domain/certificate/p12/package/p12Status.ts';

const claimUntil = new Date('2026-11-22T12:15:00.000Z');
const shown = (status: (typeof p12Statuses)[number], certificate: string, at: number) =>
  shownP12Status({ status, claimUntil: status === 'making' ? null : claimUntil }, certificate, new Date(claimUntil.getTime() + at));

test('a user sees that a package has expired from the moment on at which it cannot be claimed', () => {
  expect([-1, 0, 1].map((at) => shown('ready', 'issued', at))).toEqual(['ready', 'expired', 'expired']);
  for (const status of p12Statuses.filter((each) => each !== 'ready')) expect(shown(status, 'revoked', 1)).toBe(status);
});

test('a user sees no package that is ready beside a certificate that is still pending', () => {
  expect(shown('ready', 'pending', -1)).toBe('making');
});

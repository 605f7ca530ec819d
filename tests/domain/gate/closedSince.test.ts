import { expect, test } from '@jest/globals';
import { closedSince } from '../../../server/domain/gate/serviceGate.ts';

const [early, late] = [new Date('2026-11-20T08:00:00Z'), new Date('2026-11-22T08:00:00Z')];

test.each([
  ['while both gates are open, nothing is stopped', [true, late], [true, early], null],
  ['the integration’s own gate stops data since it was closed', [false, late], [true, early], late],
  ['the service’s gate stops data since it was closed', [true, late], [false, early], early],
  ['of two closed gates, data is stopped since the service’s was closed, if that was earlier', [false, late], [false, early], early],
  ['of two closed gates, data is stopped since the own one was closed, if that was earlier', [false, early], [false, late], early],
  ['a gate that was never open has no such moment', [false, null], [false, early], null],
] as const)('%s', (_, [ownOpen, ownChange], [serviceOpen, serviceChange], since) => {
  expect(closedSince({ open: ownOpen, changedAt: ownChange }, { open: serviceOpen, changedAt: serviceChange })).toBe(since);
});

import { expect, test } from '@jest/globals';
import { FinishedLeases } from '../../../../server/domain/client/admission/FinishedLeases.ts';

test('the next admission of the client carries what ended, until one is granted', () => {
  const leases = new FinishedLeases(async () => {});
  leases.cleared('fingerprint', 7, []);
  leases.add(7, 'a');
  leases.add(7, 'b');
  expect(leases.carriedBy('fingerprint')).toEqual(['a', 'b']);
  expect(leases.carriedBy('fingerprint')).toEqual(['a', 'b']);
  leases.add(7, 'c');
  leases.cleared('fingerprint', 7, ['a', 'b']);
  expect(leases.carriedBy('fingerprint')).toEqual(['c']);
  expect(leases.carriedBy('another')).toEqual([]);
});

test('what no admission carried is given back at once when the process ends', async () => {
  const given: unknown[] = [];
  const leases = new FinishedLeases(async (finished) => void given.push(finished));
  leases.add(7, 'a');
  leases.add(8, 'b');
  await leases.flush();
  // One statement for the leases of all clients.
  expect(given).toEqual([
    [
      { clientNumber: 7, lease: 'a' },
      { clientNumber: 8, lease: 'b' },
    ],
  ]);
});

test('what could not be given back is carried by the next admission', async () => {
  const failed = Promise.withResolvers<void>();
  const leases = new FinishedLeases(async () => {
    failed.resolve();
    throw new Error('out of reach');
  });
  leases.cleared('fingerprint', 7, []);
  leases.add(7, 'a');
  await failed.promise;
  expect(leases.carriedBy('fingerprint')).toEqual(['a']);
});

test('a lease whose admission was lost is released for the client of that certificate, and no more than a hundred of them wait', () => {
  const leases = new FinishedLeases(async () => {});
  leases.addLost('fingerprint', 'unknown');
  leases.cleared('fingerprint', 7, []);
  expect(leases.carriedBy('fingerprint')).toEqual([]);
  for (let count = 0; count < 150; count += 1) leases.addLost('fingerprint', `lost ${count}`);
  expect(leases.carriedBy('fingerprint')).toHaveLength(100);
  expect(leases.carriedBy('fingerprint')[0]).toBe('lost 0');
});

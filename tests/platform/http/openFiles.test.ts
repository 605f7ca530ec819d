import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { webhookLimits } from '../../../server/domain/outbox/webhookLimits.ts';
import { connectionShare, openFileLimit } from '../../../server/platform/http/openFiles.ts';

test('what the process may open is read from the system', () => {
  expect(openFileLimit()).toBe(Number(execFileSync('sh', ['-c', 'ulimit -n']).toString()));
});

test.each([
  [1_048_576, 1, 10_000],
  [20_000, 2, 9_872],
  [4_096, 1, 3_840],
  [4_096, 2, 1_920],
  [1_024, 2, 384],
  [256, 1, 128],
  [Number.POSITIVE_INFINITY, 2, 10_000],
])('of %d open files, each of %d servers may use %d, and the rest is left to everything else', (openFiles, servers, share) => {
  expect(connectionShare(servers, { openFiles })).toBe(share);
});

test('a process that also delivers webhooks leaves as many files to attempts as may be under way', () => {
  const { all, slow } = webhookLimits.webhookAttemptPools;
  const shares = [true, false].map((delivers) => connectionShare(1, { delivers, openFiles: 8_192 }));
  expect((shares[1] ?? 0) - (shares[0] ?? 0)).toBe(all + slow);
});

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { answerTasks } from './childProcess.ts';

/** About as long as the part of a client certificate that is signed. */
const body = randomBytes(500);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** What issuing is measured against: signs for this many milliseconds, and answers how often a second. */
answerTasks((milliseconds) => {
  const began = performance.now();
  let signatures = 0;
  while (performance.now() - began < Number(milliseconds)) {
    for (let turn = 0; turn < 100; turn += 1) sign('sha256', body, privateKey);
    signatures += 100;
  }
  return Promise.resolve((signatures / (performance.now() - began)) * 1000);
});

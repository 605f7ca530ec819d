import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';

/** Hears its data before it listens for them, as a process of the runner does that is asked to run a file while another one asks for its own. */
const latecomer = `
  process.once('message', () => setImmediate(() =>
    process.on('message', (message) => process.send(message.workerData, () => process.disconnect()))));
`;

test('a process of the test runner that listens only after its data have come has them all the same', async () => {
  const args = ['--import', './tests/support/run/hooks.ts', '--disable-warning=ExperimentalWarning', '--eval', latecomer];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  try {
    child.send({ type: 'jest-light-runner-worker-data', workerData: 'the data' });
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [string];
    expect(answer).toBe('the data');
    await ended;
  } finally {
    child.kill();
  }
}, 20_000);

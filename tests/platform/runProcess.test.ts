import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const program = fileURLToPath(new URL('../support/run/stoppingProcess.ts', import.meta.url));

/** Starts the program, sends it the signals once it has started, and returns its output and its exit code. */
async function stopWith(
  signals: readonly NodeJS.Signals[],
  how: readonly string[] = [],
): Promise<{ said: string; exitCode: number | null }> {
  const child = spawn(process.execPath, [program, ...how], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout) {
    if (said === '') for (const signal of signals) child.kill(signal);
    said += String(chunk);
  }
  await ended;
  return { said, exitCode: child.exitCode };
}

test('Ctrl-C through npm, which sends the signal twice, stops everything in reverse order', async () => {
  const { said, exitCode } = await stopWith(['SIGINT', 'SIGINT']);
  expect(said).toBe('started\ntold\nstopped last\nstopped first\n');
  expect(exitCode).toBe(0);
});

test('on SIGTERM everybody is told, then the entrance closes, then everything else stops in reverse order', async () => {
  expect((await stopWith(['SIGTERM'], ['entrance'])).said).toBe('started\ntold\nclosed the entrance\nstopped last\nstopped first\n');
});

test('a signal during the start keeps nothing open', async () => {
  const { said } = await stopWith(['SIGTERM'], ['entrance', 'late']);
  expect(said).toBe('started\nclosed the entrance\ntold\nstopped last\nstopped first\n');
});

test('a start that ends because of a signal has not failed, and one that fails after a signal has', async () => {
  const stopped = await stopWith(['SIGTERM'], ['late', 'ended by it']);
  expect(stopped).toEqual({ said: 'started\ntold\nstopped last\nstopped first\n', exitCode: 0 });
  expect((await stopWith(['SIGTERM'], ['late', 'failed'])).exitCode).toBe(1);
});

test('the log ends with the end, and nothing of it is lost', async () => {
  const { said, exitCode } = await stopWith(['SIGTERM'], ['logs', 'late', 'ended by it']);
  expect(said.match(/"msg":"[^"]+"/g)).toEqual(['"msg":"process.stopping"', '"msg":"threads.busy"', '"msg":"process.stopped"']);
  expect(exitCode).toBe(0);
});

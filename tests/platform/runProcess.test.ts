import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const program = fileURLToPath(new URL('../support/run/stoppingProcess.ts', import.meta.url));

/** Starts the program, sends it the signals once it has started, and returns its output and its exit code. */
async function stopWith(signals: readonly NodeJS.Signals[]): Promise<{ said: string; exitCode: number | null }> {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of child.stdout) {
    if (said === '') for (const signal of signals) child.kill(signal);
    said += String(chunk);
  }
  return { said, exitCode: child.exitCode };
}

test('Ctrl-C through npm, which sends the signal twice, stops everything in reverse order', async () => {
  const { said, exitCode } = await stopWith(['SIGINT', 'SIGINT']);
  expect(said).toBe('started\nstopped last\nstopped first\n');
  expect(exitCode ?? 0).toBe(0);
});

test('SIGTERM stops everything in reverse order', async () => {
  expect((await stopWith(['SIGTERM'])).said).toBe('started\nstopped last\nstopped first\n');
});

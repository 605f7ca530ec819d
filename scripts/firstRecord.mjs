import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/*
 * Measures the first record (demo/firstRecord.ts). Where no service runs, it starts one, builds included, and ends it afterwards: in a fresh clone
 * after `npm ci`, that is the time that a newcomer's machine needs.
 */
const portal = process.env.PORTAL_URL ?? 'http://localhost:3000';
const isReady = () =>
  fetch(`${portal}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
const began = performance.now();
const service = (await isReady()) ? null : spawn('npm', ['start'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
try {
  while (!(await isReady())) {
    if (service?.exitCode != null) throw new Error('The service did not start.');
    await wait(200);
  }
  if (service) process.stdout.write(`The service is ready after ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  const { status } = spawnSync(process.execPath, ['dist/demo/firstRecord.js', '--portal', portal], { stdio: 'inherit' });
  process.stdout.write(`Altogether: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  process.exitCode = status ?? 1;
} finally {
  // npm does not pass every signal on, so its group gets it.
  if (service?.pid) process.kill(-service.pid, 'SIGTERM');
}

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { becomeOperator, findService } from './becomeOperator.ts';
import { PortalClient } from './PortalClient.ts';
import { Steps } from './Steps.ts';
import { expectThat } from './Surprise.ts';

/*
 * Measures how long it takes from an empty folder and a certificate to rows in SQLite: a scripted operator gets the certificate, and the commands
 * of the quickstart run as it shows them. `npm run first-record` starts a service for it where none runs.
 */
const { values } = parseArgs({ options: { portal: { type: 'string', default: 'http://localhost:3000' } } });
const steps = new Steps((line) => process.stdout.write(`${line}\n`));
const portal = new PortalClient(values.portal);
const { machineApiUrl } = await findService(portal);
const made = mkdtempSync(join(tmpdir(), 'svc-first-record-'));
try {
  const scopes = ['orders.read', 'revocations.ack'];
  const { files } = await becomeOperator({ portal, steps, scopes, baseUrl: machineApiUrl }, join(made, 'certificate'));
  const name = basename(files.cert, '.pem');
  const folder = mkdtempSync(join(made, 'empty-'));
  for (const file of [files.cert, files.key, files.ca]) copyFileSync(file, join(folder, basename(file)));
  const commands = await kitCommands();
  const began = performance.now();
  // What a package costs whose registry does not answer is not the kit's doing.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, npm_config_audit: 'false' };
  const trust = { NODE_EXTRA_CA_CERTS: 'ca.pem', NODE_OPTIONS: '--disable-warning=ExperimentalWarning' };
  const script = `name=${name}\n${commands.join('\n')}`;
  const { status } = spawnSync('bash', ['-ec', script], { cwd: folder, env: { ...env, ...trust }, stdio: 'inherit' });
  expectThat(status === 0, `The commands of the quickstart ended with ${status}.`);
  const seconds = (performance.now() - began) / 1000;
  const rows = new DatabaseSync(join(folder, 'copy.sqlite'), { readOnly: true })
    .prepare('select count(*) as count from svc_resource')
    .get();
  process.stdout.write(`\nFrom an empty folder and a certificate to ${String(rows?.['count'])} rows: ${seconds.toFixed(1)} s\n`);
} finally {
  rmSync(made, { recursive: true, force: true });
}

/** The commands of the quickstart with the kit, up to the first sync, as the portal serves them. */
async function kitCommands(): Promise<string[]> {
  const guide = await portal.download('/docs/quickstart.md');
  const steps4And5 = guide.split(/^## (?=\d)/m).filter((step) => /^[45]\./.test(step));
  return steps4And5.flatMap((step) =>
    [...(step.split(/^With curl\b/m)[0] ?? '').matchAll(/```sh\n([^]*?)```/g)].map(([, command = '']) => command),
  );
}

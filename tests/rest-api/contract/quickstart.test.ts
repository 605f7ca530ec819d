import { execFile, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { advanceSandboxResource } from '../../../server/domain/sandbox/event/advanceSandboxResource.ts';
import { generateSandboxLinkCode } from '../../../server/domain/sandbox/event/generateSandboxLinkCode.ts';
import { revokeSandboxShare } from '../../../server/domain/sandbox/event/revokeSandboxShare.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { requestedCorpus } from '../../support/world/sandboxFixtures.ts';

/** A command of the guide, the number of its step, and what the guide says that it prints. */
type Command = { readonly step: number; readonly command: string; readonly printed: string };
/** A newcomer with a client, a folder with the files of its certificate, and a shell there. */
type Newcomer = { readonly client: TestClient; readonly folder: string; readonly shell: ChildProcessWithoutNullStreams };

const keyName = 'sandbox-2026-11';
const { version } = JSON.parse(await readFile('kit/package.json', 'utf8')) as { version: string };
/** Nothing but the portal is asked for packages, and nothing of the reader's own settings counts. */
const env = {
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  CURL_CA_BUNDLE: 'ca.pem',
  NODE_EXTRA_CA_CERTS: 'ca.pem',
  NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_registry: 'http://127.0.0.1:1',
};

let world: PortalWorld & MachineWorld;
const newcomers: Newcomer[] = [];

beforeAll(async () => {
  world = await openWorld({ portal: true, machine: true });
});
afterAll(async () => {
  for (const { shell } of newcomers) shell.kill();
  await world?.close();
  for (const { folder } of newcomers) await rm(folder, { recursive: true, force: true });
});

async function newcomer(): Promise<Newcomer> {
  const { client } = await world.backEnd({ scopes: ['orders.read', 'revocations.ack'] });
  await requestedCorpus(world, { clientNumber: client.number, at: world.clock.now() });
  await buildSandboxCorpus(world.em(), { clientNumber: client.number, generation: 1, clock: world.clock });
  const { certPem, keyPem } = await world.fixtures.certificate(world.authority, client);
  const folder = await mkdtemp(join(tmpdir(), 'svc-quickstart-'));
  const files = { 'ca.pem': world.machineApiCa, [`${keyName}.pem`]: certPem, [`${keyName}.key`]: keyPem };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
  const shell = spawn('bash', { cwd: folder, env });
  shell.stdin.write(`name=${keyName}\nexec 2>&1\n`);
  newcomers.push({ client, folder, shell });
  return { client, folder, shell };
}

/** The commands with the kit or with curl, from the step that calls the machine API to the one that needs a server of the reader's own. */
async function commandsOfGuide(tool: 'kit' | 'curl'): Promise<Command[]> {
  const guide = await readFile('docs/guides/quickstart.md', 'utf8');
  const steps = guide.split(/^## (?=\d)/m).filter((step) => /^[4-8]\./.test(step));
  const filled = (text: string) =>
    text
      .replaceAll('{base_url}', `${world.machineApiUrl}/v1`)
      .replaceAll('{portal_url}', world.portalUrl)
      .replaceAll('{kit_version}', version);
  return steps.flatMap((step) => {
    const [withKit = '', withCurl = ''] = step.split(/^With curl\b/m);
    const blocks = (tool === 'kit' ? withKit : withCurl).matchAll(/```sh\n([^]*?)```\n(?:\n```(?:json|text)\n([^]*?)```)?/g);
    return [...blocks].map(([, command = '', printed = '']) => ({
      step: Number(step[0]),
      command: filled(command),
      printed: filled(printed),
    }));
  });
}

/** What a command prints in the shell in which the others have run. */
async function run({ shell }: Newcomer, command: string): Promise<string> {
  const printed: string[] = [];
  const lines = createInterface({ input: shell.stdout });
  shell.stdin.write(`${command}\necho; echo done\n`);
  for await (const line of lines) {
    if (line === 'done') break;
    printed.push(line);
  }
  lines.close();
  return printed.join('\n').trim();
}

const shape = (text: string) =>
  text
    .trim()
    .replaceAll(/\b([a-z]{3})_[0-9a-z]{26}/g, '$1_…')
    // Another connection usually shares what is advanced.
    .replaceAll(/\b1 (upserts|resources)/g, '2 $1')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replaceAll(/Node: [\d.]+/g, 'Node: …')
    .replaceAll(/name: \S+ is \S+/g, 'name: … is …')
    .replace(/^added 1 package in \S+/, 'added 1 package in …');

test.each(['kit', 'curl'] as const)(
  'each command of the quickstart with the %s prints what the guide shows below it, from the first call to the acknowledged deletion',
  async (tool) => {
    const reader = await newcomer();
    const { client } = reader;
    const actor = { type: 'operator', operatorId: client.operatorId, roles: [], ip: '127.0.0.1', requestId: 'req_test' } as const;
    const by = { actor, clientId: client.id };
    const commands = await commandsOfGuide(tool);
    expect(commands.length).toBeGreaterThan(6);
    let orders: string[] = [];
    let revocation = '';
    let step = 0;
    for (const { step: next, command, printed } of commands) {
      // No two calls of a client come at the same moment.
      world.clock.advance(1);
      const now = world.clock.now();
      const code = next !== step && next === 6 ? await codeForSomethingToAdvance({ ...by, now }) : '';
      if (next !== step && next === 7) orders = await advanceOne(orders, { ...by, now });
      if (next !== step && next === 8)
        await revokeSandboxShare(world.em(), { ...by, now, resourceId: orders[0] ?? '', connectionId: null });
      step = next;
      const seen = await run(reader, command.replace('0428815903', code).replace('ack rev_…', `ack ${revocation}`));
      if (code !== '') orders = [...seen.matchAll(/ord_[0-9a-z]{26}/g)].map(([id]) => id);
      revocation = seen.match(/rev_[0-9a-z]{26}/g)?.at(-1) ?? revocation;
      expect([command, shape(seen)]).toEqual([command, shape(printed)]);
    }
  },
  120_000,
);

test('a pull that is refused says so, and leaves the page that it began from', async () => {
  const reader = await newcomer();
  const [functions] = await commandsOfGuide('curl');
  await run(reader, functions?.command ?? '');
  const printed = await run(reader, `echo '{"next_cursor":"nothing"}' > page.json; pull; cat page.json`);
  expect(printed.split('\n')).toEqual(['curl: (22) The requested URL returned error: 400', '{"next_cursor":"nothing"}']);
});

test('the kit is also installed from the file that was downloaded from the portal, without a network', async () => {
  const { folder } = await newcomer();
  const inFolder = { cwd: folder, env };
  const file = `svc-operator-kit-${version}.tgz`;
  await promisify(execFile)('curl', ['-sSO', `${world.portalUrl}/kit/${file}`], inFolder);
  await promisify(execFile)('npm', ['install', '--offline', `./${file}`], inFolder);
  expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['svc-operator-kit']);
  expect((await promisify(execFile)('npx', ['svc', '--version'], inFolder)).stdout).toBe(`${version}\n`);
});

type By = Pick<Parameters<typeof advanceSandboxResource>[1], 'actor' | 'clientId' | 'now'>;

/** A code for two orders, of which one at least has a next step. */
async function codeForSomethingToAdvance(by: By): Promise<string> {
  const choice = { orders: 2, vehicles: 0, scopes: ['orders.read'] as 'orders.read'[], statisticsOptedIn: false };
  const { id, code } = await generateSandboxLinkCode(world.em(), { ...by, ...choice, lookupKeys: world.keyRing.lookup });
  const [{ early } = { early: false }] = await world.rows<{ early: boolean }>(
    `select bool_or(t.core::jsonb->>'status' not in ('delivered', 'cancelled')) as early
       from link_code_resource l join tracked_resource t on t.id = l.tracked_resource_id where l.link_code_id = $1`,
    [id],
  );
  return early ? code : codeForSomethingToAdvance(by);
}

/** Advances the first of these that has a next step, and returns it alone. */
async function advanceOne(orders: readonly string[], by: By) {
  for (const resourceId of orders) {
    const advanced = await advanceSandboxResource(world.em(), { ...by, resourceId, count: 1, type: null, ending: false }).catch(() => null);
    if (advanced) return [resourceId];
  }
  throw new Error('Neither order has a next step.');
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { advanceSandboxResource } from '../../../server/domain/sandbox/event/advanceSandboxResource.ts';
import { generateSandboxLinkCode } from '../../../server/domain/sandbox/event/generateSandboxLinkCode.ts';
import { revokeSandboxShare } from '../../../server/domain/sandbox/event/revokeSandboxShare.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { requestedCorpus } from '../../support/world/sandboxFixtures.ts';

/** A command of the guide, the number of its step, and what the guide says that it prints. */
type Command = { readonly step: number; readonly command: string; readonly printed: string };

let world: MachineWorld;
let folder: string;
let shell: ChildProcessWithoutNullStreams;
let client: TestClient;

beforeAll(async () => {
  world = await openWorld({ machine: true });
  ({ client } = await world.backEnd({ scopes: ['orders.read', 'revocations.ack'] }));
  await requestedCorpus(world, { clientNumber: client.number, at: world.clock.now() });
  await buildSandboxCorpus(world.em(), { clientNumber: client.number, generation: 1, clock: world.clock });
  const { certPem, keyPem } = await world.fixtures.certificate(world.authority, client);
  folder = await mkdtemp(join(tmpdir(), 'svc-quickstart-'));
  const files = { 'ca.pem': world.machineApiCa, 'mine.pem': certPem, 'mine.key': keyPem };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, CURL_CA_BUNDLE: 'ca.pem' };
  shell = spawn('bash', { cwd: folder, env });
  shell.stdin.write('name=mine\nexec 2>&1\n');
});
afterAll(async () => {
  shell?.kill();
  await world?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** The commands from the step that calls the machine API to the one that needs a server of the reader's own. */
async function commandsOfGuide(): Promise<Command[]> {
  const guide = await readFile('docs/guides/quickstart.md', 'utf8');
  const steps = guide.split(/^## (?=\d)/m).filter((step) => /^[4-8]\./.test(step));
  return steps.flatMap((step) =>
    [...step.matchAll(/```sh\n([^]*?)```\n(?:\n```(?:json|text)\n([^]*?)```)?/g)].map(([, command = '', printed = '']) => ({
      step: Number(step[0]),
      command: command.replaceAll('{base_url}', `${world.machineApiUrl}/v1`),
      printed,
    })),
  );
}

/** What a command prints in the shell in which the others have run. */
async function run(command: string): Promise<string> {
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
    .replaceAll(/\b1 upserts/g, '2 upserts')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');

test('each command of the quickstart prints what the guide shows below it, from the first call to the acknowledged deletion', async () => {
  const by = {
    actor: { type: 'operator', operatorId: client.operatorId, roles: [], ip: '127.0.0.1', requestId: 'req_test' } as const,
    clientId: client.id,
  };
  const commands = await commandsOfGuide();
  expect(commands.length).toBeGreaterThan(8);
  let orders: string[] = [];
  let step = 0;
  for (const { step: next, command, printed } of commands) {
    // No two calls of a client come at the same moment.
    world.clock.advance(1);
    const now = world.clock.now();
    const code = next !== step && next === 6 ? await codeForSomethingToAdvance({ ...by, now }) : '';
    if (next !== step && next === 7) orders = await advanceOne(orders, { ...by, now });
    if (next !== step && next === 8) await revokeSandboxShare(world.em(), { ...by, now, resourceId: orders[0] ?? '', connectionId: null });
    step = next;
    const seen = await run(command.replace('0428815903', code));
    if (code !== '') orders = (JSON.parse(seen) as { resources: { id: string }[] }).resources.map(({ id }) => id);
    expect([command, shape(seen)]).toEqual([command, shape(printed)]);
  }
}, 120_000);

test('a pull that is refused says so, and leaves the page that it began from', async () => {
  world.clock.advance(1);
  const printed = await run(`echo '{"next_cursor":"nothing"}' > page.json; pull; cat page.json`);
  expect(printed.split('\n')).toEqual(['curl: (22) The requested URL returned error: 400', '{"next_cursor":"nothing"}']);
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

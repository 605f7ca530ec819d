import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { generateSandboxLinkCode } from '../../../server/domain/sandbox/event/generateSandboxLinkCode.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { overflow } from '../../support/browser/overflow.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { type IntegrationData, newKey, type PortalClient } from '../../support/clients/portalClient.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { actorOf } from '../../support/world/reviewPath.ts';

/** A sandbox whose back end is a shell, into which the commands of the overview are pasted as they stand. */
let world: PortalWorld & MachineWorld;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
let folder: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ portal: true, machine: true }), launchBrowser()]);
  owner = await world.operator();
  integration = await owner.createIntegration({ publicName: 'Nordlys Tracker', requestedScopes: ['orders.read', 'revocations.ack'] });
  await SandboxClient.buildOf(world, integration.clientId);
  folder = await mkdtemp(join(tmpdir(), 'svc-practice-'));
  await writeFile(join(folder, 'ca.pem'), world.machineApiCa);
  watched = await openPageAs(browser, owner);
  ({ page } = watched);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await world?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Saves a new key and its certificate in the folder, under the name that the commands have. */
async function saveCertificate(): Promise<string> {
  const key = newKey();
  const clientOf = async () => {
    const { clients } = await owner.must<IntegrationData>('integration', { slug: integration.slug });
    const client = clients.find(({ id }) => id === integration.clientId);
    if (!client) throw new Error('There is no sandbox client.');
    return client;
  };
  const { id: clientId, commonName } = await clientOf();
  await owner.confirmFreshly();
  const { data } = await owner.requestCertificate({ clientId, commonName }, key);
  await world.work();
  const issued = (await clientOf()).certificatesInUse.find(({ id }) => id === data?.id);
  if (!issued?.bundlePath) throw new Error('No certificate was issued.');
  await writeFile(join(folder, `${issued.keyName}.pem`), await (await owner.fetch(issued.bundlePath)).text());
  await writeFile(join(folder, `${issued.keyName}.key`), key.export({ format: 'pem', type: 'pkcs8' }));
  return issued.keyName;
}

/** Runs what was pasted, at the machine API of this world. */
async function paste(command: string): Promise<string> {
  world.clock.advance(1000);
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, CURL_CA_BUNDLE: join(folder, 'ca.pem') };
  const local = command.replaceAll(/https:\/\/[^/\s"]+\/v1/g, `${world.machineApiUrl}/v1`);
  return (await promisify(execFile)('bash', ['-ec', local], { cwd: folder, env })).stdout;
}

const guide = () => page.getByRole('region', { name: 'What the reviewers look for' });
const row = (title: string) => guide().getByRole('listitem').filter({ hasText: title });
const seen = (title: string) => row(title).getByRole('img', { name: 'Seen', exact: true });

async function commandOf(title: string): Promise<string> {
  if ((await row(title).locator('details').getAttribute('open')) === null) await row(title).locator('summary').click();
  return row(title).locator('pre').innerText();
}

test('after the first sync, the overview shows what the reviewers look for, ticks what it has seen, and puts the submission after it', async () => {
  const name = await saveCertificate();
  await paste(`curl -sS --cert ${name}.pem --key ${name}.key https://api.example/v1/sync`);
  await page.goto(`/integrations/${integration.slug}`);
  await guide().getByText('0 of 7 seen', { exact: true }).waitFor();
  const [guideTop, nextTop] = await Promise.all(
    [guide(), page.getByRole('region', { name: 'Submit for production review' })].map(async (part) => (await part.boundingBox())?.y ?? 0),
  );
  expect(guideTop).toBeLessThan(nextTop ?? 0);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await overflow(page)]).toEqual([width, 0]);
    await keepScreenshot(page, `guided-sandbox-${width}`);
  }
  expect(await accessibilityFindings(page)).toEqual([]);
}, 120_000);

test('each command, pasted as it stands, brings its tick without a reload', async () => {
  await paste(await commandOf('Capabilities read before data'));
  await seen('Capabilities read before data').waitFor();
  await paste(await commandOf('Cursor followed to the end'));
  await seen('Cursor followed to the end').waitFor();
  expect(await paste(await commandOf('If-None-Match used'))).toContain('304');
  await seen('If-None-Match used').waitFor();
  await guide().getByText('3 of 7 seen', { exact: true }).waitFor();

  const { operatorId } = await actorOf(owner);
  const actor = { type: 'operator', operatorId, roles: [], ip: '127.0.0.1', requestId: 'req_test' } as const;
  const choice = { orders: 1, vehicles: 0, scopes: ['orders.read'] as 'orders.read'[], statisticsOptedIn: false };
  const by = { actor, clientId: integration.clientId, now: world.clock.now(), lookupKeys: world.keyRing.lookup };
  const { code } = await generateSandboxLinkCode(world.orm.em.fork(), { ...by, ...choice });
  await paste((await commandOf('Link code redeemed')).replace('0428815903', code));
  await seen('Link code redeemed').waitFor();

  const revocations = await world.rows<{ id: string }>(
    `select r.id from revocation r join client c on c.number = r.client_number where c.id = $1 and r.acknowledged_at is null limit 1`,
    [integration.clientId],
  );
  await paste((await commandOf('Deletion acknowledged in time')).replaceAll('rev_…', revocations[0]?.id ?? ''));
  await seen('Deletion acknowledged in time').waitFor();

  const command = await commandOf('Certificate rotated');
  world.clock.advance(60_000);
  await paste(command.replaceAll('NEW_NAME', await saveCertificate()));
  await seen('Certificate rotated').waitFor();
  await guide().getByText('6 of 7 seen', { exact: true }).waitFor();
  expect(await commandOf('Retry-After honoured')).toContain('--retry 1');
  expect(await readFile(join(folder, 'etag.txt'), 'utf8')).toMatch(/^"/);
  await keepScreenshot(page, 'guided-sandbox-nearly-done');
  expect(watched.complaints).toEqual([]);
}, 180_000);

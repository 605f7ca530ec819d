import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { overflow } from '../../support/browser/overflow.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { type IntegrationData, newKey, type PortalClient } from '../../support/clients/portalClient.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../../support/world/openWorld.ts';

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

/** What was pasted, at the machine API of this world, and where. */
function pasted(command: string) {
  world.clock.advance(1000);
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, CURL_CA_BUNDLE: join(folder, 'ca.pem') };
  return { local: command.replaceAll(/https:\/\/[^/\s"]+\/v1/g, `${world.machineApiUrl}/v1`), options: { cwd: folder, env } };
}

async function paste(command: string): Promise<string> {
  const { local, options } = pasted(command);
  return (await promisify(execFile)('bash', ['-ec', local], options)).stdout;
}

/** Runs what waits, while only the clock of this world moves on. */
async function pasteWithPauses(command: string): Promise<string[]> {
  const { local, options } = pasted(command);
  const resume = join(folder, 'resume');
  await promisify(execFile)('mkfifo', [resume]);
  const shell = spawn('bash', ['-ec', `sleep() { read -r < resume; }\n${local}`], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: shell.stdout })) {
    lines.push(line);
    const [, seconds] = /^waiting (\d+) seconds/.exec(line) ?? [];
    if (seconds === undefined) continue;
    world.clock.advance(Number(seconds) * 1000);
    await writeFile(resume, '\n');
  }
  return lines;
}

const guide = () => page.getByRole('region', { name: 'What the reviewers look for' });
const row = (title: string) => guide().getByRole('listitem').filter({ hasText: title });
const seen = (title: string) => row(title).getByRole('img', { name: 'Seen', exact: true });

async function open(title: string): Promise<void> {
  if ((await row(title).locator('details').getAttribute('open')) === null) await row(title).locator('summary').click();
}

async function commandOf(title: string): Promise<string> {
  await open(title);
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
  expect(await paste(await commandOf('Cursor followed to the end'))).toContain('has_more is false: your cursor is at the end.');
  await seen('Cursor followed to the end').waitFor();
  expect(await paste(await commandOf('If-None-Match used'))).toContain('304');
  await seen('If-None-Match used').waitFor();
  await guide().getByText('3 of 7 seen', { exact: true }).waitFor();

  // What is done on another page leads back to the next of them.
  const next = () => page.getByText('Next on the overview:').getByRole('link');
  await open('Link code redeemed');
  await page.getByRole('link', { name: 'Generate a link code' }).click();
  await page.getByRole('button', { name: 'Generate link code' }).click();
  await paste(await page.getByRole('region', { name: 'New link code' }).locator('pre').innerText());
  await next().click();
  await seen('Link code redeemed').waitFor();
  await paste(await commandOf('Deletion acknowledged in time'));
  await seen('Deletion acknowledged in time').waitFor();
  await page.goto(`/integrations/${integration.slug}/deletions`);
  expect(await next().innerText()).toBe('Retry-After honoured');
  await next().click();

  await open('Certificate rotated');
  expect(await row('Certificate rotated').locator('pre').count()).toBe(0);
  await row('Certificate rotated').getByRole('link', { name: 'Get another certificate' }).click();
  await page.getByRole('region', { name: 'New certificate' }).getByText('ends 14 days after the new one is issued').waitFor();
  world.clock.advance(60_000);
  await saveCertificate();
  await page.goto(`/integrations/${integration.slug}`);
  await paste(await commandOf('Certificate rotated'));
  await seen('Certificate rotated').waitFor();
  await guide().getByText('6 of 7 seen', { exact: true }).waitFor();
  expect(await readFile(join(folder, 'etag.txt'), 'utf8')).toMatch(/^"/);
  await keepScreenshot(page, 'guided-sandbox-nearly-done');
}, 180_000);

test('the command for Retry-After prints each status and waits; all that was seen then folds, before the submission', async () => {
  const lines = await pasteWithPauses(await commandOf('Retry-After honoured'));
  const refused = lines.findIndex((line) => line.endsWith(': 429'));
  expect(lines.slice(refused - 1, refused + 3)).toEqual([
    expect.stringMatching(/^call \d+: 200$/),
    expect.stringMatching(/^call \d+: 429$/),
    expect.stringMatching(/^waiting \d+ seconds, as Retry-After says$/),
    expect.stringMatching(/^call \d+: 200$/),
  ]);
  await guide().getByText('7 of 7 seen', { exact: true }).waitFor();
  const all = guide().getByText('What the service has seen');
  expect(await seen('Retry-After honoured').isVisible()).toBe(false);
  await all.click();
  await seen('Retry-After honoured').waitFor();
  await page.getByRole('region', { name: 'Submit for production review' }).getByRole('link').waitFor();
  await keepScreenshot(page, 'guided-sandbox-done');
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(watched.complaints).toEqual([]);
}, 120_000);

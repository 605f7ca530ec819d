import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { overflow } from '../../support/browser/overflow.ts';
import { watchShifts } from '../../support/browser/watchShifts.ts';
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
  folder = await emptyFolder();
  watched = await openPageAs(browser, owner);
  ({ page } = watched);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await world?.close();
  for (const each of folders) await rm(each, { recursive: true, force: true });
});

const folders: string[] = [];
/** A folder that holds nothing but the authority of this world's machine API, which the shell trusts. */
async function emptyFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'svc-practice-'));
  folders.push(made);
  await writeFile(join(made, 'ca.pem'), world.machineApiCa);
  return made;
}

/** Saves a new key and its certificate in a folder, under the name that the commands have. */
async function saveCertificate(into = folder, of = integration): Promise<string> {
  const key = newKey();
  const clientOf = async () => {
    const { clients } = await owner.must<IntegrationData>('integration', { slug: of.slug });
    const client = clients.find(({ id }) => id === of.clientId);
    if (!client) throw new Error('There is no sandbox client.');
    return client;
  };
  const { id: clientId, commonName } = await clientOf();
  await owner.confirmFreshly();
  const { data } = await owner.requestCertificate({ clientId, commonName }, key);
  await world.work();
  const issued = (await clientOf()).certificatesInUse.find(({ id }) => id === data?.id);
  if (!issued?.bundlePath) throw new Error('No certificate was issued.');
  await writeFile(join(into, `${issued.keyName}.pem`), await (await owner.fetch(issued.bundlePath)).text());
  await writeFile(join(into, `${issued.keyName}.key`), key.export({ format: 'pem', type: 'pkcs8' }));
  return issued.keyName;
}

/** What was pasted, at the machine API of this world, and where. */
function pasted(command: string, into = folder) {
  world.clock.advance(1000);
  const ca = join(into, 'ca.pem');
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: join(into, 'home'),
    CURL_CA_BUNDLE: ca,
    NODE_EXTRA_CA_CERTS: ca,
    npm_config_audit: 'false',
    npm_config_registry: 'http://127.0.0.1:1',
  };
  return { local: command.replaceAll(/https:\/\/[^/\s"]+\/v1/g, `${world.machineApiUrl}/v1`), options: { cwd: into, env } };
}

async function paste(command: string, into = folder): Promise<string> {
  const { local, options } = pasted(command, into);
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

/** Both commands of a place that has them: the kit's, which is shown first, and curl's. */
async function commandsIn(place: Locator): Promise<{ kit: string; curl: string }> {
  const kit = await place.locator('pre').innerText();
  await place.getByText('curl', { exact: true }).click();
  const curl = await place.locator('pre').innerText();
  await place.getByText('Kit (Node 22.13 or later)', { exact: true }).click();
  return { kit, curl };
}

async function commandsOf(title: string): Promise<{ kit: string; curl: string }> {
  await open(title);
  return commandsIn(row(title));
}

let other: Awaited<ReturnType<PortalClient['createIntegration']>>;
let empty: string;

test('whether commands are the kit’s or curl’s is chosen once for all pages, and they fit any window, light and dark', async () => {
  other = await owner.createIntegration({ publicName: 'Fjord Tracker', requestedScopes: ['orders.read', 'revocations.ack'] });
  await SandboxClient.buildOf(world, other.clientId);
  empty = await emptyFolder();
  const downloads = join(empty, 'home', 'Downloads');
  await mkdir(downloads, { recursive: true });
  await saveCertificate(downloads, other);
  const command = page.locator('main').locator('pre');
  for (const [tab, waiting] of [
    ['', 'Waiting for your first call…'],
    ['/requests', 'The call appears here within three seconds of its response.'],
    ['/certificates', 'Waiting for your first call…'],
  ] as const) {
    await page.goto(`/integrations/${other.slug}${tab}`);
    await page.getByText(waiting).waitFor();
    const moved = await watchShifts(page);
    expect(await command.innerText()).toMatch(tab === '' ? /npm install/ : /^curl .*capabilities(?: && echo)?$/m);
    expect(await moved()).toEqual([]);
    await page.getByText(tab === '' ? 'curl' : 'Kit (Node 22.13 or later)', { exact: true }).click();
    expect(await command.innerText()).toMatch(tab === '' ? /^curl .*capabilities(?: && echo)?$/m : /npm install/);
    expect(await page.getByRole('radiogroup', { name: 'Call with' }).getByRole('radio').count()).toBe(2);
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [768, 'dark'],
      [360, 'dark'],
      [360, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect([tab, width, await overflow(page)]).toEqual([tab, width, 0]);
      expect(await accessibilityFindings(page, undefined, ['color-contrast'])).toEqual([]);
      await keepScreenshot(page, `commands${tab.replace('/', '-')}-${width}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    if (tab !== '') await page.getByText('curl', { exact: true }).click();
  }
  await page.getByText('Kit (Node 22.13 or later)', { exact: true }).click();
}, 120_000);

test('the commands for the first calls work as they are pasted anywhere while both files are in Downloads, and again, with the kit and with curl, and the page shows what came', async () => {
  await page.goto(`/integrations/${other.slug}`);
  await page.getByText('Waiting for your first call…').waitFor();
  const { kit, curl } = await commandsIn(page.locator('main'));
  expect(kit).toContain(`npm install --prefix . ${world.portalUrl}/kit/svc-operator-kit-`);
  expect(await paste(kit, empty)).toContain('500 resources new or changed, 0 ended, followed from the beginning.');
  await page.getByText('Waiting for your first call…').waitFor({ state: 'detached' });
  expect(await paste(curl, empty)).toMatch(/"environment":"sandbox".*\n\{"upserts":\[\{"/);
  const saved = join(empty, other.slug);
  const pageOf = async () => JSON.parse(await readFile(join(saved, 'page.json'), 'utf8')) as unknown;
  expect(await pageOf()).toMatchObject({ has_more: true });
  await writeFile(join(saved, 'ca.pem'), world.machineApiCa);
  await page.goto(`/integrations/${other.slug}/certificates`);
  await page.getByText('The commands, to run them again').click();
  const again = page.locator('main').locator('details').filter({ hasText: 'Sync again' });
  expect(await again.count()).toBe(0);
  await page.getByText('curl', { exact: true }).click();
  await again.locator('summary').click();
  expect(await paste(await again.locator('pre').innerText(), saved)).toMatch(/^\{"upserts":\[\],"tombstones":\[\{/);
  expect(await pageOf()).toMatchObject({ has_more: false });
  await page.getByText('Kit (Node 22.13 or later)', { exact: true }).click();
}, 120_000);

test('after the first sync, the overview shows what the reviewers look for, ticks what it has seen, and puts the submission after it', async () => {
  const name = await saveCertificate();
  await page.goto(`/integrations/${integration.slug}`);
  // The kit and its settings are there since the first calls, of which only the sync is made here.
  const { kit } = await commandsIn(page.locator('main'));
  await paste(kit.replace(/ &&\n\{ npx svc sync[^]*/, ''));
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
  const capabilities = await commandsOf('Capabilities read before data');
  await paste(capabilities.kit.replace(/ &&[^]*/, ''));
  await paste(capabilities.curl);
  await seen('Capabilities read before data').waitFor();
  const cursor = await commandsOf('Cursor followed to the end');
  expect(await paste(cursor.kit)).toMatch(/^500 resources new or changed.*\n0 resources new or changed, 0 ended\.\n$/);
  await seen('Cursor followed to the end').waitFor();
  expect(await paste(cursor.curl)).toContain('has_more is false: your cursor is at the end.');
  // The quota of a minute is 20 requests.
  world.clock.advance(60_000);
  const condition = await commandsOf('If-None-Match used');
  await paste(condition.kit);
  await seen('If-None-Match used').waitFor();
  expect(await paste(condition.curl)).toContain('304');
  world.clock.advance(60_000);
  await guide().getByText('3 of 7 seen', { exact: true }).waitFor();

  // What is done on another page leads back to the next of them.
  const next = () => page.getByText('Next on the overview:').getByRole('link');
  const { kit, curl } = await commandsOf('Link code redeemed');
  for (const command of [kit, curl]) expect(command).toMatch(/YOUR_CODE/);
  await row('Link code redeemed').getByText('put the code in the place of YOUR_CODE').waitFor();
  await page.getByRole('link', { name: 'Generate a link code' }).click();
  await page.getByRole('button', { name: 'Generate link code' }).click();
  expect(await paste((await commandsIn(page.getByRole('region', { name: 'New link code' }))).kit)).toMatch(/^con_\w{26}\n {2}order ord_/);
  await next().click();
  await seen('Link code redeemed').waitFor();
  expect(await paste((await commandsOf('Deletion acknowledged in time')).kit)).toMatch(/^rev_\w{26} acknowledged at /m);
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
  const rotated = await commandsOf('Certificate rotated');
  await paste(rotated.curl);
  expect(JSON.parse((await paste(rotated.kit)).replace(/^svc\.json is written.*\n/, ''))).toMatchObject({ environment: 'sandbox' });
  await seen('Certificate rotated').waitFor();
  await guide().getByText('6 of 7 seen', { exact: true }).waitFor();
  expect(await readFile(join(folder, 'etag.txt'), 'utf8')).toMatch(/^"/);
  await keepScreenshot(page, 'guided-sandbox-nearly-done');
}, 180_000);

test('the command for Retry-After prints each status and waits; all that was seen then folds, before the submission', async () => {
  const command = await commandOf('Retry-After honoured');
  // A sync in a loop would have to follow its cursor.
  expect(command).not.toContain('/sync');
  const lines = await pasteWithPauses(command);
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

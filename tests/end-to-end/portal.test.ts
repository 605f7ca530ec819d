import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test as jestTest } from '@jest/globals';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import type { Browser, Page } from 'playwright-core';
import { TestClock } from '../support/world/TestClock.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { accessibilityFindings, addVirtualAuthenticator, launchBrowser, openPage, type WatchedPage } from '../support/browser/browser.ts';
import { MachineClient } from '../support/clients/machineClient.ts';
import { patient } from '../support/patience.ts';

let application: PortalWorld & MachineWorld;
let browser: Browser;
let operator: WatchedPage;
let page: Page;
/** The operator's own key and, later, the certificate for it. */
const files = { keyPem: '', bundle: '', name: '' };

/** The steps build on each other: after one has failed the others say so at once instead of waiting for what cannot come. */
let broken = false;
function test(name: string, step: () => Promise<void> | void): void {
  jestTest(
    name,
    async () => {
      if (broken) throw new Error('an earlier step failed');
      try {
        await step();
      } catch (error) {
        broken = true;
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${await whatIsShown()}`, { cause: error });
      }
    },
    120_000,
  );
}

async function whatIsShown(): Promise<string> {
  const text = await page
    .locator('main')
    .innerText({ timeout: 1_000 })
    .catch(() => '(nothing)');
  return `The page ${page.url()} shows:\n${text}\nComplaints: ${operator.complaints.join('\n')}`;
}

beforeAll(async () => {
  [application, browser] = await Promise.all([
    openWorld({ portal: true, machine: true, workers: true, clock: new TestClock().stop() }),
    launchBrowser(),
  ]);
  operator = await openPage(browser, { baseURL: application.portalUrl, acceptDownloads: true });
  page = operator.page;
  await addVirtualAuthenticator(page);
});

afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** The link of the newest mail to this address, as the development mailbox shows it. */
async function mailedLink(address: string): Promise<string> {
  for (const end = Date.now() + patient(15_000); Date.now() < end; await page.waitForTimeout(100)) {
    const response = await fetch(`${application.portalUrl}/dev/mailbox`, { headers: { accept: 'application/json' } });
    const mails = (await response.json()) as { recipient: string; text: string }[];
    const link = mails.find(({ recipient }) => recipient === address)?.text.match(/https?:\/\/\S+/)?.[0];
    if (link) return link;
  }
  throw new Error('no mail arrived');
}

/** A new EC key with a request for exactly this common name. */
async function createRequest(commonName: string): Promise<{ csrPem: string; keyPem: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const csr = await Pkcs10CertificateRequestGenerator.create({
    name: `CN=${commonName}`,
    keys,
    signingAlgorithm: algorithm,
  });
  return { csrPem: csr.toString('pem'), keyPem: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** A form filled in completely, with the slug of the first integration. */
const secondIntegration = {
  nonCommercial: true,
  attribution: true,
  publicName: 'Nordlys Board',
  slug: 'nordlys-tracker',
  publicDescription: 'Shows a board of orders.',
  purpose: 'To show a board.',
  legalOperatorName: 'Nordlys Software AS',
  country: 'NO',
  supportEmail: 'support@nordlys.example',
  websiteUrl: 'https://www.nordlys-tracker.com/',
  privacyPolicyUrl: 'https://www.nordlys-tracker.com/privacy',
  termsOfServiceUrl: 'https://www.nordlys-tracker.com/terms',
  orderLinkingUrl: 'https://www.nordlys-tracker.com/link',
  donationUrl: '',
  requestedScopes: ['orders.read'],
  pollingCadenceMinutes: 60,
  webhookModel: 'none',
};

test('a newcomer registers by mail, makes a passkey and saves the recovery codes', async () => {
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await page.getByLabel('Email address').fill('mila@nordlys.example');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();

  await page.goto(await mailedLink('mila@nordlys.example'));
  await page.getByRole('heading', { name: 'Confirm your address' }).waitFor();
  expect(page.url()).toBe(`${application.portalUrl}/verify`);
  await page.getByRole('button', { name: 'Confirm this address' }).click();

  await page.getByLabel('Passkey name').fill('Test laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
  expect(codes.length).toBeGreaterThanOrEqual(8);
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])')).not.toContain(codes[0]);
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as text' }).click();
  expect((await downloaded).suggestedFilename()).toMatch(/^recovery-codes-.*\.txt$/);
  expect(await page.getByLabel('I have saved them').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Continue to your first integration' }).click();
  await page.getByRole('heading', { name: 'New integration' }).waitFor();
});

test('the operator signs out, and back in with the passkey to where they were going', async () => {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Register' }).waitFor();
  await page.goto('/integrations/new');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'New integration' }).waitFor();
});

test('the form proposes what it can, is checked as a whole, survives a reload, and creates the integration', async () => {
  const create = page.getByRole('button', { name: 'Accept the terms and create' });
  await create.click();
  await page.getByText('Confirm the non-commercial licence to continue.').waitFor();
  expect(await page.evaluate('document.activeElement.labels[0].textContent')).toMatch(/^Public name/);

  await page.getByLabel('Public name').fill('Nordlys Tracker');
  expect(await page.getByLabel('Slug').inputValue()).toBe('nordlys-tracker');
  expect(await page.getByLabel('Support email').inputValue()).toBe('mila@nordlys.example');
  await page.getByLabel('Purpose').fill('To show a user the progress of the orders they linked.');
  const description = page.getByLabel('Public description');
  expect(await description.inputValue()).toBe('To show a user the progress of the orders they linked.');
  expect(await page.getByText('Suggested', { exact: true }).count()).toBe(10);
  await description.fill('Shows people where their order is on its way.');
  expect(await page.getByText('Suggested', { exact: true }).count()).toBe(9);
  // The mark makes no field begin lower than the one beside it.
  const topOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.y;
  expect(await topOf('Order-linking page')).toBe(await topOf('Support or donations'));
  await page.reload();
  expect(await description.inputValue()).toBe('Shows people where their order is on its way.');
  expect(await page.getByLabel('Purpose').inputValue()).toBe('To show a user the progress of the orders they linked.');
  await page.getByLabel('Legal operator name').fill('Nordlys Software AS');
  await page.getByRole('combobox', { name: 'Country' }).selectOption('Norway');

  await page.getByLabel('Website').fill('http://www.nordlys-tracker.com/');
  await create.click();
  await page.getByText('The address must start with https://.').waitFor();
  await page.getByLabel('Website').fill('https://www.nordlys-tracker.com/');
  expect(await page.getByLabel('Privacy policy').inputValue()).toBe('https://www.nordlys-tracker.com/privacy');
  expect(await page.getByLabel('Order-linking page').inputValue()).toBe('https://www.nordlys-tracker.com/link');

  await page.getByText('5 other scopes').click();
  for (const scope of ['orders.history.read', 'vehicles.read']) await page.getByLabel(scope, { exact: true }).check();
  await page.getByLabel('orders.read', { exact: true }).uncheck();
  await page.getByText('Shows nothing without orders.read.', { exact: true }).waitFor();
  await page.getByLabel('orders.read', { exact: true }).check();
  await page.getByText('Shows nothing without orders.read.', { exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('I use the data non-commercially').check();
  await page.getByLabel('I follow the attribution and app-link rules').check();
  await create.click();
  await page.getByRole('heading', { name: 'Nordlys Tracker', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/integrations/nordlys-tracker/certificates');
});

test('a slug that is taken is refused at its field', async () => {
  await page.goto('/integrations/new');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('svc.new-integration')))).toHaveLength(0);
  await page.getByLabel('I use the data non-commercially').check();
  const kept = () => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('svc.new-integration')));
  while (!(await kept())) await new Promise(setImmediate);
  await page.evaluate((values) => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('svc.new-integration')) ?? '';
    const { termsVersion } = JSON.parse(localStorage.getItem(key) ?? '{}');
    localStorage.setItem(key, JSON.stringify({ values, termsVersion }));
  }, secondIntegration);
  await page.goto('/integrations/new');
  await page.getByRole('button', { name: 'Create integration' }).click();
  await page.getByText('This slug is taken. Choose another one.').waitFor();
  expect(await page.getByLabel('Slug').getAttribute('aria-invalid')).toBe('true');
  expect(await page.evaluate('document.activeElement.value')).toBe('nordlys-tracker');
  await page.evaluate(() => localStorage.clear());
});

test('the test data becomes ready while the page is open', async () => {
  await page.goto('/integrations/nordlys-tracker');
  await page.getByText('Test data is ready: done').waitFor({ timeout: patient(45_000) });
});

test('a private key that is pasted by mistake is not sent, and a request for another name is refused in words', async () => {
  await page.getByRole('link', { name: 'Certificates', exact: true }).click();
  await page.getByRole('radio', { name: 'Your own request (CSR)' }).check();
  const field = page.getByLabel('Certificate request (PEM)');
  const other = await createRequest('svc:sandbox:cli_00000000000000000000000000');
  await field.fill(other.keyPem);
  await page.getByText('This file contains a private key. It was not sent.').waitFor();
  expect(await field.inputValue()).toBe('');
  await field.fill(other.csrPem);
  await page.getByRole('button', { name: 'Request certificate' }).click();
  await page.getByText('It must be exactly').waitFor();
});

/** Counts what the reader of the page clicks from now on. A page that clicks on its own is not counted. */
async function countClicks(): Promise<() => Promise<unknown>> {
  await page.evaluate("window.clicks = 0; window.addEventListener('click', ({ isTrusted }) => (window.clicks += isTrusted ? 1 : 0), true)");
  return () => page.evaluate('window.clicks');
}

test('the operator gets a key and its certificate by one click, the passkey apart, and the key goes nowhere but into its file', async () => {
  // The sign-in's confirmation is over by now; the passkey is asked for once more.
  application.clock.advance(6 * 60_000);
  await page.reload();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const clicks = await countClicks();
  const named = (ending: string) => page.waitForEvent('download', (download) => download.suggestedFilename().endsWith(ending));
  const [keyFile, bundleFile] = [named('.key'), named('.pem')];
  await page.getByRole('button', { name: 'Create key and certificate' }).click();
  expect((await keyFile).suggestedFilename()).toMatch(/^sandbox-\d{4}-\d\d\.key$/);
  files.keyPem = await readFile(await (await keyFile).path(), 'utf8');
  await page.getByText(/^Your browser was given two files: sandbox-\S+\.key and sandbox-\S+\.pem\.$/).waitFor();
  expect((await bundleFile).suggestedFilename()).toBe((await keyFile).suggestedFilename().replace('.key', '.pem'));
  files.bundle = await readFile(await (await bundleFile).path(), 'utf8');
  expect(await clicks()).toBe(1);
  expect(new X509Certificate(files.bundle).checkPrivateKey(createPrivateKey(files.keyPem))).toBe(true);
  expect(files.bundle).not.toContain('PRIVATE KEY');
  const secret = files.keyPem.split('\n')[1] ?? '';
  expect(secret.length).toBe(64);
  expect(sent.some((each) => each.includes('CERTIFICATE REQUEST'))).toBe(true);
  expect(sent.filter((each) => each.includes(secret) || each.includes('PRIVATE KEY'))).toEqual([]);
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])')).not.toContain(secret);
  files.name = (await bundleFile).suggestedFilename().replace('.pem', '');
});

test('the commands work as they are pasted, and the page shows the call, the first record and what comes next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'first-call-'));
  const progress = page.getByRole('group', { name: 'Your new key and certificate' });
  try {
    await writeFile(join(folder, `${files.name}.key`), files.keyPem);
    await writeFile(join(folder, `${files.name}.pem`), files.bundle);
    await progress.getByText('Waiting for your first call…').waitFor();
    await progress.getByText('curl', { exact: true }).click();
    const pasted = await progress.locator('pre').innerText();
    const { stdout } = await promisify(execFile)('bash', ['-ec', pasted], { cwd: folder });
    const page1 = JSON.parse(await readFile(join(folder, 'page.json'), 'utf8')) as { upserts: readonly { id: string }[] };
    const [capabilities = '', firstRecord] = stdout.split('\n');
    expect(JSON.parse(capabilities)).toMatchObject({ environment: 'sandbox' });
    expect(firstRecord).toContain(`"id":"${page1.upserts[0]?.id}"`);
    await progress
      .getByRole('status')
      .filter({
        hasText:
          /^200 in [\d.]+ m?s: your back end has synced\. 51 more records, 1 of them a tombstone, wait: sync again, with next_cursor as updated_since\.$/,
      })
      .waitFor();
    const record = await progress.getByRole('figure', { name: 'The first record of /v1/sync' }).innerText();
    expect(record).toContain(`"id": "${page1.upserts[0]?.id}"`);
    // Its caption, and twelve or so lines of JSON.
    expect(record.split('\n').length).toBe(14);
    await progress.getByRole('link', { name: 'Next: share an order' }).waitFor();
  } finally {
    await rm(folder, { recursive: true });
  }
  await progress.getByText('You have both files, so this page has forgotten the key.').waitFor();
});

test('the certificate pulls the whole sandbox over mutual TLS: 500 orders, 50 vehicles and a tombstone', async () => {
  const backEnd = new MachineClient({
    url: application.machineApiUrl,
    ca: application.machineApiCa,
    certPem: files.bundle,
    keyPem: files.keyPem,
  });
  const upserts: { id: string; type: string }[] = [];
  const tombstones: object[] = [];
  try {
    let cursor: string | undefined;
    for (let more = true; more;) {
      const { status, body } = await backEnd.call(cursor ? `/v1/sync?updated_since=${encodeURIComponent(cursor)}` : '/v1/sync');
      expect(status).toBe(200);
      const pulled = body as { upserts: typeof upserts; tombstones: object[]; next_cursor: string; has_more: boolean };
      upserts.push(...pulled.upserts);
      tombstones.push(...pulled.tombstones);
      ({ next_cursor: cursor, has_more: more } = pulled);
    }
  } finally {
    backEnd.close();
  }
  expect(upserts.filter(({ type }) => type === 'order')).toHaveLength(500);
  expect(upserts.filter(({ type }) => type === 'vehicle')).toHaveLength(50);
  expect(tombstones).toHaveLength(1);
});

test('the calls stand on the requests page, with what they took from the quota', async () => {
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByText('GET /v1/sync').first().waitFor();
  await page.getByText('200 Answered').first().waitFor();
  await page.getByText(/Quota: 1\d of 20 requests left this minute/).waitFor();
});

test('the operator revokes the certificate, and the page says so', async () => {
  await page.goto('/integrations/nordlys-tracker/certificates');
  await page.getByRole('button', { name: /^Actions for sandbox-/ }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Calls with it are refused from the next request on').waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Revoke certificate' }).click();
  await page.getByText('Ended certificates').first().click();
  await page.getByText('Revoked', { exact: true }).first().waitFor();
});

test('an ended session is told in words, and signing in leads back', async () => {
  application.clock.advance(21 * 60_000);
  await page.getByRole('link', { name: 'Integrations', exact: true }).click();
  await page.getByText('Your session has ended').waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
});

test('nothing on the way broke the content security policy or any script', () => {
  expect(operator.complaints).toEqual([]);
});

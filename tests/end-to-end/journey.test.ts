import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test as jestTest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { reviewChecklist, reviewItems } from '../../server/domain/review/reviewChecklist.ts';
import { TestClock } from '../support/world/TestClock.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { addVirtualAuthenticator, launchBrowser, openPage, type WatchedPage } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { picture } from '../support/logo-files/pictures.ts';
import { MachineClient } from '../support/clients/machineClient.ts';
import { newKey, requestFor } from '../support/clients/portalClient.ts';
import { documents } from '../support/clients/portalDocuments.ts';
import {
  approveInBrowser,
  fillInIntegration,
  fillInSubmission,
  giveVerdictInBrowser,
  untilQueued,
} from '../support/browser/reviewInBrowser.ts';
import { sampleOrder } from '../support/world/samples.ts';
import { patient } from '../support/patience.ts';

const program = fileURLToPath(new URL('../../server/admin.ts', import.meta.url));
const minute = 60_000;
const name = 'Nordlys Tracker';
const people = ['operator', 'reviewer', 'administrator'] as const;
type Person = (typeof people)[number];
const addressOf = (person: Person) => `${person}@nordlys.example`;

let application: PortalWorld & MachineWorld;
let browser: Browser;
const watched = {} as Record<Person, WatchedPage>;
const pages = {} as Record<Person, Page>;
const backEnds: MachineClient[] = [];
let sandbox: MachineClient;
let production: MachineClient;
let token: string;
let integrationId: string;

/** The steps build on each other: after one has failed the others say so at once. */
let broken = false;
function test(step: string, run: () => Promise<void>): void {
  jestTest(
    step,
    async () => {
      if (broken) throw new Error('an earlier step failed');
      try {
        await run();
      } catch (error) {
        broken = true;
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${await whatIsShown()}`, { cause: error });
      }
    },
    120_000,
  );
}

async function whatIsShown(): Promise<string> {
  const shown = people.map(async (person) => {
    const page = pages[person];
    const text = await page
      .locator('body')
      .innerText({ timeout: 1_000 })
      .catch(() => '(nothing)');
    return `The ${person} at ${page.url()} sees:\n${text}\nComplaints: ${watched[person].complaints.join('\n')}`;
  });
  return (await Promise.all(shown)).join('\n\n');
}

beforeAll(async () => {
  [application, browser] = await Promise.all([
    openWorld({ portal: true, machine: true, workers: true, clock: new TestClock().stop() }),
    launchBrowser(),
  ]);
  for (const person of people) {
    watched[person] = await openPage(browser, { baseURL: application.portalUrl, acceptDownloads: true });
    pages[person] = watched[person].page;
    await addVirtualAuthenticator(pages[person]);
  }
}, 120_000);
afterAll(async () => {
  for (const backEnd of backEnds) backEnd.close();
  await browser?.close();
  await application?.close();
});

const tab = (page: Page, word: string) => page.getByRole('main').getByRole('link', { name: word, exact: true }).first().click();
const menu = (page: Page, word: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: word, exact: true }).click();
/** By the header, since the pages of one integration have tabs of their own. */
const adminTab = async (word: string) => {
  await menu(pages.administrator, 'Admin');
  await pages.administrator.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: word, exact: true }).click();
};

/** The link of the newest mail to this address, as the development mailbox shows it. */
async function mailedLink(address: string): Promise<string> {
  for (const end = Date.now() + patient(15_000); Date.now() < end; await pages.operator.waitForTimeout(100)) {
    const response = await fetch(`${application.portalUrl}/dev/mailbox`, { headers: { accept: 'application/json' } });
    const mails = (await response.json()) as { recipient: string; text: string }[];
    const link = mails.find(({ recipient }) => recipient === address)?.text.match(/https?:\/\/\S+/)?.[0];
    if (link) return link;
  }
  throw new Error('no mail arrived');
}

async function register(person: Person): Promise<void> {
  const page = pages[person];
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await page.getByLabel('Email address').fill(addressOf(person));
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.goto(await mailedLink(addressOf(person)));
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await page.getByLabel('Passkey name').fill('Work laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue to your first integration' }).click();
  await page.getByRole('heading', { name: 'New integration' }).waitFor();
}

/** On the page of the certificates: makes a request for the common name shown, sends it, and takes the bundle. */
async function certificate(page: Page, environment: 'sandbox' | 'production'): Promise<MachineClient> {
  await page.getByRole('radio', { name: 'Your own request (CSR)' }).check();
  const shown = page.getByText(new RegExp(`^svc:${environment}:cli_[0-9a-z]{26}$`)).first();
  const key = newKey();
  await page.getByLabel('Certificate request (PEM)').fill(requestFor(await shown.innerText(), key));
  await page.getByRole('button', { name: 'Request certificate' }).click();
  const download = page.waitForEvent('download', { timeout: patient(40_000) });
  await page
    .getByRole('link', { name: 'Download PEM bundle' })
    .first()
    .click({ timeout: patient(40_000) });
  const certPem = await readFile(await (await download).path(), 'utf8');
  const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
  const backEnd = new MachineClient({ url: application.machineApiUrl, ca: application.machineApiCa, certPem, keyPem });
  backEnds.push(backEnd);
  return backEnd;
}

/** Presses the button that asks, gives the reason, and confirms. */
async function decide(ask: string, reason: string): Promise<void> {
  await pages.administrator.getByRole('button', { name: ask, exact: true }).click();
  await giveReason(ask, reason);
}

/** Chooses an act from the integration's menu, gives the reason, and confirms. */
async function decideHere(act: string, reason: string, confirm: string): Promise<void> {
  const page = pages.administrator;
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: act, exact: true }).click();
  await giveReason(confirm, reason);
}

async function giveReason(confirm: string, reason: string): Promise<void> {
  const page = pages.administrator;
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** The very next request in production is answered with this problem. */
async function refused(path: string, code: string): Promise<void> {
  const { status, body } = await production.call(path);
  expect([status, (body as { code: string }).code]).toEqual([403, code]);
}

/** One operation of the order-tracking service's tooling. */
async function tooling<Result>(operation: keyof typeof documents, input: Record<string, unknown>): Promise<Result> {
  const response = await fetch(`${application.portalUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: documents[operation], variables: { input } }),
  });
  const { data, errors } = (await response.json()) as { data: Record<string, Result> | null; errors?: unknown };
  expect(errors).toBeUndefined();
  return data?.[operation] as Result;
}

test('operator, reviewer and administrator register', async () => {
  for (const person of people) await register(person);
});

test('the first administrator is named on the terminal and makes the reviewer one, by the browser', async () => {
  const args = ['--disable-warning=ExperimentalWarning', program, 'grant-role', addressOf('administrator'), 'administrator'];
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: application.databaseUrl };
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  const page = pages.administrator;
  await page.reload();
  await menu(page, 'Admin');
  await adminTab('Operators');
  await page.getByRole('link', { name: addressOf('reviewer') }).click();
  await page.getByRole('button', { name: 'Grant Reviewer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Grant role' }).click();
  await page.getByRole('button', { name: 'Withdraw Reviewer' }).waitFor();
});

test('the operator creates an integration and uploads a logo', async () => {
  const page = pages.operator;
  expect(await fillInIntegration(page, name)).toBe('nordlys-tracker');
  await tab(page, 'Profile');
  await page
    .getByLabel('Logo file')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await picture(600).png().toBuffer() });
  await page.getByText('512 × 512 pixels, on a light background').waitFor();
});

test('the back end works in the sandbox: capabilities, the whole feed, a link code, a deletion', async () => {
  const page = pages.operator;
  await tab(page, 'Test data');
  await page.getByText('Version 1, ready').waitFor({ timeout: patient(60_000) });
  await tab(page, 'Certificates');
  sandbox = await certificate(page, 'sandbox');
  expect((await sandbox.call('/v1/capabilities')).body).toMatchObject({ environment: 'sandbox', integration_status: 'sandbox' });
  const first = await sandbox.call('/v1/sync');
  let { next_cursor: cursor, has_more: more } = first.body as { next_cursor: string; has_more: boolean };
  let etag = '';
  while (more) {
    const { body, headers } = await sandbox.call(`/v1/sync?updated_since=${encodeURIComponent(cursor)}`);
    ({ next_cursor: cursor, has_more: more } = body as { next_cursor: string; has_more: boolean });
    etag = headers.etag ?? '';
  }
  const latest = await sandbox.call(`/v1/sync?updated_since=${encodeURIComponent(cursor)}`);
  etag = latest.headers.etag ?? etag;
  const unchanged = await sandbox.call(`/v1/sync?updated_since=${encodeURIComponent(cursor)}`, { headers: { 'If-None-Match': etag } });
  expect(unchanged.status).toBe(304);

  await tab(page, 'Test data');
  await page.getByRole('button', { name: 'Generate link code' }).click();
  const fresh = page.getByRole('region', { name: 'New link code' });
  const code = (await fresh.getByRole('img', { name: /^Link code/ }).innerText()).replaceAll(/\s/g, '');
  const redeemed = await sandbox.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  expect(redeemed.status).toBe(200);
  const { resources } = redeemed.body as { resources: { id: string }[] };
  await fresh.getByText('Redeemed', { exact: true }).waitFor();
  const id = resources[0]?.id ?? '';
  await page.getByRole('textbox', { name: 'ID' }).fill(id);
  await page.getByRole('button', { name: `Actions for ${id}` }).click();
  await page.getByRole('menuitem', { name: 'Revoke', exact: true }).click();
  await page.getByRole('dialog', { name: 'Revoke this resource?' }).getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('list', { name: 'Records of the next sync' }).getByText(`${id} · tombstone`).waitFor();
  const { body } = await sandbox.call(`/v1/sync?updated_since=${encodeURIComponent(cursor)}`);
  const { tombstones } = body as { tombstones: { revocation_id: string; resource?: { id: string } }[] };
  const revocationId = tombstones.find(({ resource }) => resource?.id === id)?.revocation_id ?? '';
  const acknowledged = await sandbox.call(`/v1/revocations/${revocationId}/ack`, {
    method: 'POST',
    headers: { 'Idempotency-Key': 'journey' },
    body: { deletion_completed: true },
  });
  expect(acknowledged.status).toBe(200);
});

test('the operator submits, and confirms with the passkey once more', async () => {
  const page = pages.operator;
  application.clock.advance(6 * minute);
  await tab(page, 'Go live');
  await fillInSubmission(page);
  await untilQueued(page);
  await page.getByRole('heading', { name: 'Review of submission 1' }).waitFor();
});

async function openFromQueue(): Promise<void> {
  const page = pages.reviewer;
  await menu(page, 'Review');
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

test('the reviewer sees what the sandbox client did, and rejects with notes', async () => {
  const page = pages.reviewer;
  await page.reload();
  await openFromQueue();
  await page.getByRole('list', { name: 'Observed in the sandbox' }).getByText('Observed', { exact: true }).first().waitFor();
  await giveVerdictInBrowser(page, 'Privacy policy', false, 'The link is dead.');
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await page.getByRole('dialog').getByLabel('What needs to change').fill('Repair the link to the privacy policy.');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject this version' }).click();
  await page.getByText('is rejected.').waitFor();
});

test('the operator reads the notes, corrects the profile and submits again', async () => {
  const page = pages.operator;
  await tab(page, 'Overview');
  await tab(page, 'Go live');
  await page.getByText('Repair the link to the privacy policy.').waitFor();
  await tab(page, 'Profile');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Privacy policy').fill('https://www.nordlys-tracker.com/privacy-policy');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('heading', { name: 'Review version 3' }).waitFor();
  await page.getByRole('button', { name: /^(Save|Store)/ }).click();
  await page.getByText(/^Version 3\./).waitFor();
  await tab(page, 'Go live');
  await page.getByRole('heading', { name: 'Submit again' }).waitFor();
  await fillInSubmission(page);
  await untilQueued(page);
  await page.getByRole('heading', { name: 'Review of submission 2' }).waitFor();
});

test('the reviewer sees what changed, meets every item and approves', async () => {
  const page = pages.reviewer;
  application.clock.advance(6 * minute);
  await openFromQueue();
  await page.getByRole('heading', { name: 'What changed' }).waitFor();
  await page.getByText('https://www.nordlys-tracker.com/privacy-policy').first().waitFor();
  await approveInBrowser(
    page,
    reviewItems.map((item) => reviewChecklist[item].title),
  );
});

test('the operator gets a production certificate and activates the approved version; its gate is still closed', async () => {
  const page = pages.operator;
  await tab(page, 'Overview');
  await page
    .getByRole('region', { name: 'Go live, step 3 of 5: activate the integration', exact: true })
    .getByRole('link', { name: 'Continue to production' })
    .click();
  await page.getByRole('link', { name: 'Get a production certificate' }).click();
  production = await certificate(page, 'production');
  await refused('/v1/sync', 'integration_not_active');
  await tab(page, 'Go live');
  await page.getByRole('button', { name: 'Activate for production' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Activate', exact: true }).click();
  await page.getByText('With the administrators').first().waitFor();
  await refused('/v1/sync', 'production_data_disabled');
});

test('the administrator opens the gate of the service and of the integration', async () => {
  const page = pages.administrator;
  await adminTab('Gate');
  await decide('Open the gate', 'The rollout begins.');
  await refused('/v1/sync', 'production_data_disabled');
  application.clock.advance(minute);
  await page.getByRole('link', { name }).click();
  await decideHere('Open the gate', 'The first pilot.', 'Open the gate');
  await page.getByText('Enabled: both gates are open').waitFor();
  integrationId = await page
    .getByText(/^int_[0-9a-z]{26}$/)
    .first()
    .innerText();
  expect((await production.call('/v1/sync')).body).toMatchObject({ upserts: [], tombstones: [] });
});

test('the administrator makes a token for the tooling, which feeds an order and makes a link code', async () => {
  const page = pages.administrator;
  await adminTab('Tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Order feed');
  await dialog.getByText('Production', { exact: true }).click();
  for (const permission of ['resources.write', 'shares.write']) await dialog.getByRole('checkbox', { name: permission }).check();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  token = await dialog.locator('pre').innerText();
  await dialog.getByRole('checkbox', { name: 'I have saved it' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const order = { type: 'order', key: 'o-1', version: '1', user: 'u-1', historyComplete: true, data: sampleOrder };
  expect(await tooling('upsertTrackedResources', { resources: [order] })).toMatchObject({ created: 1 });
});

test('the first production call over mutual TLS returns that order, and the operator sees that data flows', async () => {
  const share = { integrationId, user: 'u-1', orders: ['o-1'], scopes: ['orders.read'], statisticsOptedIn: false };
  const { code } = await tooling<{ code: string }>('createLinkCode', share);
  const redeemed = await production.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  expect(redeemed.status).toBe(200);
  const { resources } = redeemed.body as { resources: { id: string }[] };
  const { body } = await production.call('/v1/sync');
  expect(body).toMatchObject({ upserts: [{ id: resources[0]?.id, type: 'order', model: sampleOrder.model, status: 'placed' }] });
  await tab(pages.operator, 'Overview');
  // What was refused while the gate was closed is over.
  await pages.operator.getByRole('region', { name: /^Production: synced just now\. Healthy\.$/ }).waitFor();
  await keepScreenshot(pages.operator, 'journey-data-flows');
});

test('a suspension stops the very next machine request, and a reactivation lets it through again', async () => {
  const page = pages.administrator;
  await adminTab('Integrations');
  await page.getByRole('link', { name }).click();
  await decideHere('Suspend', 'Data seen outside the purpose.', 'Suspend integration');
  await refused('/v1/sync', 'integration_suspended');
  await refused('/v1/capabilities', 'integration_suspended');
  expect((await sandbox.call('/v1/capabilities')).status).toBe(200);
  await tab(pages.operator, 'Go live');
  await tab(pages.operator, 'Overview');
  await pages.operator.getByText('Data seen outside the purpose.').first().waitFor();
  await decideHere('Reactivate', 'Explained and corrected.', 'Reactivate integration');
  expect((await production.call('/v1/sync')).body).toMatchObject({ upserts: [{ type: 'order' }] });
});

test('nothing on the way broke the content security policy or any script', async () => {
  expect(people.flatMap((person) => watched[person].complaints)).toEqual([]);
});

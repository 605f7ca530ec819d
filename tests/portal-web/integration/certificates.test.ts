import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { FinishedRequest } from '../../../server/domain/usage/FinishedRequest.ts';
import { accessibilityFindings, launchBrowser, stayInBackground, untilPainted, type WatchedPage } from '../../support/browser/browser.ts';
import { keepEveryScreenshot } from '../../support/browser/keepScreenshot.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { watchShifts } from '../../support/browser/watchShifts.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { newKey, requestFor, type CertificateData, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { writeRequests } from '../../support/world/usageFixtures.ts';
import { numberOfClient, revokedCertificates } from '../../support/world/revocationFixtures.ts';
import { confirmInBrowser, openPageAs } from '../../support/browser/signedInBrowser.ts';

let application: PortalWorld;
let browser: Browser;
let operator: PortalClient;
let watched: WatchedPage;
let page: Page;
let slug: string;
let usable: CertificateData;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  operator = await application.operator();
  const integration = await operator.createIntegration();
  ({ slug } = integration);
  usable = await operator.issuedCertificate(integration);
  const number = await numberOfClient(application, slug);
  await revokedCertificates(application, number, 30);
  watched = await openPageAs(browser, operator);
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const table = (name: string) => page.getByRole('table', { name });
/** The rows of a table that are not the details of another one. */
const rows = (name = 'Certificates in use') => table(name).locator('tbody tr:first-child');
const details = (id: string) => page.getByRole('button', { name: `Details of ${id}` });
const ended = () => page.getByText('Ended certificates', { exact: true }).first();
const menuOf = (keyName: string) => page.getByRole('button', { name: `Actions for ${keyName}`, exact: true });
const showNew = async () => {
  const offer = page.getByRole('button', { name: 'New certificate' });
  await offer
    .or(page.getByRole('radio', { name: 'In this browser' }))
    .first()
    .waitFor();
  if (await offer.isVisible()) await offer.click();
};

test('an operator sees at once which certificate is used, and finds the many that were revoked since folded below', async () => {
  await page.goto(`/integrations/${slug}/certificates`);
  await rows()
    .first()
    .getByText(usable.serial ?? '')
    .waitFor();
  expect(await rows().count()).toBe(1);
  await page
    .getByRole('status')
    .filter({ hasText: /^Certificate sandbox-\S+ is ready, not used yet, (89|90) days left$/ })
    .waitFor();
  await ended().click();
  await rows('Ended certificates').nth(19).waitFor();
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'Previous page' }).waitFor();
  // The page before stays until the next one is there.
  await rows('Ended certificates').nth(19).waitFor({ state: 'detached' });
  expect(await rows('Ended certificates').count()).toBe(10);
  expect(await accessibilityFindings(page)).toEqual([]);
});

test('an address that names a certificate opens it, though it ended long ago', async () => {
  const [{ id } = { id: '' }] = await application.rows<{ id: string }>(
    "select id from certificate where status = 'revoked' order by requested_at limit 1",
  );
  await page.goto(`/integrations/${slug}/certificates?certificate=${id}`);
  expect(await details(id).getAttribute('aria-expanded')).toBe('true');
  await table('The certificate that you searched for').getByText('Replaced by another certificate').waitFor();
});

/** Chooses to upload a request, and finds the field for it. */
async function ownRequest(): Promise<Locator> {
  await showNew();
  await page.getByRole('radio', { name: 'Your own request (CSR)' }).check();
  return page.getByRole('textbox', { name: 'Certificate request (PEM)' });
}

/** Answers every query for a later page with an error of this code, until the function that it returns is called. */
async function refuseLaterPages(code: string): Promise<() => Promise<void>> {
  await page.evaluate(stayInBackground);
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('"after":"')
      ? route.fulfill({ json: { errors: [{ message: 'No.', extensions: { code } }] } })
      : route.fallback(),
  );
  return () => page.unroute('**/graphql');
}

test('a page that cannot be read leaves the operator the previous one, what they have typed, and another try', async () => {
  await page.goto(`/integrations/${slug}/certificates`);
  const request = await ownRequest();
  await request.fill('Not yet complete');
  const answer = await refuseLaterPages('INTERNAL_SERVER_ERROR');
  await ended().click();
  await page.getByRole('link', { name: 'Next page' }).click();
  const list = page.getByRole('group', { name: /^Ended certificates/ });
  await list.getByText('Something went wrong on our side.').waitFor();
  expect(await rows('Ended certificates').count()).toBe(20);
  expect(await list.locator('[aria-busy]').count()).toBe(0);
  expect(await request.inputValue()).toBe('Not yet complete');
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepEveryScreenshot(page, 'list-failure');
  await answer();
  await list.getByRole('button', { name: 'Try again' }).click();
  await rows('Ended certificates').nth(19).waitFor({ state: 'detached' });
  expect(await rows('Ended certificates').count()).toBe(10);
  expect(await list.getByText('Something went wrong').count()).toBe(0);
  await page.locator('[role="group"][aria-label="Ended certificates, page 2"]:focus').waitFor();
  expect(await request.inputValue()).toBe('Not yet complete');
});

test('a check that fails, and the next one while it has no answer, leave the operator the page and what they have typed', async () => {
  await page.goto(`/integrations/${slug}/certificates`);
  const request = await ownRequest();
  await request.fill('Not yet complete');
  const asksNext = Promise.withResolvers<void>();
  let checks = 0;
  await page.route('**/graphql', (route) => {
    if (!route.request().postData()?.includes('query Integration(')) return route.fallback();
    checks += 1;
    if (checks === 1) return route.abort();
    asksNext.resolve();
    return undefined;
  });
  await asksNext.promise;
  await page.evaluate(untilPainted);
  expect(await request.inputValue()).toBe('Not yet complete');
  await page.unroute('**/graphql');
  expect(watched.complaints.splice(0).every((each) => each.includes('ERR_FAILED'))).toBe(true);
});

test('an operator whose page is older than the portal is told so and offered to reload it, and loses nothing before', async () => {
  await page.goto(`/integrations/${slug}/certificates`);
  const request = await ownRequest();
  await request.fill('Not yet complete');
  const answer = await refuseLaterPages('GRAPHQL_VALIDATION_FAILED');
  await ended().click();
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('alert').getByText('The portal has been updated since you opened this page.').waitFor();
  expect(await request.inputValue()).toBe('Not yet complete');
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepEveryScreenshot(page, 'portal-updated');
  await answer();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page
    .getByRole('group', { name: 'Ended certificates, a later page' })
    .or(page.getByRole('group', { name: 'Ended certificates, page 2' }))
    .waitFor();
  expect(await page.getByText('The portal has been updated').count()).toBe(0);
});

describe('a new certificate', () => {
  let fresh: { slug: string; clientId: string; commonName: string };
  beforeEach(async () => {
    // On a slow machine, the tests of this file take longer than a confirmation holds.
    await operator.confirmFreshly();
    await confirmInBrowser(page, operator);
    fresh = await operator.createIntegration();
    await page.goto(`/integrations/${fresh.slug}/certificates`);
  });

  /** Whether the browser would ask before it reloads the page. */
  const warnsBeforeLeaving = () => page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
  const create = () => page.getByRole('button', { name: 'Create key and certificate' });
  const progress = () => page.getByRole('group', { name: 'Your new key and certificate' });
  const keyFile = async (act: () => Promise<void>) => {
    const download = page.waitForEvent('download');
    await act();
    return (await download).suggestedFilename();
  };

  test('is offered in ways that say what each means for the private key, the one in this browser first and chosen', async () => {
    const chosen = page.getByRole('radio', { name: 'In this browser' });
    expect(await chosen.isChecked()).toBe(true);
    expect(await page.getByRole('radio').first().getAttribute('value')).toBe('browser');
    await page.getByText('You will be asked for your passkey.').waitFor();
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 780 });
    expect((await create().boundingBox())?.height).toBeLessThan(40);
    if (wide) await page.setViewportSize(wide);
    await look('certificate-ways');
    await ownRequest();
    await look('certificate-own-request');
  });

  test('comes by the keyboard alone, and a screen reader hears how far it is', async () => {
    await page.getByRole('radio', { name: 'In this browser' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('textbox', { name: 'Certificate request (PEM)' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    expect(await keyFile(() => page.keyboard.press('Enter'))).toMatch(/^sandbox-\d{4}-\d\d\.key$/);
    await page.locator('[role="group"][aria-label="Your new key and certificate"]:focus').waitFor();
    const said = progress().getByRole('status');
    expect(await said.innerText()).toContain('Your key is made. The certificate is being signed');
    expect(await keyFile(() => progress().getByRole('button', { name: 'save it again' }).press('Enter'))).toMatch(/\.key$/);
    await look('certificate-pending');
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 780 });
    const shifts = await watchShifts(page);
    expect(await keyFile(() => application.work())).toMatch(/\.pem$/);
    await said.filter({ hasText: /^Your browser was given two files: sandbox-.*\.key and sandbox-.*\.pem\.$/ }).waitFor();
    await rows().first().getByText('Issued', { exact: true }).waitFor();
    expect(await shifts()).toEqual([]);
    await page.getByRole('heading', { name: 'Your new certificate', exact: true }).waitFor();
    if (wide) await page.setViewportSize(wide);
    await look('certificate-issued');
    expect(await keyFile(() => progress().getByRole('link', { name: 'Save the certificate again' }).press('Enter'))).toMatch(/\.pem$/);
    await progress().getByText('Save it again before you leave').waitFor();
    expect(await keyFile(() => progress().getByRole('button', { name: 'Save the key again' }).press('Enter'))).toMatch(/\.key$/);
    expect(await warnsBeforeLeaving()).toBe(true);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await look('certificate-files');
    }
    const stays = await watchShifts(page);
    await progress().getByRole('button', { name: 'Forget the key now' }).press('Enter');
    await progress().getByText('You have both files, so this page has forgotten the key.').waitFor();
    expect(await warnsBeforeLeaving()).toBe(false);
    expect(await stays()).toEqual([]);
    await page.locator('[role="group"][aria-label="Your new key and certificate"]:focus').waitFor();
    await progress().getByText('Waiting for your first call…').waitFor();
    if (wide) await page.setViewportSize(wide);
    await look('certificate-files-had');
    await progress().getByRole('button', { name: 'New certificate' }).press('Enter');
    await create().waitFor();
    await page.getByRole('heading', { name: 'New certificate', exact: true }).waitFor();
  });

  test('survives a visit to another page, and attempts to follow it that fail', async () => {
    await keyFile(() => create().click());
    await page.route('**/graphql', (route) =>
      route.request().headers()['x-svc-background']
        ? route.fulfill({ status: 500, json: { errors: [{ message: 'No.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] } })
        : route.fallback(),
    );
    const failed = () => page.waitForResponse((response) => response.status() === 500);
    for (let poll = 0; poll < 2; poll += 1) await failed();
    expect(await progress().getByRole('status').innerText()).toContain('The certificate is being signed');
    await page.unroute('**/graphql');
    await page.getByRole('link', { name: 'Test data', exact: true }).click();
    await page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await application.work();
    await progress().getByRole('link', { name: 'Save the certificate again' }).waitFor();
    expect(watched.complaints.splice(0).every((each) => each.includes('500'))).toBe(true);
  });

  test('whose key is lost by a reload says so, and what to do: revoke it and start again', async () => {
    await keyFile(() => create().click());
    await progress().waitFor();
    await page.reload();
    const notice = page.getByRole('status').filter({ hasText: 'This page no longer has your new key' });
    await notice.getByText('If not, the key is gone').waitFor();
    await look('certificate-key-lost');
    await notice.getByRole('button', { name: 'Revoke the certificate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke certificate' }).click();
    await notice.waitFor({ state: 'detached' });
    await create().waitFor();
  });

  test('that is requested while the page is reloaded is told apart from none', async () => {
    const held = await holdRequests();
    await create().click();
    await held.arrived;
    await page.reload();
    const notice = page.getByRole('status').filter({ hasText: 'The key is gone' });
    await notice.getByText('No certificate was requested for it').waitFor();
    await held.send();
    await page.reload();
    await notice.getByText('The certificate that was requested for it is of no use.').waitFor();
    await notice.getByRole('button', { name: 'Start again' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  /** Keeps requests for certificates from arriving, until `send` lets the first one through on another way. */
  async function holdRequests() {
    const { promise: arrived, resolve } = Promise.withResolvers<string>();
    await page.route('**/graphql', (route) => {
      const body = route.request().postData() ?? '';
      if (!body.includes('mutation RequestCertificate')) return route.fallback();
      resolve((JSON.parse(body) as { variables: { input: { csr: string } } }).variables.input.csr);
      return undefined;
    });
    return {
      arrived,
      send: async () => {
        await page.unroute('**/graphql');
        await operator.must('requestCertificate', { input: { clientId: fresh.clientId, csr: await arrived } });
      },
    };
  }

  test('for an own request is uploaded, issued and downloaded by clicks', async () => {
    await ownRequest();
    // As PowerShell saves what a program prints, with an explanation first.
    const buffer = Buffer.from(`\uFEFFCertificate Request:\r\n${requestFor(fresh.commonName, newKey())}`, 'utf16le');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Choose a file' }).click()]);
    await chooser.setFiles({ name: 'sandbox.csr', mimeType: 'application/pkcs10', buffer });
    await page.getByRole('button', { name: 'Request certificate' }).click();
    await table('Certificates in use').getByText('It is being signed').waitFor();
    await application.work();
    const bundle = table('Certificates in use').getByRole('link', { name: 'Download PEM bundle' });
    expect(await keyFile(() => bundle.click())).toMatch(/^sandbox-.*\.pem$/);
    // As true of a key that was made on this page as of one that was made elsewhere.
    await page.getByText(/, never on our servers$/).waitFor();
  });

  describe('in a P12 package', () => {
    const p12 = () => page.getByRole('group', { name: 'Your P12 package' });
    const download = () => p12().getByRole('button', { name: 'Download the package and show its password' });

    /** Requests a package by clicks, and waits until the page says that it is ready. */
    async function readyPackage(): Promise<void> {
      await page.getByRole('radio', { name: 'P12 package' }).check();
      await page.getByRole('button', { name: 'Request P12 package' }).click();
      await p12().getByText('A worker is making key, certificate and package. Only this page can open it.').waitFor();
      await application.work();
      await p12().getByRole('status').filter({ hasText: 'Your package is ready. Download it within 15 minutes.' }).waitFor();
    }

    test('is requested, downloaded and opened with the password that is shown once', async () => {
      await readyPackage();
      expect(await p12().getByRole('timer').innerText()).toMatch(/^1[45]:\d\d$/);
      await look('p12-ready');
      const file = page.waitForEvent('download');
      await download().click();
      expect((await file).suggestedFilename()).toMatch(/^sandbox-\d{4}-\d\d(-\d)?\.p12$/);
      const said = p12().getByRole('status');
      await said.filter({ hasText: 'Save its password now: it is shown only here.' }).waitFor();
      await page.locator('[role="group"][aria-label="Your P12 package"]:focus').waitFor();
      const passphrase = await p12()
        .getByText(/^[0-9a-hjkmnp-tv-z]{25}$/i)
        .innerText();
      const pfx = await readFile(await (await file).path());
      expect(createSecureContext({ pfx, passphrase })).toBeDefined();
      expect(() => createSecureContext({ pfx, passphrase: 'another' })).toThrow();
      for (const tool of ['openssl', 'Kit (Node)', 'Python', 'Java']) await p12().getByText(tool, { exact: true }).click();
      await p12().getByText('Call.java', { exact: false }).first().waitFor();
      await look('p12-password');
      expect(
        await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])'),
      ).not.toContain(passphrase);
      // It outlives another page of the portal, and a failure to read anything.
      await page.route('**/graphql', (route) => route.abort());
      await page.getByRole('link', { name: 'Test data', exact: true }).click();
      await page.getByRole('link', { name: 'Certificates', exact: true }).click();
      await page.unroute('**/graphql');
      await p12().getByText(passphrase).waitFor();
      await p12().getByRole('button', { name: 'I have saved it' }).click();
      await p12().waitFor({ state: 'detached' });
      expect(await page.getByText(passphrase).count()).toBe(0);
      await table('Certificates in use').getByText('Handed over').waitFor();
      await table('Certificates in use')
        .getByText(/^How to use sandbox-/)
        .click();
      await table('Certificates in use').getByText("pfxFile('sandbox-").waitFor();
      expect(watched.complaints.splice(0).every((each) => each.includes('ERR_FAILED'))).toBe(true);
    });

    test('stands first on the page, its button in sight, and its row says what its card says from the first moment', async () => {
      const older = await operator.issuedCertificate(fresh);
      await application.rows('insert into certificate_activity (certificate_id, last_used_at) values ($1, now())', [older.id]);
      const size = page.viewportSize();
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.reload();
      await showNew();
      await readyPackage();
      const box = await download().boundingBox();
      expect(await page.evaluate('scrollY')).toBe(0);
      expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(600);
      expect(await page.getByText(/^Install certificate/).count()).toBe(0);
      await table('Certificates in use').getByText('Ready to be downloaded').waitFor();
      await keepEveryScreenshot(page, 'p12-first');
      // From here on the table cannot be read again.
      await page.route('**/graphql', (route) =>
        /query (ClientCertificates|CertificateProgress)/.test(route.request().postData() ?? '') ? undefined : route.fallback(),
      );
      await download().click();
      await p12().getByText('Save its password now').waitFor();
      expect(await table('Certificates in use').getByText('Ready to be downloaded').count()).toBe(0);
      await table('Certificates in use').getByText('Handed over').waitFor();
      await page.unroute('**/graphql');
      if (size) await page.setViewportSize(size);
    });

    test('that is requested on a page which is reloaded is started again', async () => {
      await readyPackage();
      await page.reload();
      const notice = page.getByRole('status').filter({ hasText: 'This page cannot open your P12 package' });
      await notice.getByText('the token is gone and the package cannot be opened').waitFor();
      await look('p12-token-lost');
      await notice.getByRole('button', { name: 'Start again' }).click();
      await p12().waitFor();
      await notice.waitFor({ state: 'detached' });
      const [second, first] = await operator.certificates(fresh.slug);
      expect([second?.status, first?.status]).toEqual(['pending', 'revoked']);
    });

    test('whose answer does not arrive is told apart from one that waits, and started again', async () => {
      await readyPackage();
      await page.route('**/graphql', async (route) => {
        if (!route.request().postData()?.includes('mutation ClaimP12')) return route.fallback();
        await route.fetch();
        return route.abort();
      });
      await download().click();
      await p12().getByText('If you do not have both the file and its password, start again').waitFor();
      await page.unroute('**/graphql');
      await p12().getByRole('button', { name: 'Start again' }).click();
      await p12().getByText('A worker is making').waitFor();
      watched.complaints.length = 0;
    });

    test('that nobody downloads in time says what became of it, and how to go on', async () => {
      await readyPackage();
      // The page looks again from time to time, and has not noticed when the reader presses the button.
      const pressed = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        if (route.request().headers()['x-svc-background'] === '1') await pressed.promise;
        return route.fallback();
      });
      application.clock.advance(15 * 60_000);
      await confirmInBrowser(page, operator);
      await operator.confirmFreshly();
      await download().click();
      pressed.resolve();
      await p12().getByRole('status').filter({ hasText: 'The package was not downloaded in time.' }).waitFor();
      // Not before: a request that the route still holds then is lost, and the page would wait for its answer.
      await page.unroute('**/graphql');
      await p12().getByText('removed and its certificate revoked, so that no key is left lying around').waitFor();
      await look('p12-missed');
      await p12().getByRole('button', { name: 'Start again' }).click();
      await p12().getByText('A worker is making').waitFor();
    });
  });

  test('whose files were given out is not taken for saved: a reload still says what to do about the key', async () => {
    await keyFile(() => create().click());
    expect(await keyFile(() => application.work())).toMatch(/\.pem$/);
    await progress().getByText('Your browser was given two files').waitFor();
    await page.reload();
    const notice = page.getByRole('status').filter({ hasText: 'This page no longer has your new key' });
    await notice.getByRole('button', { name: /^I have sandbox-\S+\.key$/ }).click();
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Your first call' }).getByText('Waiting for your first call…').waitFor();
  });

  describe('and its first call', () => {
    let certificate: CertificateData;
    const region = () => page.getByRole('region', { name: 'Your first call' });
    const line = () => region().getByRole('status');
    const call = async (changes: Partial<FinishedRequest>) =>
      writeRequests(
        application.databaseUrl,
        { clientNumber: await numberOfClient(application, fresh.slug), commonName: fresh.commonName, certificate },
        [{ operation: 'getCapabilities', durationMs: 36, ...changes }],
      );
    beforeEach(async () => {
      certificate = await operator.issuedCertificate(fresh);
      await SandboxClient.buildOf(application, fresh.clientId);
      await page.reload();
      await line().filter({ hasText: 'Waiting for your first call…' }).waitFor();
    });

    test('is told in one line as it arrives, with its cure if it is refused and with the first record if not, and nothing moves', async () => {
      await region().getByText('An example; the first record of your sync appears here').waitFor();
      await look('first-call-waiting');
      let shifts = await watchShifts(page);
      await call({ status: 403, problem: 'scope_required', operation: 'getOrder' });
      await line()
        .filter({ hasText: /^403 in 36 ms: Scope required\. .*missing_in says where the scope is missing.* Waiting for the next call…$/ })
        .waitFor();
      expect(await shifts()).toEqual([]);
      await look('first-call-refused');
      shifts = await watchShifts(page);
      await call({});
      await line().filter({ hasText: '200 in 36 ms: 500 orders wait in /v1/sync' }).waitFor();
      const record = region().getByRole('figure', { name: 'The first record of /v1/sync' });
      await record.getByText('The first record of your sync', { exact: true }).waitFor();
      const colours = 'new Set([...document.querySelectorAll("figure code span")].map((each) => getComputedStyle(each).color)).size';
      expect(await page.evaluate(colours)).toBeGreaterThan(3);
      await page
        .getByRole('status')
        .filter({ hasText: /^Certificate \S+ is in use, / })
        .waitFor();
      expect(await region().getByRole('link', { name: 'Next: share an order' }).getAttribute('href')).toBe(
        `/integrations/${fresh.slug}/sandbox`,
      );
      expect(await shifts()).toEqual([]);
      await look('first-call-answered');
      expect(await line().getAttribute('aria-live')).toBe('polite');
    });

    test('is no longer asked for once a sync has been answered', async () => {
      await page.clock.install();
      await page.reload();
      await line().filter({ hasText: 'Waiting for your first call…' }).waitFor();
      await call({ operation: 'getSync' });
      await application.rows(
        `insert into client_observation (client_number, state)
         select f.client_number, json_build_object('pageEnd', f.head, 'pageEpoch', f.epoch) from client_feed f where client_number = $1`,
        [await numberOfClient(application, fresh.slug)],
      );
      while (!/has read everything/.test(await line().innerText())) await page.clock.runFor(500);
      const asked: unknown[] = [];
      page.on('request', (request) => asked.push((request.postDataJSON() as { operationName?: string } | null)?.operationName));
      await page.clock.runFor(40_000);
      expect(asked.filter((each) => each === 'LastCall' || each === 'FirstRecord')).toEqual([]);
    });
  });

  /** Gets a certificate for a key of this browser. */
  async function issuedHere() {
    await keyFile(() => create().click());
    expect(await keyFile(() => application.work())).toMatch(/\.pem$/);
    const { clients } = await operator.must<IntegrationData>('integration', { slug: fresh.slug });
    const certificate = clients.find(({ id }) => id === fresh.clientId)?.certificatesInUse[0];
    if (!certificate) throw new Error('No certificate was issued.');
    return certificate;
  }

  /** Has it called with for the first time. */
  async function calledWith(certificate: Awaited<ReturnType<typeof issuedHere>>) {
    const clientNumber = await numberOfClient(application, fresh.slug);
    await writeRequests(application.databaseUrl, { clientNumber, commonName: fresh.commonName, certificate }, [
      { operation: 'getCapabilities', durationMs: 36 },
    ]);
    await progress().getByText('200 in 36 ms').waitFor();
  }

  test('shows the answer to its first call, the beginning of the first record and what comes next on the first screen, and nothing moves', async () => {
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 1440, height: 900 });
    await SandboxClient.buildOf(application, fresh.clientId);
    const certificate = await issuedHere();
    await progress().getByText('With an older Node, choose curl.').waitFor();
    await progress().getByText('Once you have called with them, this page forgets the key.').waitFor();
    const shifts = await watchShifts(page);
    await calledWith(certificate);
    const record = progress().getByRole('figure', { name: 'The first record of /v1/sync' });
    await record.getByText('The first record of your sync', { exact: true }).waitFor();
    await progress().getByText('You have both files, so this page has forgotten the key.').waitFor();
    await progress().getByText('Once you have called with them, this page forgets the key.').waitFor({ state: 'hidden' });
    expect(await page.evaluate('scrollY')).toBe(0);
    const bottomOf = async (part: Locator) => {
      const { y, height } = (await part.boundingBox()) ?? { y: Infinity, height: 0 };
      return y + height;
    };
    expect(await bottomOf(progress().getByRole('link', { name: 'Next: share an order' }))).toBeLessThan(900);
    expect(await bottomOf(record.locator('code').nth(7))).toBeLessThan(900);
    expect(await shifts()).toEqual([]);
    expect(await warnsBeforeLeaving()).toBe(false);
    await look('certificate-first-record');
    if (wide) await page.setViewportSize(wide);
  });

  test('that was called with is put aside once its owner comes back for another, and the next one says when it ends', async () => {
    const certificate = await issuedHere();
    await calledWith(certificate);
    await page.getByRole('link', { name: 'Test data', exact: true }).click();
    // The card stays where the page was not left.
    await progress().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await page.getByRole('button', { name: 'New certificate' }).click();
    await create().waitFor();
    expect(await progress().count()).toBe(0);
    await page.getByText(`${certificate.keyName}, which is in use, ends 14 days after the new one is issued`).waitFor();

    // The next one shows no first record, so it leaves no room for one.
    await issuedHere();
    await progress().getByText('Waiting for your first call…').waitFor();
    expect((await progress().boundingBox())?.height).toBeLessThan(520);
  });

  test('that is the second one is shown beside the first, with the days on which both work', async () => {
    await operator.issuedCertificate(fresh);
    application.clock.advance(1_000);
    await operator.issuedCertificate(fresh);
    await page.reload();
    const days = page.getByRole('figure', { name: 'The days on which your certificates work' });
    await days.getByText('Both work during the striped part.').waitFor();
    expect(await days.getByRole('img', { name: /^sandbox-\S+ works from \d+ \w+ \d{4} to \d+ \w+ \d{4}\.$/ }).count()).toBe(2);
    // By now the back end should have been switched over.
    await application.rows(
      "update certificate c set issued_at = issued_at - interval '2 days' from client k where k.number = c.client_number and k.id = $1",
      [fresh.clientId],
    );
    await page.reload();
    const warning = page.getByRole('status').filter({ hasText: /^Install certificate sandbox-\S+-2 in your back end/ });
    await warning.getByText('It has never made a call').waitFor();
    await showNew();
    await page.getByText('2 certificates are in use. Before you request another').waitFor();
    await look('certificates-in-use');
  });

  test('that was renewed from a stolen one is named before that one is revoked, and goes with it', async () => {
    const older = await operator.issuedCertificate(fresh);
    application.clock.advance(1_000);
    const newer = await operator.issuedCertificate(fresh);
    await application.rows(`update certificate set source = 'est', renews = $2 where id = $1`, [newer.id, older.id]);
    await page.reload();
    const dialog = page.getByRole('dialog', { name: 'Revoke this certificate?' });
    // Only what has a successor can have been replaced by it.
    await menuOf(newer.keyName).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('unspecified');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await menuOf(older.keyName).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('superseded');
    await dialog.getByText(`${newer.keyName} keeps working`).waitFor();
    await dialog.getByLabel('Reason').selectOption('The private key may be compromised');
    await dialog.getByText(`This also revokes ${newer.keyName}`).waitFor();
    expect(await dialog.getByText('Other certificates keep working.').count()).toBe(0);
    await look('revocation-with-renewal');
    await operator.confirmFreshly();
    await dialog.getByRole('button', { name: 'Revoke certificate' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ended().click();
    for (const { id } of [older, newer]) await details(id).click();
    expect(await table('Ended certificates').getByText('The private key may be compromised').count()).toBe(2);
  });
});

test('an owner lets the back end renew its certificates, is told what that means, and stops it again', async () => {
  const other = await operator.createIntegration();
  await operator.confirmFreshly();
  await operator.issuedCertificate(other);
  await confirmInBrowser(page, operator);
  await page.goto(`/integrations/${other.slug}/certificates`);
  const byBackEnd = async () => {
    await showNew();
    await page.getByRole('radio', { name: 'By your back end (EST)' }).check();
  };
  await byBackEnd();
  const renewal = page.getByRole('region', { name: 'New certificate' });
  const lets = renewal.getByRole('switch', { name: 'Let the back end renew its certificates' });
  expect(await lets.isChecked()).toBe(false);
  await renewal.getByText('anyone with the key of a certificate in use can get the next one without your passkey').waitFor();
  await lets.press('Space');
  await renewal.getByText(/^https:\/\/\S+\/\.well-known\/est$/).waitFor();
  await look('renewal');
  await page.reload();
  await byBackEnd();
  await renewal.getByText('/.well-known/est').waitFor();
  expect(await lets.isChecked()).toBe(true);
  await lets.press('Space');
  await renewal.getByText('/.well-known/est').waitFor({ state: 'detached' });
});

/** Otherwise a change of colours takes as many frames as elements are nested, and this page is painted for each. */
const withoutTransitions = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { transition: none !important }');
  document.adoptedStyleSheets = [sheet];
}`;

/** Keeps images of the page as it is, and finds nothing that is hard to read or to reach in either colour scheme. */
async function look(name: string): Promise<void> {
  await page.evaluate(withoutTransitions);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The colours are all that differs.
  expect(await accessibilityFindings(page, ['color-contrast'])).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepEveryScreenshot(page, name);
}

test('one that is revoked leaves its slot to the others, and the next can be requested', async () => {
  await operator.confirmFreshly();
  await operator.revokeCertificate(usable.id);
  await page.goto(`/integrations/${slug}/certificates`);
  await page.getByRole('status').filter({ hasText: 'No certificate yet' }).waitFor();
  await page.getByRole('button', { name: 'Create key and certificate' }).waitFor();
  expect(watched.complaints).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let application: PortalWorld;
let browser: Browser;
let sandbox: SandboxClient;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  sandbox = await SandboxClient.open(application, allScopes);
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** A page of a reader whose computer is so many milliseconds ahead of the service. */
async function openAhead(ahead: number, path: string): Promise<Page> {
  const { page } = await openPageAs(browser, sandbox.operator);
  await page.clock.install({ time: new Date(Date.now() + ahead) });
  await page.goto(path);
  return page;
}

test('with a clock that is 11 minutes ahead, a link code that was made a moment ago has its ten minutes', async () => {
  const page = await openAhead(11 * minute, `/integrations/${sandbox.slug}/sandbox`);
  await page.getByRole('button', { name: 'Generate link code' }).click();
  const code = page.getByRole('region', { name: 'New link code' });
  expect(await code.getByRole('timer').innerText()).toMatch(/^(10:00|9:5\d)$/);
  await code.getByText('Redeem it in the folder').waitFor();
  await page.context().close();
});

test('with a clock that is three hours behind, nothing that has happened lies ahead', async () => {
  const page = await openAhead(-3 * hour, '/account');
  const sessions = page.getByRole('region', { name: /sessions|signed in/i }).first();
  await sessions.getByText('just now').first().waitFor();
  expect(await page.getByRole('main').innerText()).not.toMatch(/in [23] hours/);
  await page.context().close();
});

test('with a clock that is ten days ahead, a deletion that is due in a week is not overdue', async () => {
  const { id: resourceId } = await sandbox.one('delivered');
  await sandbox.operator.must('revokeSandboxShare', { input: { clientId: sandbox.clientId, resourceId } });
  const page = await openAhead(10 * day, `/integrations/${sandbox.slug}/deletions`);
  await page
    .getByText(/\d days?.* left/)
    .first()
    .waitFor();
  expect(await page.getByRole('main').innerText()).not.toMatch(/overdue for/i);
  await page.context().close();
});

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Download, Page } from 'playwright-core';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../support/browser/browser.ts';
import { chooseAtOnce } from '../support/browser/chooseAtOnce.ts';
import { keepEveryScreenshot, keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';
import { numberOfClient } from '../support/world/revocationFixtures.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { administrator, toolingClient } from '../support/clients/toolingClient.ts';
import { webhookEndpoint } from '../support/webhooks/endpointRows.ts';
import { judgeHealth } from '../../workers/tasks/judgeHealth.ts';
import { overflow } from '../support/browser/overflow.ts';

let application: PortalWorld;
let browser: Browser;
let admin: PortalClient;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  // Who came first is the last by address.
  owner = await application.operator('anna.keller@example.org');
  admin = await administrator(application, 'zoe.marsh@example.org');
  integration = await owner.createIntegration({ publicName: 'Nordlys Tracker', slug: 'nordlys-tracker' });
  await owner.createIntegration({ publicName: 'Order Board', slug: 'order-board' });
  await application.rows("update integration set status = 'active', reviewed_profile_version = 1 where slug = 'nordlys-tracker'");
  await admin.confirmFreshly();
  watched = await openPageAs(browser, admin);
  ({ page } = watched);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const dialog = () => page.getByRole('dialog');
const keepScreenshots = (name: string) => keepEveryScreenshot(page, name);
const acts = () => page.getByRole('button', { name: 'Actions for Nordlys Tracker', exact: true });
/** Opens the menu of the integration and chooses an act. */
async function choose(act: string): Promise<void> {
  await acts().click();
  await page.getByRole('menuitem', { name: act, exact: true }).click();
}
/** Where the page ends. The footer follows below the window's end on every page. */
const lastPixel = () =>
  page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('main section')].map((each) => each.getBoundingClientRect().bottom + scrollY))",
  );
const records = (name: string) => page.getByRole('table', { name, exact: true });

describe('who is shown the way', () => {
  test('an administrator finds the pages in the header, from everywhere', async () => {
    await page.goto('/integrations');
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.getByRole('heading', { name: 'Service', level: 1 }).waitFor();
    const words = await page.getByRole('navigation', { name: 'Administration' }).getByRole('link').allInnerTexts();
    expect(words).toEqual(['Service', 'Operators', 'Integrations', 'Certificates', 'Webhooks', 'Gate', 'Terms', 'Tokens', 'Jobs', 'Audit']);
  });

  test('the home says what needs somebody first, with one act each, and says when all is clear', async () => {
    await application.rows(
      `insert into certificate_revocation_list (authority_id, number, der, etag, this_update, next_update, revoked)
       select id, 1, '', 'x', now(), now() + interval '7 days', 0 from certificate_authority`,
    );
    await page.goto('/admin');
    await page.getByText(/^All clear, checked \d\d:\d\d:\d\d$/).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    // What the reader has decided is not among them.
    await page.getByRole('heading', { name: 'Recent decisions by other staff' }).waitFor();
    await keepScreenshots('admin-home-clear');
    await application.rows("update integration set status = 'suspended', status_changed_at = now() where slug = 'nordlys-tracker'");
    await page.getByRole('button', { name: 'Check again' }).click();
    const act = page.getByRole('link', { name: 'Open the integration: 1 integration suspended' });
    await act.waitFor();
    expect(await page.getByText(/^All clear/).count()).toBe(0);
    await keepScreenshots('admin-home-needs');
    await act.click();
    await page.getByRole('heading', { name: 'Nordlys Tracker' }).waitFor();
    await application.rows("update integration set status = 'active' where slug = 'nordlys-tracker'");
    await page.goto('/integrations');
  });

  test('what has ended is said to have ended, and a status that could not be read again says how old it is', async () => {
    const looking = await openPageAs(browser, admin);
    await application.rows("update certificate_authority set not_after = now() - interval '3 days' where kind = 'issuing'");
    await looking.page.clock.install();
    await looking.page.goto('/admin');
    const ended = looking.page.getByRole('listitem').filter({ hasText: 'The issuing authority has ended' });
    await ended.getByText('ended 3 days ago').waitFor();
    expect(await ended.getByText(/overdue/).count()).toBe(0);
    await looking.page.getByText(/^Checked \d\d:\d\d:\d\d$/).waitFor();
    await looking.page.route('**/graphql', (route) => route.abort());
    await looking.page.clock.fastForward(3 * 60_000 + 1_000);
    await looking.page.getByText(/^Checked \d\d:\d\d:\d\d, 3 minutes ago$/).waitFor();
    await application.rows("update certificate_authority set not_after = now() + interval '5 years' where kind = 'issuing'");
    await looking.page.context().close();
  });

  test('an operator sees neither the link nor the page', async () => {
    const own = await openPageAs(browser, owner);
    await own.page.goto('/admin/audit');
    await own.page.getByRole('heading', { name: /not found|nothing here|no such page/i }).waitFor();
    expect(await own.page.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0);
    expect(await own.page.getByRole('link', { name: 'Review', exact: true }).count()).toBe(0);
    await own.page.context().close();
  });
});

describe('operators', () => {
  test('one is found by the beginning of the address, which never gets into the page’s own', async () => {
    await page.goto('/admin/operators');
    await records('Operators').getByText(admin.email).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('anna');
    await records('Operators').getByText(admin.email).waitFor({ state: 'detached' });
    await records('Operators').getByRole('cell', { name: '2', exact: true }).waitFor();
    expect(page.url()).not.toContain('anna');
    await page.getByRole('link', { name: 'anna.keller@example.org' }).click();
    await page.getByRole('heading', { name: 'anna.keller@example.org' }).waitFor();
    await page.getByText('Open sessions').waitFor();
    expect(await page.title()).not.toContain('anna');
    await page.goBack();
    await page.getByRole('textbox', { name: 'Search' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('anna');
    await page.goForward();
  });

  test('a choice counts although another follows before the page has taken it up', async () => {
    await page.goto('/admin/operators');
    await records('Operators').getByText(owner.email).waitFor();
    await chooseAtOnce(page, { Role: 'administrator', Order: 'address' });
    await records('Operators').getByText(owner.email).waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('administrator');
    expect(await page.getByRole('combobox', { name: 'Order' }).inputValue()).toBe('address');
  });

  test('a search that has not begun yet does not call back who has followed a link', async () => {
    const impatient = await openPageAs(browser, admin);
    await impatient.page.clock.install();
    let bring = () => {};
    const asked = new Promise<void>((resolve) => {
      const brought = new Promise<void>((done) => (bring = done));
      void impatient.page.route('**/assets/AdminOperatorPage-*.js', async (route) => {
        resolve();
        await brought;
        await route.continue();
      });
    });
    await impatient.page.goto('/admin/operators');
    await impatient.page.clock.pauseAt(Date.now() + 60_000);
    await impatient.page.getByRole('textbox', { name: 'Search' }).fill('zoe');
    await impatient.page.getByRole('link', { name: owner.email }).click();
    await asked;
    await impatient.page.clock.runFor(5_000);
    bring();
    // React waits with a timer before it shows one thing right after another.
    await impatient.page.clock.resume();
    await impatient.page.getByRole('heading', { name: owner.email }).waitFor();
    await impatient.page.context().close();
  });

  test('a list is ordered by address', async () => {
    await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Operators' }).click();
    await records('Operators').getByText(owner.email).waitFor();
    await records('Operators').getByRole('rowheader').first().getByText(admin.email).waitFor();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('address');
    await records('Operators').getByRole('rowheader').first().getByText(owner.email).waitFor();
    await page.getByRole('link', { name: owner.email }).click();
    await page.getByText('Open sessions').waitFor();
    // The page names the owner already.
    const headers = await records('Integrations').getByRole('columnheader').allInnerTexts();
    expect([headers.includes('Name'), headers.includes('Owner')]).toEqual([true, false]);
  });

  test('a role is granted after a question that says what it allows, and withdrawn again', async () => {
    await page.getByRole('button', { name: 'Grant Reviewer' }).click();
    await dialog().getByText('Reviews submissions, except those of their own integrations.').waitFor();
    await dialog().getByRole('button', { name: 'Grant role' }).click();
    await page.getByRole('button', { name: 'Withdraw Reviewer' }).click();
    await dialog().getByRole('button', { name: 'Withdraw role' }).click();
    await page.getByRole('button', { name: 'Grant Reviewer' }).waitFor();
  });

  test('the last administrator is told that the role cannot go', async () => {
    const operatorId = (await admin.viewer()).data?.operatorId ?? '';
    await page.goto(`/admin/operators/${operatorId}`);
    await page.getByRole('button', { name: 'Withdraw Administrator' }).click();
    await dialog().getByRole('button', { name: 'Withdraw role' }).click();
    await dialog().getByText('This is the last administrator. Give the role to another account first.').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });
});

describe('integrations', () => {
  test('they are searched, filtered and sorted, and the address can be sent to a colleague', async () => {
    await page.goto('/admin/integrations');
    await records('Integrations').getByText('order-board').waitFor();
    await chooseAtOnce(page, { Order: 'slug', Status: 'active' });
    await records('Integrations').getByText('order-board').waitFor({ state: 'detached' });
    await page.waitForURL('**/admin/integrations?status=active&order=slug');
    await page.reload();
    await records('Integrations').getByText('nordlys-tracker').waitFor();
    await page.goto('/admin/integrations?search=order');
    await records('Integrations').getByRole('link', { name: 'Order Board' }).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('nobody-has-this');
    await page.getByText('No integrations match').waitFor();
    // An owner's address finds theirs, and never stands in the page's own address.
    await page.getByRole('textbox', { name: 'Search' }).fill('keller@example');
    await records('Integrations').getByRole('link', { name: 'Order Board' }).waitFor();
    expect(page.url()).not.toMatch(/keller|search=/);
    // It stays when another filter is chosen.
    await page.getByRole('combobox', { name: 'Status' }).selectOption('active');
    await records('Integrations').getByRole('link', { name: 'Order Board' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('keller@example');
    expect(page.url()).not.toMatch(/keller|search=/);
    await page.goto('/admin/gate?search=nordlys');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('active');
    await page.waitForURL('**/admin/gate?search=nordlys&status=active');
  });

  test('they are narrowed by health in the words of their owners, with the total of each, and a reload keeps it', async () => {
    const judge = () => judgeHealth(undefined, application.workerContext());
    const total = (words: string) => page.getByText(words).waitFor();
    await page.goto('/admin/integrations');
    await total('Not counted by health yet.');
    await judge();
    await page.goto('/admin/integrations');
    await total('In all: 2 new, counted at');
    const failed = [await numberOfClient(application, 'order-board')];
    await application.rows('update sandbox_corpus set failed_at = now() where client_number = any ($1)', [failed]);
    await judge();
    await page.reload();
    await total('In all: 1 failing, 1 new, counted at');
    await page.getByRole('combobox', { name: 'Health' }).selectOption({ label: 'failing (1)' });
    await page.waitForURL('**/admin/integrations?health=failing');
    const rows = records('Integrations').locator('tbody tr');
    await records('Integrations').getByText('nordlys-tracker').waitFor({ state: 'detached' });
    await page.reload();
    await rows.getByText('Failing', { exact: true }).waitFor();
    expect([await rows.count(), await page.getByRole('combobox', { name: 'Health' }).inputValue()]).toEqual([1, 'failing']);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 768, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect([colorScheme, width, await overflow(page)]).toEqual([colorScheme, width, 0]);
        await keepScreenshot(page, `admin-health-${colorScheme}-${width}`);
      }
      expect(await accessibilityFindings(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await records('Integrations').getByText('nordlys-tracker').waitFor();
    await application.rows('update sandbox_corpus set failed_at = null where client_number = any ($1)', [failed]);
  });

  test('before the first certificate, the list of all certificates does not say that none fits', async () => {
    await page.goto('/admin/certificates');
    await page.getByText('No certificate has been requested yet.').waitFor();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('usable');
    await page.getByText('No certificates match.').waitFor();
  });

  test('its page fits a screen’s length, and leads to the tabs as the owner sees them', async () => {
    const certificate = await owner.issuedCertificate(integration);
    await page.goto('/admin/integrations/nordlys-tracker');
    await page.getByText('All quotas are at their baseline.').waitFor();
    await page.getByRole('region', { name: 'Decisions' }).getByText('Nothing has been decided about this integration.').waitFor();
    await keepScreenshots('admin-integration');
    expect(await lastPixel()).toBeLessThanOrEqual(1_000);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Certificates' }).click();
    await page.getByText(certificate.serial ?? '').waitFor();
    await page.getByRole('note').getByText('You see this page as its owner sees it.').waitFor();
  });

  test('a revocation list that the home misses is called missing on the page that it leads to', async () => {
    await application.rows('create table kept_list as select * from certificate_revocation_list');
    await application.rows('delete from certificate_revocation_list');
    try {
      await page.goto('/admin');
      await page.getByRole('link', { name: 'View authorities: 2 revocation lists missing' }).click();
      await records('Authorities').getByText('Missing', { exact: true }).nth(1).waitFor();
      await keepScreenshots('missing-revocation-lists');
      expect(await records('Authorities').getByText('None yet').count()).toBe(0);
    } finally {
      await application.rows('insert into certificate_revocation_list select * from kept_list');
      await application.rows('drop table kept_list');
    }
  });

  test('all certificates are searched and filtered, and one or all of a client are revoked with a reason', async () => {
    const second = await owner.issuedCertificate(integration);
    await page.goto('/admin/certificates');
    const table = records('Certificates');
    await table.getByRole('link', { name: 'Nordlys Tracker' }).first().waitFor();
    await records('Authorities').getByText('Issues certificates').waitFor();
    await page.getByText('Newest request first.').waitFor();
    await keepScreenshots('all-certificates');
    await page.getByRole('combobox', { name: 'Show' }).selectOption('pending');
    await page.getByText('No certificates match.').waitFor();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('usable');
    await page.getByText('Soonest to end first.').waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('anna.keller@');
    await table
      .getByRole('button', { name: /^Details of / })
      .nth(1)
      .waitFor();
    expect(page.url()).toMatch(/\/admin\/certificates\?show=usable$/);
    await page.getByRole('textbox', { name: 'Search' }).fill(second.serial ?? '');
    await table
      .getByRole('button', { name: /^Details of / })
      .nth(1)
      .waitFor({ state: 'detached' });
    await table.getByRole('button', { name: `Details of ${second.id}` }).click();
    await table.getByText(second.fingerprintSha256 ?? '').waitFor();
    expect(await table.getByRole('term').allInnerTexts()).toContain('Valid until');
    await table.getByRole('button', { name: 'Revoke this certificate' }).click();
    await dialog().getByText('The owner is emailed with the reason.').waitFor();
    expect(await dialog().getByRole('button', { name: 'Revoke certificate' }).isDisabled()).toBe(true);
    await keepScreenshots('certificate-revocation');
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog().getByRole('textbox', { name: 'Reason, in words' }).fill('The key is in a public repository');
    // Nothing is claimed in public that nobody has chosen.
    expect(await dialog().getByRole('button', { name: 'Revoke certificate' }).isDisabled()).toBe(true);
    await dialog().getByRole('combobox', { name: 'Reason in revocation lists' }).selectOption('key_compromise');
    await dialog().getByRole('button', { name: 'Revoke certificate' }).click();
    await page.getByText('The certificate of Nordlys Tracker was revoked.').waitFor();
    await page.goto(`/admin/certificates?search=${integration.clientId}`);
    await table.getByText('Revoked', { exact: true }).waitFor();
    await table.getByRole('button', { name: `Details of ${second.id}` }).click();
    await table.getByText('The private key may be compromised').waitFor();
    const facts = await table.getByRole('term').allInnerTexts();
    expect([facts.includes('Valid until'), facts.includes('Would have ended')]).toEqual([false, true]);
    await table.getByRole('button', { name: 'Revoke all of this client' }).click();
    await dialog().getByRole('textbox', { name: 'Reason, in words' }).fill('The operator asked for it');
    await dialog().getByRole('combobox', { name: 'Reason in revocation lists' }).selectOption('cessation_of_operation');
    await dialog().getByRole('button', { name: 'Revoke all' }).click();
    await page.getByText('One certificate of Nordlys Tracker was revoked.').waitFor();
    await table.getByText('Revoked', { exact: true }).nth(1).waitFor();
    expect((await owner.certificates(integration.slug)).map(({ status }) => status)).toEqual(['revoked', 'revoked']);
  });

  test('one is suspended and reactivated, each with its reason', async () => {
    await page.goto('/admin/integrations/nordlys-tracker');
    await choose('Suspend');
    await dialog().getByText('Production calls are refused from the next request on').waitFor();
    expect(await dialog().getByRole('button', { name: 'Suspend' }).isDisabled()).toBe(true);
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('Data seen outside the purpose');
    await dialog().getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Data seen outside the purpose').waitFor();
    const decisions = page.getByRole('list', { name: 'Decisions' });
    await decisions.getByRole('listitem').filter({ hasText: 'Integration suspended' }).getByRole('link', { name: admin.email }).waitFor();
    await keepScreenshots('admin-integration-suspended');
    expect(await lastPixel()).toBeLessThanOrEqual(1_000);
    await choose('Reactivate');
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('Explained and corrected');
    await dialog().getByRole('button', { name: 'Reactivate' }).click();
    await decisions.getByText('Integration reactivated').waitFor();
    const [row] = await application.rows<{ status: string }>("select status from integration where slug = 'nordlys-tracker'");
    expect(row?.status).toBe('active');
  });

  test('its gate is opened, and a quota is overridden and given back', async () => {
    await page.getByText('Not enabled: this gate is closed.').waitFor();
    await choose('Open the gate');
    await dialog().getByText('The service’s own gate does not move.').waitFor();
    await keepScreenshots('admin-integration-gate-dialog');
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('Rollout');
    await dialog().getByRole('button', { name: 'Open the gate' }).click();
    await page.getByText('Not enabled: the service’s gate is closed.').waitFor();
    await choose('Override a quota');
    await dialog().getByRole('textbox', { name: 'Value' }).fill('9999999');
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('A fleet of its own');
    await dialog().getByRole('button', { name: 'Set override' }).click();
    await dialog().getByText('requests_per_hour must be from 1 to 36000').waitFor();
    await dialog().getByRole('textbox', { name: 'Value' }).fill('1200');
    await dialog().getByRole('button', { name: 'Set override' }).click();
    await page.getByText('Requests per hour: 1,200').waitFor();
    await page.getByRole('list', { name: 'Decisions' }).getByText('Quota changed').waitFor();
    await keepScreenshots('admin-integration-quota');
    expect(await lastPixel()).toBeLessThanOrEqual(1_000);
    await application.rows("update quota_override set expires_at = now() - interval '1 minute'");
    await page.reload();
    await page.getByText('Expired: baseline applies').waitFor();
    await page.getByText('None in production').waitFor();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('No longer needed');
    await dialog().getByRole('button', { name: 'Withdraw override' }).click();
    await page.getByText('All quotas are at their baseline.').waitFor();
  });

  test('one that is retired offers neither its gate nor its quotas', async () => {
    const set = (status: string, open: boolean) =>
      application.rows("update integration set status = $1, production_gate_open = $2 where slug = 'nordlys-tracker'", [status, open]);
    await set('retired', false);
    await page.reload();
    await page.getByText('All quotas are at their baseline.').waitFor();
    await page.getByText('Not enabled: this gate is closed.').waitFor();
    await acts().click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy integration ID', 'Entries in the audit trail']);
    await page.keyboard.press('Escape');
    await set('active', true);
  });
});

describe('service tokens', () => {
  test('one is made, shown once until it is saved, and revoked', async () => {
    await page.goto('/admin/tokens');
    await page.getByText('There are no tokens yet.').waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Order feed');
    await dialog().getByRole('checkbox', { name: 'resources.write' }).check();
    await dialog().getByRole('button', { name: 'Create token' }).click();
    const token = await dialog().locator('pre').innerText();
    expect(token).toMatch(/^svct_[0-9a-z]{52}$/);
    await page.keyboard.press('Escape');
    expect(await dialog().getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await dialog().getByRole('checkbox', { name: 'I have saved it' }).check();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await records('Service tokens').getByText('Order feed').waitFor();
    await records('Service tokens').getByRole('link', { name: 'zoe.marsh@example.org' }).waitFor();
    expect(await records('Service tokens').innerText()).toContain('by zoe.marsh@example.org');
    // No cell of a row has more lines than the name of its token with its ID.
    const row = await records('Service tokens').locator('tbody tr').first().boundingBox();
    expect(row?.height).toBeLessThan(64);
    expect(await page.content()).not.toContain(token);
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('production');
    await page.getByText('No tokens match.').waitFor();
    await page.goto('/admin/tokens?order=ending');
    await page.getByRole('button', { name: 'Revoke Order feed' }).click();
    await dialog().getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('No tokens match.').waitFor();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('newest first');
    await records('Service tokens').getByText('Revoked', { exact: true }).waitFor();
    await toolingClient(application);
  });
});

describe('webhooks', () => {
  test('an endpoint that fails is found by itself, paused with a reason and resumed', async () => {
    await page.goto('/admin/webhooks');
    await page.getByText('No endpoint is failing.').waitFor();
    const endpoint = await webhookEndpoint(application, await numberOfClient(application, 'nordlys-tracker'), {
      url: 'https://hooks.example.com/secret-path',
    });
    await application.rows(
      `update webhook_endpoint set failing_since = $2::timestamptz - interval '3 hours', failures_in_row = 9 where number = $1`,
      [endpoint.number, application.clock.now()],
    );
    await page.reload();
    await records('Failing endpoints').getByText('Failing', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('secret-path');
    await page.getByRole('button', { name: 'Pause the endpoint at hooks.example.com' }).click();
    await dialog().getByText('until an administrator resumes it').waitFor();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('It answers everybody with errors');
    await keepScreenshots('webhooks-pause');
    await dialog().getByRole('button', { name: 'Pause' }).click();
    await page.getByText('An endpoint of Nordlys Tracker was paused.').waitFor();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('paused by staff');
    await page.waitForURL('**/admin/webhooks?show=paused');
    await records('Failing endpoints').getByText('It answers everybody with errors').waitFor();
    await keepScreenshots('webhooks-paused');
    await page.getByRole('button', { name: 'Resume the endpoint at hooks.example.com' }).click();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('The owner has repaired it');
    await dialog().getByRole('button', { name: 'Resume' }).click();
    await page.getByText('An endpoint of Nordlys Tracker was resumed.').waitFor();
    await page.getByText('No endpoint is paused by staff.').waitFor();
  });
});

describe('jobs', () => {
  test('a job that failed shows by itself, without what the driver said, and is retried', async () => {
    await page.goto('/admin/jobs');
    await page.getByText('No jobs have failed.').waitFor();
    await application.rows(
      "select graphile_worker.add_job('sendMail', json_build_object('mailId', 'mail_x'), run_at => now() + interval '1 day')",
    );
    await application.rows(
      "update graphile_worker._private_jobs set attempts = 25, last_error = 'cannot reach anna.keller@example.org' where payload->>'mailId' = 'mail_x'",
    );
    await records('Failed jobs').getByText('Failed permanently').waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('retrying');
    await page.getByText('No failed jobs match.').waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
    await page.waitForURL('**/admin/jobs?state=failed');
    await page.getByRole('textbox', { name: 'Search' }).fill('sendMail');
    await page.waitForURL('**/admin/jobs?state=failed&search=sendMail');
    await page.getByRole('textbox', { name: 'Search' }).fill('anna.keller@example.org');
    await page.getByText('No failed jobs match.').waitFor();
    expect(page.url()).not.toMatch(/anna|search=/);
    await keepScreenshots('jobs-no-match');
    await page.goto('/admin/jobs');
    await page.getByText('sendMail failed; the log has the reason').waitFor();
    expect(await page.content()).not.toContain('anna.keller');
    await page.getByRole('button', { name: /^Retry sendMail/ }).click();
    await records('Failed jobs').getByText('0 of 25 attempts').waitFor();
  });
});

describe('the trail', () => {
  const exportButton = () => page.getByRole('button', { name: 'CSV', exact: true });
  const linesOf = async (download: Download) => (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');

  test('an administrator filters it and takes what was found as a file', async () => {
    await page.goto('/admin/integrations/nordlys-tracker');
    await page.getByRole('link', { name: 'Entries about this integration' }).click();
    await page.getByRole('heading', { name: 'Audit trail' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?way=integration&search=${integration.id}`);
    await page.getByRole('textbox', { name: 'Action' }).fill('integration.suspended');
    await page.waitForURL('**&action=integration.suspended');
    const list = records('Audit trail');
    await list.getByText('Integration created').waitFor({ state: 'detached' });
    await list.getByText('Integration suspended').click();
    await list.getByText('Data seen outside the purpose').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), exportButton().click()]);
    expect(download.suggestedFilename()).toMatch(/^audit-trail-[\d-]+\.csv$/);
    const lines = await linesOf(download);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('integration.suspended');
  });

  test('it is searched by name and address, of which nothing stands in an address, that of the file included', async () => {
    await page.goto('/admin/audit?way=integration');
    const list = records('Audit trail');
    const search = page.getByRole('textbox', { name: 'Search' });
    // What is not there yet cannot go away.
    await list.getByText('Integration suspended').first().waitFor();
    await search.fill('order boa');
    await page.waitForURL('**/admin/audit?way=integration&search=order+boa');
    await list.getByText('Integration suspended').first().waitFor({ state: 'detached' });
    await list.getByText('Integration created').waitFor();
    await page.getByRole('combobox', { name: 'Search in' }).selectOption('operator');
    await search.fill('keller@example');
    await page.waitForURL((url) => url.search === '?way=operator');
    await list.getByText('Integration suspended').first().waitFor();
    await keepScreenshots('audit-by-address');
    const [request, download] = await Promise.all([page.waitForRequest(/exports/), page.waitForEvent('download'), exportButton().click()]);
    expect(new URL(request.url()).search).toBe(`?operatorId=${(await owner.viewer()).data?.operatorId}`);
    expect((await linesOf(download)).length).toBeGreaterThan(2);
    await search.fill('nobody@nowhere');
    await page.getByText('No entries match.').waitFor();
    await keepScreenshots('audit-no-match');
    await exportButton().click();
    await page.getByText('No entries match these filters, so there is nothing to export.').waitFor();
  });

  test('what is exported is what the fields say, also before the list has taken it up', async () => {
    await page.goto(`/admin/audit?way=integration&search=${integration.id}&action=integration.suspended`);
    await records('Audit trail').getByText('Integration suspended').waitFor();
    // The page's clock stands still, so the list never takes up what is typed.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const action = page.getByRole('textbox', { name: 'Action' });
    await action.fill('integration.created');
    const [download] = await Promise.all([page.waitForEvent('download'), exportButton().click()]);
    const [, ...lines] = await linesOf(download);
    expect(lines).toEqual([expect.stringContaining('integration.created')]);
    await action.fill('integration.');
    await exportButton().click();
    await page.getByText('Enter a complete action, or clear the field, before you export.').waitFor();
    expect(new URL(page.url()).searchParams.get('action')).toBe('integration.suspended');
    await page.clock.resume();
  });

  test('an administrator looks at the tabs of an integration as its owner sees them, and comes back', async () => {
    await page.goto(`/admin/integrations/${integration.slug}`);
    await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('note').getByText('You see this page as its owner sees it.').waitFor();
    await page.waitForURL(/\/admin\/integrations\/nordlys-tracker\/requests/);
    await page.getByRole('heading', { level: 1, name: 'Nordlys Tracker' }).waitFor();
    await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Profile' }).click();
    await page.waitForURL(/\/admin\/integrations\/nordlys-tracker\/profile/);
    await page.getByRole('link', { name: 'Back to administration' }).click();
    await acts().click();
    await page.getByRole('menuitem', { name: 'Retire', exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('an operator reads the own activity: what the staff decided, not who it was', async () => {
    const own = await openPageAs(browser, owner);
    await own.page.goto('/integrations');
    await own.page.getByRole('button', { name: 'Account menu' }).click();
    await own.page.getByRole('link', { name: 'Activity', exact: true }).click();
    const list = own.page.getByRole('table', { name: 'Audit trail' });
    const suspended = list.getByRole('rowgroup').filter({ hasText: 'Integration suspended' });
    await suspended.getByText('Staff of the service').waitFor();
    await suspended.getByText('Integration suspended').click();
    await suspended.getByText('Data seen outside the purpose').waitFor();
    await list.getByText('You', { exact: true }).first().waitFor();
    expect(await own.page.content()).not.toContain((await admin.viewer()).data?.operatorId);
    await own.page.getByRole('textbox', { name: 'Action' }).fill('integration.suspended');
    await list.getByText('You', { exact: true }).first().waitFor({ state: 'detached' });
    await suspended.waitFor();
    await own.page.getByRole('textbox', { name: 'Action' }).fill('');
    await own.page.getByRole('combobox', { name: 'Integration' }).selectOption({ label: 'Order Board' });
    await suspended.waitFor({ state: 'detached' });
    for (const width of [1280, 360]) {
      await own.page.setViewportSize({ width, height: 900 });
      expect(await overflow(own.page)).toBe(0);
      await keepScreenshot(own.page, `activity-${width}`);
    }
    expect(await accessibilityFindings(own.page)).toEqual([]);
    expect(own.complaints).toEqual([]);
    await own.page.context().close();
  });
});

test('nothing on the way broke the content security policy or any script', () => {
  expect(watched.complaints).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { commonWords, rowWords } from '../../../portal-web/src/features/webhook-deliveries/deliveryWords.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { probeKinds } from '../../../server/domain/webhook/receiver-check/probes.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepEveryScreenshot } from '../../support/browser/keepScreenshot.ts';
import { confirmInBrowser, openPageAs } from '../../support/browser/signedInBrowser.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { WebhookReceiver } from '../../support/clients/webhookReceiver.ts';
import { storedDelivery } from '../../support/webhooks/deliveryRows.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';

let application: PortalWorld;
let browser: Browser;
let receiver: WebhookReceiver;
let watched: WatchedPage;
let page: Page;
let operator: PortalClient;
let slug: string;
let url: string;
let movedUrl: string;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  url = receiver.url('orders', '/in?from=svc');
  movedUrl = receiver.url('moved');
  [application, browser] = await Promise.all([openWorld({ portal: { webhookHosts: receiver.developmentHosts } }), launchBrowser()]);
  const sandbox = await SandboxClient.open(application, allScopes);
  ({ slug } = sandbox);
  ({ operator } = sandbox);
  watched = await openPageAs(browser, operator);
  ({ page } = watched);
});
// On a slow machine, the tests of this file take longer than a confirmation holds.
beforeEach(() => confirmInBrowser(page, operator));
afterAll(async () => {
  await browser?.close();
  await application?.close();
  await receiver?.close();
});

const region = (name: string) => page.getByRole('region', { name });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const health = () => page.getByRole('status', { name: 'Health' });
const state = (word: string) => page.getByRole('main').getByRole('status').getByText(word, { exact: true });

/** The page in light and dark, narrow and wide: room, no finding, and a picture for a person to look at. */
async function look(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    // Dark differs from light in its colours alone.
    const only = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
    expect([colorScheme, await accessibilityFindings(page, only)]).toEqual([colorScheme, []]);
  }
  await keepEveryScreenshot(page, `webhooks-${name}`);
}

/** Sends a test event by clicks, and follows its delivery. Returns the ID of the event. */
async function sendTestEvent(type: string): Promise<string> {
  await page.getByRole('link', { name: 'Test your receiver' }).click();
  await region('Send a test event').getByLabel('Event type').selectOption({ label: type });
  await button('Send test event').click();
  await page.getByRole('link', { name: 'Follow its delivery' }).click();
  await page.getByRole('heading', { level: 2, name: type }).waitFor();
  return page.getByText(/^evt_/).first().innerText();
}

test('what several deliveries have in common is said once above them, and each row says what is its own', () => {
  const attempt = (failure: string | null) => ({ status: 404, failure, totalMs: 92 });
  const event = { type: 'resource_updated' } as const;
  const held = { state: 'held', reason: 'gate_closed', lastAttempt: null, event } as const;
  const dead = { state: 'dead', reason: 'terminal_status', lastAttempt: attempt('Nothing answers at this path.'), event } as const;
  const discarded = { state: 'discarded', reason: 'event_gone', lastAttempt: null, event } as const;
  const pending = { state: 'pending', reason: null, lastAttempt: attempt('The host is unknown.'), event } as const;
  const gate = 'The production gate is closed. The delivery continues once administrators have opened it.';
  const nothing = new Set<string>();
  expect(commonWords([held, held, discarded, pending], nothing)).toEqual([{ words: gate, state: 'held', count: 2 }]);
  expect(rowWords(held, new Set([gate]))).toEqual({ failure: null, reason: null });
  expect(rowWords(discarded, new Set([gate]))).toEqual({ failure: null, reason: 'Its event is no longer kept.' });
  expect(rowWords(pending, nothing)).toEqual({ failure: 'The host is unknown.', reason: null });
  // Why deliveries failed for good stands above all of them, with what to do.
  const said = new Set(['Nothing answers at this path.']);
  expect(commonWords([dead, dead], said)).toEqual([]);
  expect(rowWords(dead, said)).toEqual({ failure: null, reason: null });
});

test('an owner without endpoints reads what pulling gives already, and is told next to the field what is wrong with a URL', async () => {
  await page.goto(`/integrations/${slug}/webhooks`);
  await page.getByText('There is no endpoint yet.').waitFor();
  await page.getByText('Pulling is complete.').waitFor();
  // On a development server, the form says how to have a receiver of one's own.
  await page.getByText('No receiver yet? Start one').click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'TypeScript' }).click()]);
  expect(file.suggestedFilename()).toBe('receiver.ts');
  await page.getByText('goes to port 9443 of the machine').waitFor();
  await page.getByText('It needs Node 24 or later').waitFor();
  for (const [language, start] of [
    ['Python', 'python3 receiver.py'],
    ['Go', 'go run .'],
  ] as const) {
    await page.getByRole('radiogroup', { name: 'Language of the receiver' }).getByText(language).click();
    await page.locator('pre').filter({ hasText: start }).waitFor();
  }
  // On a phone, a line of the command is scrolled and never broken: each has the height of one.
  await page.setViewportSize({ width: 360, height: 800 });
  const command = page.locator('pre').filter({ hasText: 'go run .' });
  const { lines, high } = await command.evaluate((pre) => ({
    lines: (pre.textContent ?? '').split('\n').length,
    high: new Set([...(pre.firstElementChild?.getClientRects() ?? [])].map(({ top }) => Math.round(top))).size,
  }));
  expect(high).toBe(lines);
  await page.setViewportSize({ width: 1280, height: 900 });
  await button('Use https://receiver.test/svc').click();
  expect(await page.getByLabel('URL').inputValue()).toBe('https://receiver.test/svc');
  await page.getByLabel('URL').fill('http://hooks.example.com/orders');
  await button('Register and prove').click();
  await page.locator('[aria-invalid="true"]:focus').waitFor();
  await look('none');
});

test('registering leads straight to the steps of the challenge, and a failed one says at which step and what to do', async () => {
  receiver.answerChallenge = () => ({ status: 200, body: JSON.stringify({ challenge: 'another' }) });
  await page.getByLabel('URL').fill(url);
  await page.getByLabel('Description').fill('The server in Oslo');
  await button('Register and prove').click();
  await page.getByRole('heading', { level: 2, name: url }).waitFor();
  await page.getByText('Queued. It starts within seconds.').waitFor();
  await application.work();
  await region('Proof that the address is yours').getByText('Each challenge is a new value.').waitFor();
  await health().getByText('Not proven').waitFor();
  await look('unproven');
});

test('once the receiver is repaired, one click proves the endpoint, and it becomes active by itself on the page', async () => {
  receiver.answerChallenge = ({ body }) => ({
    status: 200,
    body: JSON.stringify({ challenge: (JSON.parse(body.toString()) as { challenge: string }).challenge }),
  });
  await button('Send the challenge again').click();
  await page.getByText('Queued. It starts within seconds.').waitFor();
  await application.work();
  await health().getByText('Ready').waitFor();
  expect(await button('Replay all that failed').isDisabled()).toBe(true);
  await region('Deliveries').getByRole('link', { name: 'send a test event' }).waitFor();
});

test('a profile that plans no webhooks says that there is an endpoint all the same', async () => {
  const endpoint = page.url();
  await page.goto(`/integrations/${slug}/profile`);
  await page.getByText('No webhooks planned, but 1 endpoint is set up', { exact: true }).waitFor();
  await page.goto(endpoint);
  await health().getByText('Ready').waitFor();
});

test('the page of a test event follows it to its answer, which the list shows too', async () => {
  await page.getByRole('link', { name: 'Test your receiver' }).click();
  await button('Send test event').click();
  await page.getByText('The event is on its way.').waitFor();
  await application.deliver({ developmentHosts: receiver.developmentHosts, source: 'https://localhost:8443' });
  await page.getByText(/^Delivered: 200 in [\d.]+ ms\./).waitFor();
  await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
  await page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('cell', { name: /^200 in [\d.]+ ms$/ })
    .waitFor();
});

test('a test event arrives, and its delivery shows the headers that the receiver really got', async () => {
  const eventId = await sendTestEvent('resource.revoked');
  await state('Waiting').waitFor();
  // The portal makes the body again for the machine API that it knows.
  await application.deliver({ developmentHosts: receiver.developmentHosts, source: 'https://localhost:8443' });
  await state('Delivered').waitFor();
  await page.getByText('Status 200').waitFor();
  const got = receiver.at('orders').find(({ headers }) => headers['x-svc-event-id'] === eventId)?.headers ?? {};
  const rows = page.getByRole('table', { name: 'Headers' }).getByRole('row');
  const shown = (await rows.allInnerTexts()).slice(1).map((row) => row.split('\t'));
  expect(shown).toHaveLength(7);
  for (const [name = '', value] of shown) {
    expect([name, value]).toEqual([name, name === 'Signature' ? 'Not kept' : got[name.toLowerCase()]]);
  }
  const sent = receiver.at('orders').find(({ headers }) => headers['x-svc-event-id'] === eventId)?.body;
  await region('What was sent').getByText(String(sent), { exact: true }).waitFor();
  await look('delivered');
});

test('a delivery that waits because its receiver asked for it says so, and is tried at once when its owner wants it', async () => {
  receiver.answer = () => ({ status: 503, headers: { 'retry-after': '7200' } });
  await page.getByRole('link', { name: 'All deliveries of this endpoint' }).click();
  await sendTestEvent('resource.revoked');
  await application.deliver(receiver);
  await page.getByText('Your receiver asked for this wait with Retry-After.').waitFor();
  await look('waiting');
  receiver.answer = () => 200;
  await button('Try now').click();
  await button('Try now').waitFor({ state: 'detached' });
  await application.deliver(receiver);
  await state('Delivered').waitFor();
});

test('all that waits is counted before it is tried', async () => {
  const clientNumber = await numberOfClient(application, slug);
  const [endpoint] = await application.rows<{ number: number }>('select number from webhook_endpoint where client_number = $1', [
    clientNumber,
  ]);
  if (!endpoint) throw new Error('There is no endpoint.');
  for (let count = 0; count < 2; count += 1) await storedDelivery(application, { endpoint, clientNumber, state: 'pending', attempts: 1 });
  await application.rows(`update webhook_delivery set next_attempt_at = $2 where endpoint_number = $1 and state = 'pending'`, [
    endpoint.number,
    new Date(application.clock.now().getTime() + 7_200_000),
  ]);
  await page.getByRole('link', { name: 'All deliveries of this endpoint' }).click();
  await button('Try all waiting deliveries now').click();
  await page.getByText('2 deliveries will be tried now.').waitFor();
  await look('try');
  await button('Try 2 deliveries now').click();
  await page.getByText('2 deliveries due now.').waitFor();
  await application.rows(`delete from webhook_delivery where endpoint_number = $1 and state = 'pending'`, [endpoint.number]);
});

test('a delivery that the receiver refuses becomes a dead letter, which is chosen, counted and replayed', async () => {
  receiver.answer = () => ({ status: 422, body: 'No such order' });
  await sendTestEvent('resource.updated');
  await application.deliver(receiver);
  await state('Dead letter').waitFor();
  await page.getByText('No such order').waitFor();
  await look('dead');
  await page.getByRole('link', { name: 'All deliveries of this endpoint' }).click();
  await region('Deliveries').getByLabel('State').selectOption('dead letter');
  await page.waitForURL(/\?state=dead$/);
  const causes = page.getByRole('list', { name: 'Why deliveries failed for good' });
  await causes.getByText('Your receiver does not accept the request.').waitFor();
  await causes.getByText('Status 422').waitFor();
  // What was attempted opens beside the list, at an address of its own; the focus stays on the row, and Escape closes it.
  // What the filter leaves out stays in view until the answer is there.
  const letters = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'Dead letter' });
  const refused = letters.getByRole('link', { name: 'resource.updated' });
  await refused.click();
  await page.waitForURL(/\?state=dead&delivery=dlv_/);
  const panel = page.getByRole('complementary', { name: 'resource.updated' });
  await panel.getByRole('list', { name: 'Attempts' }).getByText('Attempt 1: Status 422').waitFor();
  await panel.getByText('No such order').waitFor();
  await page.reload();
  await panel.getByText('Your receiver does not accept the request.').waitFor();
  await look('panel');
  await refused.focus();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.waitForURL(/\?state=dead$/);
  await page
    .getByRole('checkbox', { name: /^Choose dlv_/ })
    .first()
    .check();
  receiver.answer = () => 200;
  await button('Replay 1 selected delivery').click();
  await page.getByText('1 delivery will be sent again.').waitFor();
  await look('replay');
  await button('Replay 1 delivery').click();
  await page.getByText('1 delivery queued for replay.').waitFor();
  await application.work();
  await application.deliver(receiver);
  await button('Show what was never delivered').click();
  await page.getByText('No deliveries fit these filters.').waitFor();
  await button('Clear the filters').click();
  await page.getByRole('table', { name: 'Deliveries' }).getByText('test event, replay', { exact: true }).waitFor();
  await look('endpoint');
});

test('all that the filter finds is counted before it is replayed, and the filter stays in the address', async () => {
  const clientNumber = await numberOfClient(application, slug);
  const [endpoint] = await application.rows<{ number: number }>('select number from webhook_endpoint where client_number = $1', [
    clientNumber,
  ]);
  if (!endpoint) throw new Error('There is no endpoint.');
  const at = new Date(application.clock.now().getTime() - 3_600_000);
  for (let letter = 0; letter < 3; letter += 1)
    await storedDelivery(application, { endpoint, clientNumber, state: 'dead', at, attempts: 1 });
  await storedDelivery(application, {
    endpoint,
    clientNumber,
    state: 'dead',
    at: new Date(at.getTime() - 1000),
    type: 'statistics.updated',
  });
  // From the list of endpoints it takes three clicks, the last of which says how many.
  await page.goto(`/integrations/${slug}/webhooks`);
  // The card says why, and so does what stands above the list, once for all rows.
  await page.getByText('Status 404: Nothing answers at this path.').waitFor();
  await page.getByRole('link', { name: url }).click();
  await page
    .getByRole('table', { name: 'Deliveries' })
    .getByText(/^404 in /)
    .nth(2)
    .waitFor();
  expect(await region('Deliveries').getByText('Nothing answers at this path.').count()).toBe(1);
  await button('Replay all that failed').click();
  await button('Replay 4 deliveries').waitFor();
  await button('Cancel').click();
  await region('Deliveries').getByLabel('Event type').selectOption('connection.created');
  await page.waitForURL(/[?&]type=connection.created/);
  await button('Replay all that failed').click();
  await page.getByText('3 deliveries will be sent again.').waitFor();
  await button('Replay 3 deliveries').click();
  await page.getByText('3 deliveries queued for replay.').waitFor();
  await application.work();
  const letters = await application.rows<{ type: string }>(
    `select type from webhook_delivery where endpoint_number = $1 and state = 'dead' and replayed_at is null`,
    [endpoint.number],
  );
  expect(letters).toEqual([{ type: 'statistics.updated' }]);
  await application.rows(`delete from webhook_delivery where endpoint_number = $1 and state = 'dead' and replayed_at is null`, [
    endpoint.number,
  ]);
  await region('Deliveries').getByLabel('Event type').selectOption('');
});

test('the charts show a week as well as a day, and the address says which', async () => {
  const charts = region('Attempts and response times');
  await charts.getByRole('img', { name: /^\d[\d,]* attempts? in the last 24 hours/ }).waitFor();
  await charts.getByText('7 days', { exact: true }).click();
  await page.waitForURL(/period=week/);
  await charts.getByRole('img', { name: /^\d[\d,]* attempts? in the last 7 days/ }).waitFor();
  await look('week');
});

test('a receiver that takes everything is found out, probe by probe, and a sample is signed for the owner’s own computer alone', async () => {
  await page.getByRole('link', { name: 'Test your receiver' }).click();
  await button('Check the receiver').click();
  await page.getByText('The requests are being sent.').waitFor();
  await application.work();
  const probes = page.getByRole('table', { name: 'Receiver check' }).getByRole('row');
  await page.getByText('Receiver does not follow the rules').waitFor();
  // Most of what the check sends is wrong on purpose.
  receiver.undescribed.length = 0;
  expect(await probes.count()).toBe(1 + probeKinds.length);
  expect(await probes.filter({ hasText: 'Failed' }).count()).toBeGreaterThan(5);
  // Status and verdict stand on one line each.
  const first = probes.nth(1).getByRole('cell');
  expect(await first.nth(1).innerText()).toBe('200');
  expect((await first.nth(2).locator('[data-tone]').boundingBox())?.height).toBeLessThan(28);
  // What has failed asks for another try. What has passed says so first, and does not.
  const again = button('Check again');
  expect(await again.getAttribute('data-variant')).toBe('filled');
  await application.rows(`update webhook_receiver_check set probes =
    (select jsonb_agg(each || '{"verdict": "passed", "mend": null}') from jsonb_array_elements(probes) each)`);
  await page.reload();
  const verdict = page.getByText('Receiver follows the rules', { exact: true });
  await verdict.waitFor();
  expect(await again.getAttribute('data-variant')).toBe('default');
  expect((await verdict.boundingBox())?.y ?? Infinity).toBeLessThan((await again.boundingBox())?.y ?? 0);
  // Nothing gives their column room now, and each verdict stays on its line.
  const window = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const width of [360, 660, 768, 900, 1440]) {
    await page.setViewportSize({ ...window, width });
    for (const badge of await probes.locator('[data-tone]').all())
      expect([width, ((await badge.boundingBox())?.height ?? 99) < 28]).toEqual([width, true]);
  }
  await page.setViewportSize(window);
  const local = page.getByLabel('URL of your local receiver');
  // The port of the portal on a development server is taken.
  expect(await local.inputValue()).toBe('http://localhost:8080/webhooks');
  await local.fill('https://hooks.example.com/');
  await button('Create the command').click();
  await region('Sign a sample for your own computer').locator('[aria-invalid="true"]').waitFor();
  await local.fill('http://localhost:8080/in');
  await button('Create the command').click();
  await page.getByText('A worker is signing the request').waitFor();
  await application.work();
  await region('Sign a sample for your own computer').getByText('http://localhost:8080/in').waitFor();
  await look('test');
});

test('the page of an endpoint and the list say at a glance that deliveries arrive, with no second mark beside it', async () => {
  const active = page.getByRole('main').getByText('Active', { exact: true });
  await health().getByText('Working').waitFor();
  expect(await active.count()).toBe(0);
  await page.getByRole('link', { name: 'All endpoints' }).click();
  await page.getByRole('article').getByText('Working').waitFor();
  expect(await active.count()).toBe(0);
  await look('list');
});

test('the list says by itself how many attempts there were, while it is open', async () => {
  const attempts = page.getByRole('article').getByText(/^[\d,]+ attempts? in the last 24 hours/);
  const before = Number.parseInt((await attempts.innerText()).replaceAll(',', ''), 10);
  await application.rows(
    `update webhook_attempt_hour set count = count + 1 where (endpoint_number, hour, outcome) in
       (select endpoint_number, hour, outcome from webhook_attempt_hour order by hour desc limit 1)`,
  );
  await attempts.filter({ hasText: `${(before + 1).toLocaleString('en')} attempts` }).waitFor();
});

test('beside an endpoint, the form for another one opens at its button, for the environment that the pages show, and closes again', async () => {
  const field = page.getByRole('textbox', { name: 'URL' });
  expect(await field.count()).toBe(0);
  await button('New endpoint').click();
  await page.locator('input[inputmode="url"]:focus').waitFor();
  expect(await page.getByRole('radio', { name: 'Production' }).count()).toBe(0);
  await look('another');
  await button('Cancel').click();
  await field.waitFor({ state: 'detached' });
  // With a client for production, the address says which environment is meant.
  await numberOfClient(application, slug, 'production');
  await application.rows(`update integration set status = 'approved' where slug = $1`, [slug]);
  await page.goto(`/integrations/${slug}/webhooks?environment=production`);
  await button('New endpoint').click();
  expect(await page.getByRole('radio', { name: 'Production' }).isChecked()).toBe(true);
  await button('Cancel').click();
  await page.getByRole('link', { name: url }).click();
});

test('pausing and resuming say what they do, and what is held goes out afterwards', async () => {
  await button('Pause').click();
  await page.getByRole('dialog').getByText('Nothing more is sent to it').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await health().getByText('Paused').waitFor();
  await look('paused');
  await button('Resume').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await health().getByText('Working').waitFor();
});

test('another URL has to be proven first, and removing says what is lost and what stays', async () => {
  await button('Edit').click();
  await page.getByRole('dialog').getByLabel('URL').fill(movedUrl);
  await look('edit');
  // The endpoint can move to production, which is said to need another proof.
  await page.getByRole('dialog').getByText('Production', { exact: true }).click();
  await page.getByRole('dialog').getByText('Deliveries waiting for it now are discarded.').waitFor();
  await look('edit-environment');
  await page.getByRole('dialog').getByText('Sandbox', { exact: true }).last().click();
  await page.getByRole('dialog').getByLabel('URL').fill(movedUrl);
  await button('Save and prove the new URL').click();
  await page.getByRole('heading', { level: 2, name: movedUrl }).waitFor();
  await page.getByText('Queued. It starts within seconds.').waitFor();
  await application.work();
  // What was delivered to the former URL says nothing about this one.
  await health().getByText('Ready', { exact: true }).waitFor();
  await button('Remove').click();
  await page.getByRole('dialog').getByText('Past deliveries stay readable for 30 days').waitFor();
  await button('Remove endpoint').click();
  await region('Removed endpoints').getByText(movedUrl).waitFor();
  await page.getByText('Pulling is complete.').waitFor();
});

test('nothing on the way broke the content security policy or any script', () => {
  expect(watched.complaints).toEqual([]);
});

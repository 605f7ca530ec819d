import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { populateStates, type StatesOfPages } from '../../support/portals/pageStates.ts';
import { writeRequests } from '../../support/world/usageFixtures.ts';
import { acknowledge, numberOfClient, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

let application: PortalWorld;
let browser: Browser;
let states: StatesOfPages;
let page: Page;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  states = await populateStates(application, ['new', 'attention', 'failing']);
  ({ page } = await openPageAs(browser, states.owner));
  await page.setViewportSize({ width: 1280, height: 900 });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const day = 24 * 60 * 60_000;
const open = (tab = '') => page.goto(`/integrations/${states.slugs.failing}${tab}`);
const endOf = async (locator: Locator): Promise<number> => {
  const box = await locator.boundingBox();
  return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN);
};

test('an overview that fails tells one story: the next step, and nothing says that data flows', async () => {
  await open();
  await page.getByRole('region', { name: '1 deletion overdue', exact: true }).getByText('for 1 day', { exact: true }).waitFor();
  // Health tells of two hours, the chart of a day.
  await page.getByText(/^\d+ requests, 30 refused or failed, all of them in the last 2 hours\. /).waitFor();
  // What each line is called is the tab that it leads to.
  await page.getByRole('region', { name: 'Production', exact: true }).getByRole('link', { name: 'Go live' }).waitFor();
  expect(
    await page
      .getByRole('main')
      .getByText(/data flows|synced \d/i)
      .count(),
  ).toBe(0);
});

test('overview and home say each need once, with its one act; everything else there refers to the worst by name and to the others by how many there are', async () => {
  const { data } = await states.owner.graphql<{ integration: { attention: { title: string; act: { label: string } }[] } }>(
    'query ($slug: String!) { integration(slug: $slug) { attention { title act { label } } } }',
    { slug: states.slugs.failing },
  );
  const needs = data?.integration.attention ?? [];
  expect(needs.length).toBeGreaterThan(3);
  const main = page.getByRole('main');
  const toDo = `${needs[0]?.title}, and ${needs.length - 1} more to do`;
  await open();
  await page
    .getByRole('region', { name: `Production: ${toDo}. Failing.` })
    .getByText(toDo)
    .waitFor();
  for (const { title } of needs) expect([title, await main.getByText(title, { exact: true }).count()]).toEqual([title, 1]);
  expect(await page.getByRole('list', { name: 'Also needs your attention' }).getByRole('link').allInnerTexts()).toEqual(
    needs.slice(1).map(({ act }) => act.label),
  );
  expect(
    await page
      .getByRole('region', { name: /^(Production|Sandbox): / })
      .getByRole('link')
      .count(),
  ).toBe(0);
  // The other list says how each signal is.
  const signals = page.getByRole('region', { name: 'Production', exact: true }).getByRole('listitem');
  const told = await signals.filter({ hasText: 'Failing: ' }).allInnerTexts();
  expect(told.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^Requests Failing: [\d,]+ of [\d,]+ calls refused in 2 hours/),
    expect.stringMatching(/^Deletions Failing: (\d+ of )?\d+ deletions? overdue$/),
    expect.stringMatching(/^Webhooks Failing: (Failing for|Paused)/),
  ]);
  await page.goto('/integrations');
  // Why calls are refused is said where it is said that they are.
  await page.getByText(/^Invalid cursor: \d+ of \d+ production calls refused in 2 hours$/).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Drifter Tracker' });
  await row.getByRole('link', { name: toDo }).waitFor();
  await row.getByRole('link', { name: toDo }).click();
  await page.getByRole('region', { name: needs[0]?.title ?? '', exact: true }).waitFor();
});

test('home answers in the line of each need: what is to be deleted by when, why calls are refused and what helps, and why events were not delivered', async () => {
  await page.goto('/integrations');
  const lines = page.getByRole('region', { name: 'Needs your attention' }).locator('li[data-tone]');
  const told = async (title: string | RegExp) =>
    (await lines.filter({ has: page.getByText(title, { exact: true }) }).innerText()).replaceAll(/\s+/g, ' ');
  await lines.first().waitFor();
  // What is to be deleted by when is one line, and adds up.
  expect(await told('2 deletions in 2 integrations, 1 overdue')).toMatch(
    /Drifter Tracker delete 1 order, overdue for 1 day \(due \d.*\) ord_\w+ .*Compass Tracker delete 1 order, due in 1 day 1[12] hours \(\d.*\) ord_\w+ /,
  );
  expect(await told(/^Invalid cursor: \d+ of \d+ production calls refused in 2 hours$/)).toMatch(/ Start a recovery sync: /);
  // Two reasons of one host are one line, and told apart: what is still retried, and what is not.
  expect(await told('12 production events not delivered: 8 × status 404, 4 × status 422; others still retried (status 503)')).toMatch(
    / for 1 day failing\.hooks\.example\.com: status 422: your receiver does not accept the request\. Check its log\. Fix it, then replay\. View the attempts$/,
  );
  expect(await told('2 production events not delivered: status 422; not retried')).toMatch(
    / \d+ hours? ago attention\.hooks\.example\.com: your receiver does not accept the request\. Check its log\. Fix it, then replay\. View the deliveries$/,
  );
  // Whose it is comes first, and its time stands behind what it is the time of.
  expect(await told('The production certificate ends in 9 days')).toMatch(
    /^Certificate Compass Tracker The production certificate ends in 9 days on \d{1,2} \w+ 202\d, \d\d:\d\d \S+ New certificate$/,
  );
  const [title, when] = await Promise.all(
    [/^Nothing is delivered to \S+: its production endpoint is not proven$/, 'for 2 hours'].map((words) =>
      lines.getByText(words, { exact: true }).first().boundingBox(),
    ),
  );
  expect((when?.x ?? 0) - ((title?.x ?? 0) + (title?.width ?? 0))).toBeLessThan(16);
  // Nothing that is less pressing stands above what is more so.
  const tones = await lines.evaluateAll((all) => all.map((each) => each.getAttribute('data-tone')));
  expect(tones.lastIndexOf('bad')).toBe(tones.filter((tone) => tone === 'bad').length - 1);
  expect(tones.filter((tone) => tone === 'bad')).toHaveLength(3);
  // What a first submission lacks stands last, and the table does not repeat it.
  expect(await lines.last().innerText()).toMatch(
    /^Production\s*Anchor Tracker\s*Missing for production: 4 steps\s*1\.\sGet a sandbox certificate; 2\.\sAdd logo, review address, 9 confirmations; 3\.\sPass the review; 4\.\sGet a production certificate\.\s*See what is missing$/,
  );
  // It names the same step as the table.
  await page
    .getByRole('row')
    .filter({ hasText: 'Anchor Tracker' })
    .getByRole('link', { name: 'Get a sandbox certificate', exact: true })
    .waitFor();
  // All of them are shown, with what was not delivered elsewhere.
  expect(await lines.count()).toBe(8);
  // When each certificate ends stands in the table, of what works as well.
  const row = (name: string) => page.getByRole('table', { name: 'Your integrations' }).getByRole('row').filter({ hasText: name });
  const soon = row('Compass Tracker').getByText(/^in \d days$/);
  expect((await soon.locator('xpath=../../..').innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^Production in 9 days \d{1,2} \w+ 202\d$/);
  await row('Drifter Tracker')
    .getByText(/^\d{1,2} \w+ 202\d$/)
    .nth(1)
    .waitFor();
  expect(await row('Anchor Tracker').innerText()).not.toContain('Missing');
  await keepScreenshot(page, 'first-look-home');
  const clientNumber = await numberOfClient(application, states.slugs.attention, 'production');
  const { revocationId } = await revokedOrder(application, {
    clientNumber,
    revokedAt: new Date(application.clock.now().getTime() - 4 * day),
  });
  await page.reload();
  await lines.first().waitFor();
  expect(await told('3 deletions in 2 integrations, 1 overdue')).toMatch(
    /Compass Tracker delete 2 orders, due first in 1 day 1[12] hours \(\d/,
  );
  await acknowledge(application, revocationId, application.clock.now());
});

test('every cause of refused calls that is open says on the overview what to do', async () => {
  const clientNumber = await numberOfClient(application, states.slugs.failing, 'production');
  const [certificate] = await application.rows<{ id: string; serial: string }>(
    `select id, serial from certificate where client_number = $1 and serial is not null limit 1`,
    [clientNumber],
  );
  const another = { operation: 'getOrder', status: 403, problem: 'scope_required' } as const;
  await writeRequests(
    application.databaseUrl,
    { clientNumber, commonName: '', certificate: { id: certificate?.id ?? '', serial: certificate?.serial ?? '' } },
    [another],
  );
  await open();
  const causes = page.getByRole('list', { name: 'Causes of refused and failed requests' }).locator('li[data-open]');
  await causes.first().waitFor();
  expect(await causes.count()).toBeGreaterThan(1);
  for (const cause of await causes.all()) expect(await cause.locator('p').count()).toBe(1);
});

test('the causes of refused calls add up to the number above them, with those that are not listed as others', async () => {
  const clientNumber = await numberOfClient(application, states.slugs.failing, 'production');
  // Of a flood of refusals the counters know more than the log.
  await application.rows(
    `insert into usage_counter (client_number, hour, route, status, count)
     values ($1, date_trunc('hour', now()), 'getVehicle', 429, 1013), ($1, date_trunc('hour', now()), 'getVehicle', 503, 7)`,
    [clientNumber],
  );
  const numbersOf = (texts: readonly string[]) => texts.map((text) => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '')));
  const addUp = async (above: string, list: Locator) => {
    const [sum] = numbersOf([above]);
    expect(numbersOf(await list.locator('li').allInnerTexts()).reduce((total, each) => total + each, 0)).toBe(sum);
    expect(sum).toBeGreaterThan(1_020);
  };
  await open();
  const causes = page.getByRole('list', { name: 'Causes of refused and failed requests' });
  await causes.getByRole('link', { name: /^and [\d,]+ others$/ }).waitFor();
  await addUp((await page.getByText(/refused or failed/).innerText()).replace(/^.*requests?, /, ''), causes);
  await causes.getByRole('link', { name: /^and / }).click();
  const region = page.getByRole('region', { name: 'Refused and failed calls' });
  const counts = region.getByRole('link', { name: /^([\d,]+ requests?,|and [\d,]+ others$)/ });
  await counts.last().waitFor();
  const told = numbersOf(await counts.allInnerTexts()).reduce((total, each) => total + each, 0);
  expect(numbersOf([await region.getByText(/ refused or failed in 24 hours/).innerText()])).toEqual([told]);
  // What was refused and what failed have a colour and a pattern of their own, and a key.
  const chart = page.locator('figure');
  await chart.getByRole('img', { name: /^Requests in the last 24 hours: [\d,]+, [\d,]+ refused, 7 failed$/ }).waitFor();
  expect(await chart.getByText(/\b(404, 410|5xx)\)/).allInnerTexts()).toEqual(['refused (not 404, 410)', 'failed (5xx)']);
  await chart.getByText('others', { exact: true }).waitFor();
  const looks = await page.evaluate<string[]>(
    "[...document.querySelectorAll('figure i')].map((each) => getComputedStyle(each).backgroundImage)",
  );
  expect(looks).toEqual(['none', 'none', expect.stringContaining('repeating-linear-gradient')]);
});

test('what a submission lacks is told, with a way to it, while something else comes first', async () => {
  await page.goto(`/integrations/${states.slugs.new}`);
  const line = page.getByRole('region', { name: 'Sandbox', exact: true }).getByRole('listitem').filter({ hasText: 'Go live' });
  await line.getByText(/Not submitted; missing: .*confirmations/).waitFor();
  await line.getByRole('link', { name: 'Go to the checklist' }).waitFor();
});

test('whether the test data is ready is told by the step and by the line about health at once', async () => {
  // The overview was read a moment before the data was ready, the frame a moment after it.
  await page.route('**/graphql', async (route) => {
    const json = (await (await route.fetch()).json()) as {
      data?: { integration?: { nextStep?: object; clients?: { corpus?: object }[] } };
    };
    const { nextStep, clients = [] } = json.data?.integration ?? {};
    if (nextStep) for (const client of clients) if (client.corpus) client.corpus = { ...client.corpus, state: 'building' };
    await route.fulfill({ json });
  });
  await page.goto(`/integrations/${states.slugs.new}`);
  const main = page.getByRole('main');
  await main.getByText('Wait for your test data').waitFor();
  expect(await main.getByText('Test data is ready').count()).toBe(0);
  await page.unroute('**/graphql');
});

test('on a phone, how production is stands below the next step and above whatever else there is to do', async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open();
  const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? Number.NaN;
  const line = page.getByRole('region', { name: /^Production: / });
  await line.waitFor();
  expect(await topOf(line)).toBeLessThan(await topOf(page.getByRole('list', { name: 'Also needs your attention' })));
  expect(await topOf(line)).toBeGreaterThan(await topOf(page.getByRole('region', { name: '1 deletion overdue', exact: true })));
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('a tab’s line that does not name all there is to do elsewhere leads to it', async () => {
  await page.goto(`/integrations/${states.slugs.attention}/certificates`);
  const line = page.getByRole('region', { name: /^Production: / });
  await line.getByText('See below. Elsewhere: 1 deletion due; 2 events not delivered: status 422; not retried.').waitFor();
  // On a phone its button, on a row of its own, has as much space below as the line has above, and is not against the words.
  await page.setViewportSize({ width: 360, height: 800 });
  const button = (await line.locator('a').last().boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
  const frame = (await line.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
  const padding = await line.evaluate((each) => Number.parseFloat(each.ownerDocument.defaultView?.getComputedStyle(each).paddingTop ?? ''));
  expect(frame.y + frame.height - button.y - button.height).toBeCloseTo(padding + 1, 0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await line.getByRole('link', { name: '1 more to do' }).click();
  await page.getByRole('list', { name: 'Also needs your attention' }).waitFor();
});

test('on a phone, what the next sync brings stands above the list of the test data', async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open('/sandbox');
  const table = page.getByRole('table').first();
  await table.waitFor();
  const panel = page.getByRole('region', { name: 'Your next sync brings' });
  expect(await endOf(panel)).toBeLessThan((await table.boundingBox())?.y ?? 0);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('the last two days before a deadline are told in days and hours, as on the page of deletions', async () => {
  await page.goto(`/integrations/${states.slugs.attention}`);
  const due = page.getByRole('region', { name: '1 deletion due', exact: true });
  await due.getByText(/^in 1 day 1[12] hours$/).waitFor();
  // With the day, the time and the zone.
  await due.getByText(moment).waitFor();
  // What is due so soon has one colour, here and on the home.
  expect(await due.getAttribute('data-tone')).toBe('bad');
  const signal = page.getByRole('region', { name: 'Production', exact: true }).getByRole('listitem').filter({ hasText: 'Deletions' });
  expect(await signal.locator('[data-tone]').getAttribute('data-tone')).toBe('bad');
});

const moment = /^\d{1,2} \w+ \d{4}, \d\d:\d\d \S+$/;

test('at 768 pixels all tabs have room, and the time and the button of the line about health stand on one line', async () => {
  await page.setViewportSize({ width: 768, height: 900 });
  await open('/requests');
  const tabs = page.getByRole('navigation', { name: 'Integration' }).getByRole('link').first().locator('..');
  expect(await tabs.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const line = page.getByRole('region', { name: /^Production: / });
  const middle = async (part: Locator) => {
    const box = await part.boundingBox();
    return (box?.y ?? Number.NaN) + (box?.height ?? 0) / 2;
  };
  expect(
    Math.abs((await middle(line.getByText(/^as of/))) - (await middle(line.getByRole('link', { name: 'Go to deletions, production' })))),
  ).toBeLessThan(3);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('two endpoints can be seen whole at the first look, above the 600th pixel', async () => {
  await open('/webhooks');
  const endpoints = page.getByRole('article', { name: /^Endpoint / });
  await endpoints.nth(1).waitFor();
  await keepScreenshot(page, 'first-look-webhooks');
  expect(await endOf(endpoints.nth(1))).toBeLessThanOrEqual(600);
});

test('an overview whose address ends with a slash says once how each environment is', async () => {
  await open('/');
  await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor();
  expect(await page.getByRole('region', { name: /^(Production|Sandbox): / }).count()).toBe(2);
});

test('the sandbox names the certificate that it can be called with', async () => {
  await open('/sandbox');
  await page.getByText(/^Your back end can call the sandbox with the certificate sandbox-\d{4}-\d\d\.$/).waitFor();
  await page.getByText('501 resources, 1 of them revoked, latest change first').waitFor();
  expect(await page.getByRole('group', { name: 'Let time pass' }).innerText()).toMatch(/^Advance\s+orders by one step$/);
});

test('production says that the gates are open, not that data flows while requests are refused', async () => {
  await open('/production');
  await page.getByText(/^Both gates are open; the last step was done/).waitFor();
  const gates = page.getByRole('region', { name: 'Production gates' });
  await gates.getByText('Whole service', { exact: true }).waitFor();
  await gates.getByText(/Reason: The rollout begins\.$/).waitFor();
  expect(await page.getByText(/data flows|synced \d/i).count()).toBe(0);
});

test('a refusal has one colour, in the log, among its causes and in the chart', async () => {
  await open('/requests');
  const colour = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`);
  await page.getByRole('table', { name: 'Requests' }).getByText('400').first().waitFor();
  const inLog = await colour('table[role="table"] [data-kind="refused"]', 'color');
  expect(await colour('section [data-kind="refused"]', 'color')).toBe(inLog);
  expect(await colour('figure [class*="failed"]', 'backgroundColor')).toBe(inLog);
});

test.each([
  ['overview', ''],
  ['page of deletions', '/deletions'],
])('without a connection, the %s stays, and its status says how old it is from the first minute on', async (_, tab) => {
  const { page: left } = await openPageAs(browser, states.owner);
  await left.clock.install();
  await left.goto(`/integrations/${states.slugs.failing}${tab}`);
  const line = left.getByRole('region', { name: /^Production: (see below|1 deletion overdue)/ });
  await line.getByText(/^as of \d\d:\d\d$/).waitFor();
  await left.route('**/graphql', (route) => route.abort());
  await left.clock.fastForward(61_000);
  await line.getByText(/^as of \d\d:\d\d, 1 minute ago$/).waitFor();
  await left.clock.fastForward(9 * 60_000);
  await line.getByText(/^as of \d\d:\d\d, 10 minutes ago$/).waitFor();
  await left.context().close();
});

test('an endpoint of the sandbox stands under the status of the sandbox, and one of production under that of production', async () => {
  const [ofProduction, ofSandbox] = await application.rows<{ id: string; number: number }>(
    'select e.id, e.number from webhook_endpoint e join integration i on i.id = e.integration_id where i.slug = $1 order by e.number',
    [states.slugs.failing],
  );
  await application.rows('update webhook_endpoint set client_number = $1 where number = $2', [
    await numberOfClient(application, states.slugs.failing),
    ofSandbox?.number,
  ]);
  const linesAbove = async (id = '') => {
    await open(`/webhooks/${id}?environment=production`);
    await page.getByRole('link', { name: 'All endpoints' }).waitFor();
    return page.getByRole('region', { name: /^Production: / }).count();
  };
  expect([await linesAbove(ofSandbox?.id), await linesAbove(ofProduction?.id)]).toEqual([0, 1]);
});

test('a tab that could not be read is read by itself once it can be, and the line above it tells the time of that', async () => {
  const { page: left } = await openPageAs(browser, states.owner);
  await left.clock.install();
  const named = (request: { postData(): string | null }) => /"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1] ?? '';
  await left.route('**/graphql', (route) => (/^(Frame|Integration)$/.test(named(route.request())) ? route.fallback() : route.abort()));
  await left.goto(`/integrations/${states.slugs.failing}/deletions`);
  await left.getByText('The portal did not answer.').first().waitFor();
  await left.unroute('**/graphql');
  const again = left.waitForRequest((request) => request.headers()['x-svc-background'] === '1');
  await left.clock.runFor(5_000);
  await again;
  await left.getByRole('table').first().waitFor();
  expect(await left.getByText('The portal did not answer.').count()).toBe(0);
  const read = left.waitForResponse((response) => named(response.request()) === 'Integration');
  await left.clock.fastForward(61_000);
  await (await read).finished();
  await left
    .getByRole('region', { name: /^Production: see below\. Elsewhere: [\d,]+ of [\d,]+ calls refused/ })
    .getByText(/^as of \d\d:\d\d$/)
    .waitFor();
  await left.context().close();
});

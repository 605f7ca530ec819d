import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { sandboxInSuspension } from '../../../server/domain/notification/words/consequences.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { overflow } from '../../support/browser/overflow.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { acknowledge, numberOfClient, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { healthNames, pageStates, populateStates, type StatesOfPages } from '../../support/portals/pageStates.ts';

let application: PortalWorld;
let browser: Browser;
let states: StatesOfPages;
let page: Page;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  states = await populateStates(application);
  await states.owner.confirmFreshly();
  ({ page } = await openPageAs(browser, states.owner));
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** A way through the portal that begins at the signed-in home and counts what it costs the reader. A passkey's confirmation is extra. */
async function walk(on: Page = page): Promise<{ click(target: Locator): Promise<void>; readonly clicks: () => number }> {
  await on.goto('/integrations');
  await on.getByRole('heading', { level: 1 }).waitFor();
  await on.getByRole('button', { name: 'Search or paste an ID' }).waitFor();
  let clicks = 0;
  return {
    async click(target) {
      clicks += 1;
      await target.click();
    },
    clicks: () => clicks,
  };
}

test('pasting a request’s ID leads to the request, without a click', async () => {
  const slug = states.slugs.failing;
  const [request] = await application.rows<{ id: string }>(
    `select l.request_id as id from request_log l join client c on c.number = l.client_number join integration i on i.id = c.integration_id
      where i.slug = $1 and l.status = 400 order by l.occurred_at desc limit 1`,
    [slug],
  );
  const { clicks } = await walk();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or paste an ID' }).waitFor();
  await page.keyboard.insertText(request?.id ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/integrations/${slug}/requests?*request=${request?.id}*`);
  await page.getByText('Invalid cursor').first().waitFor();
  expect(clicks()).toBe(0);
});

/** The words of the links and buttons in a line that says how an environment is. */
const actsOf = async (name: RegExp) => {
  const line = page.getByRole('main').getByRole('region', { name });
  await line.waitFor();
  return line.locator('a, button').allInnerTexts();
};

test('a line that says how an environment is has one sentence and one button: to what is most pressing and not on the page; how much more there is leads to all of it', async () => {
  const { suspended, retired, failing } = states.slugs;
  const isSuspended = /^Production: suspended; no data flows; 1 deletion due\. /;
  for (const tab of ['requests', 'webhooks', 'certificates', 'profile']) {
    await page.goto(`/integrations/${suspended}/${tab}`);
    expect([tab, await actsOf(isSuspended)]).toEqual([tab, ['See what to do']]);
  }
  // Each of these says the rest itself.
  await page.goto(`/integrations/${suspended}/deletions`);
  expect(await actsOf(/^Production: no data flows\. Suspended\.$/)).toEqual(['See what to do']);
  await page.goto(`/integrations/${suspended}/production?environment=sandbox`);
  await page.getByRole('heading', { name: 'How to get reactivated' }).waitFor();
  // In the words of the overview.
  await page.getByRole('main').getByRole('link', { name: 'Contact support', exact: true }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Go to deletions', exact: true }).waitFor();
  expect(await page.getByRole('region', { name: /^Production: / }).count()).toBe(0);
  await page.goto(`/integrations/${suspended}/deletions`);
  await page.getByRole('link', { name: 'See what to do, production' }).click();
  await page.getByText('Reason: The credit is missing from your public pages.').waitFor();
  // The overview lists what there is to do below the lines, and says once more that it is stopped by the badge alone.
  expect(await actsOf(/^Production: no data flows; 1 more to do\. Suspended\.$/)).toEqual([]);
  await page
    .getByRole('list', { name: 'Also needs your attention' })
    .getByRole('link', { name: /^Go to deletions/ })
    .waitFor();
  for (const tab of ['requests', 'sandbox?environment=sandbox', 'profile']) {
    await page.goto(`/integrations/${retired}/${tab}`);
    expect(await actsOf(/^Production: retired for good; every call is refused; 1 deletion due\. /)).toEqual(['Go to deletions']);
  }
  await page.goto(`/integrations/${failing}/certificates`);
  expect(
    await actsOf(/^Production: elsewhere: 1 deletion overdue; invalid cursor: \d+ of \d+ calls refused in 2 hours\. Failing\.$/),
  ).toEqual(['2\u00A0more\u00A0to\u00A0do', 'Go to deletions']);
  await page.goto(`/integrations/${failing}/deletions`);
  expect(await actsOf(/^Production: see below\. Elsewhere: invalid cursor: \d+ of \d+ calls refused in 2 hours\. Failing\.$/)).toEqual([
    '2\u00A0more\u00A0to\u00A0do',
    'See the refused calls',
  ]);
});

test('the tab of webhooks leads below, and each endpoint that needs something has the way to it', async () => {
  await page.goto(`/integrations/${states.slugs.failing}/webhooks`);
  expect(await actsOf(/^Production: see below\. Elsewhere: 1 deletion overdue; .*\d+ of \d+ calls refused .* Failing\.$/)).toEqual([
    'Go to deletions',
  ]);
  await page.getByRole('link', { name: 'View the attempts: failing.hooks.example.com/orders' }).waitFor();
  await page.getByRole('link', { name: 'Prove the endpoint: next.hooks.example.com/orders' }).click();
  await page.getByRole('heading', { level: 2, name: 'https://next.hooks.example.com/orders' }).waitFor();
});

test('what comes before a certificate ends stands beside it also when the end is near', async () => {
  await page.goto(`/integrations/${states.slugs.attention}/certificates`);
  const panel = page.getByRole('region', { name: 'Before it ends', exact: true });
  await panel.getByRole('link', { name: 'Automatic renewal' }).waitFor();
  // What the warning says is not said again.
  expect(await page.getByText('work side by side').count()).toBe(1);
});

test.each([
  ['failing', 'deletions', 'Overdue for 1 day', /overdue(?! \()|has passed|\bby \d/gi],
  ['attention', 'deletions', '1 day 12 hours left', /\b1 day\b|deletions? due/gi],
  ['attention', 'certificates', 'Certificate production-2026-11 is in use, 9 days left', /\b9 days|soon/gi],
  // The badge beside the name, and the step with its day.
  ['suspended', 'production', 'Suspended, 2 days ago', /\bsuspended\b(?! them)/gi],
] as const)('what is wrong with an integration that is %s is said once on the page of %s: “%s”', async (state, tab, _, facts) => {
  await page.goto(`/integrations/${states.slugs[state]}/${tab}`);
  await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
  const told = (await page.getByRole('main').innerText()).match(facts);
  expect(told).toHaveLength(state === 'suspended' ? 2 : 1);
});

test('when a certificate ends is said once in the list of needs, and a number on the way to production means one thing', async () => {
  await page.goto('/integrations');
  const ending = page.getByRole('listitem').filter({ hasText: /The production certificate ends in \d+ days/ });
  await ending.first().waitFor();
  expect((await ending.first().innerText()).match(/\bin \d+ days|\bdue\b/g)).toHaveLength(1);
  await page.goto(`/integrations/${states.slugs.new}/production`);
  await page.getByText('Your pages have not been checked yet.').waitFor();
  expect(new Set((await page.getByRole('main').innerText()).match(/\b9 \w+/g))).toEqual(new Set(['9 points']));
});

test('that syncs have stopped is said on the page of requests, and on the other tabs by their line', async () => {
  const number = await numberOfClient(application, states.slugs.healthy, 'production');
  const sync = (ago: string) =>
    application.rows(`update client_activity set last_sync_at = now() - $2::interval where client_number = $1`, [number, ago]);
  await sync('3 hours');
  await page.goto(`/integrations/${states.slugs.healthy}/certificates`);
  expect(await actsOf(/^Production: elsewhere: syncs have stopped, last sync 3 hours ago\. Failing\.$/)).toEqual(['View requests']);
  await page.getByRole('link', { name: 'View requests, production' }).click();
  await page.getByText(/^Syncs have stopped, last sync 3 hours ago\. Check that the job /).waitFor();
  expect(await page.getByRole('region', { name: /^Production: / }).count()).toBe(0);
  await sync('4 minutes');
});

test.each([
  ['production', 'Production gates'],
  ['certificates', 'Before it ends'],
  ['deletions', 'What you must do after a revocation'],
  ['sandbox', 'About this data'],
])('where all is well, the right half of the page of %s at 1440 pixels has “%s”', async (tab, name) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/integrations/${states.slugs.healthy}/${tab}`);
  const region = page.getByRole('region', { name, exact: true });
  await region.waitFor();
  const { x, y } = (await region.boundingBox()) ?? { x: 0, y: 900 };
  expect(x).toBeGreaterThan(720);
  expect(y).toBeLessThan(450);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('on a phone, what to do first stands above how production is, what else to do below it, and a serial takes one line', async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/integrations/${states.slugs.failing}`);
  const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
  const toDo = page.getByRole('list', { name: 'Also needs your attention' });
  await toDo.waitFor();
  const production = await top(page.getByRole('region', { name: /^Production: / }));
  expect(await top(page.getByRole('region', { name: /^\d deletions? overdue$/ }))).toBeLessThan(production);
  expect(production).toBeLessThan(await top(toDo));
  await page.goto(`/integrations/${states.slugs.new}/production`);
  const step = page.getByRole('listitem').filter({ hasText: 'Your turn' });
  await step.waitFor();
  // One line with a bar above it instead of five.
  expect(
    (await top(page.getByRole('heading', { name: 'Submit for production review' }))) - (await top(step.getByText('Submit'))),
  ).toBeLessThan(70);
  await page.goto(`/integrations/${states.slugs.healthy}/certificates`);
  const serial = page.getByRole('table').locator('code').first();
  await serial.waitFor();
  expect((await serial.boundingBox())?.height).toBeLessThan(24);
  expect(await overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('on a phone, the answer of each page begins within its first 600 pixels: what needs the owner, what is still called, how production comes back', async () => {
  await page.setViewportSize({ width: 360, height: 900 });
  const { attention, failing, suspended } = states.slugs;
  const main = page.getByRole('main');
  for (const [path, answer, tone] of [
    [attention, main.getByRole('region', { name: '1 deletion due', exact: true }), 'bad'],
    [failing, main.getByRole('region', { name: /^\d deletions? overdue$/ }), 'bad'],
    [`${suspended}/production`, main.getByRole('region', { name: 'Suspended: how to get reactivated' }), 'bad'],
    [`${suspended}/sandbox`, main.getByText(/^Your back end can call the sandbox/), null],
  ] as const) {
    await page.goto(`/integrations/${path}`);
    await answer.waitFor();
    expect([path, await answer.getAttribute('data-tone')]).toEqual([path, tone]);
    expect((await answer.boundingBox())?.y).toBeLessThan(600);
  }
  // What is pressing is so in the line above it as well.
  await page.goto(`/integrations/${attention}/deletions`);
  await main
    .locator('[data-tone="bad"]')
    .getByText(/ left$/)
    .waitFor();
  expect(await main.getByRole('region', { name: /^Production: / }).getAttribute('data-tone')).toBe('bad');
  // The time of a line without a button stands beside its badge.
  await page.goto(`/integrations/${failing}`);
  const line = main.getByRole('region', { name: /^Production: / });
  const middle = async (part: Locator) => {
    const box = await part.boundingBox();
    return (box?.y ?? Number.NaN) + (box?.height ?? 0) / 2;
  };
  expect(Math.abs((await middle(line.getByText('Failing', { exact: true }))) - (await middle(line.getByText(/^as of/))))).toBeLessThan(4);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('what needs the owner first is one click away, and three deletions are recorded with three', async () => {
  const clientNumber = await numberOfClient(application, states.slugs.failing, 'production');
  const yesterday = new Date(application.clock.now().getTime() - 24 * 60 * 60 * 1000);
  for (const revokedAt of [yesterday, yesterday]) await revokedOrder(application, { clientNumber, revokedAt });
  const way = await walk();
  await way.click(
    page
      .getByRole('main')
      .getByRole('link', { name: /overdue.*Drifter Tracker/i })
      .first(),
  );
  await page.waitForURL(`**/integrations/${states.slugs.failing}/deletions?*environment=production*`);
  await page.getByRole('table').getByText('Overdue').first().waitFor();
  expect(way.clicks()).toBe(1);
  await way.click(page.getByRole('button', { name: 'Record all 3' }));
  await way.click(page.getByRole('dialog').getByRole('button', { name: 'Record 3 deletions' }));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(way.clicks()).toBe(3);
});

test.each([
  ['new', '/requests', 'To call the API, your back end needs a client certificate'],
  ['new', '/sandbox', 'Your back end can call the sandbox once it has one.'],
  [
    'suspended',
    '/requests',
    /^Since \d+ \w+ 202\d, \d\d:\d\d \S+, every call is refused \(403\), because the integration is suspended\. Reason: The credit is missing from your public pages\.$/,
  ],
  ['retired', '/requests', /^Since \d+ \w+ 202\d, \d\d:\d\d \S+, every call is refused, because the integration is retired\.$/],
  ['healthy', '/requests', 'No calls are being refused or failing.'],
] as const)('the owner of an integration that is %s reads on %s whether calls are answered', async (state, tab, words) => {
  await page.goto(`/integrations/${states.slugs[state]}${tab}`);
  await page.getByRole('main').getByText(words, { exact: true }).waitFor();
});

test('over an empty log of requests there is nothing to filter and nothing to follow', async () => {
  await page.goto(`/integrations/${states.slugs.new}/requests`);
  await page.getByRole('link', { name: 'Get a certificate' }).waitFor();
  await page.getByText('We have not received a call yet.').waitFor();
  expect(await page.getByRole('combobox', { name: 'Answer' }).count()).toBe(0);
  expect(await page.getByRole('switch', { name: 'Live' }).count()).toBe(0);
  await page.goto(`/integrations/${states.slugs.healthy}/requests`);
  await page.getByRole('combobox', { name: 'Answer' }).waitFor();
});

test('the log of a retired integration, which nothing is added to, is not live, and names the zone of its times', async () => {
  await page.goto(`/integrations/${states.slugs.retired}/requests`);
  await page.getByRole('combobox', { name: 'Answer' }).waitFor();
  expect(await page.getByRole('switch', { name: 'Live' }).count()).toBe(0);
  await page.goto(`/integrations/${states.slugs.healthy}/requests`);
  await page.getByRole('columnheader', { name: /^Time \(.+\)$/ }).waitFor();
  await page.getByRole('switch', { name: 'Live' }).waitFor();
});

test('at 1280 pixels, the button for a new certificate stands beside a long answer, not below it', async () => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`/integrations/${states.slugs.suspended}/certificates?environment=production`);
  const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
  const button = page.getByRole('button', { name: 'New certificate' });
  await button.waitFor();
  expect((await topOf(button)) - (await topOf(page.getByRole('heading', { name: /^Certificate .* is valid/ })))).toBeLessThan(28);
});

test('where all is well, no column of an overview is empty below its middle at 1440 pixels', async () => {
  const { page: wide } = await openPageAs(browser, states.owner, { viewport: { width: 1440, height: 900 } });
  await wide.goto(`/integrations/${states.slugs.healthy}`);
  await wide.getByText('Production gate opened').waitFor();
  const endOf = async (part: Locator) => (await part.evaluate((element) => element.getBoundingClientRect().bottom)) as number;
  const left = await endOf(wide.getByRole('list', { name: 'History' }));
  const right = await endOf(wide.getByRole('region', { name: 'Production', exact: true }));
  expect(left).toBeGreaterThan(right * 0.9);
  await wide.context().close();
});

test('the owner of a suspended integration writes to the staff with one click', async () => {
  await page.goto(`/integrations/${states.slugs.suspended}`);
  const contact = page.getByRole('region', { name: 'Suspended', exact: true }).getByRole('link', { name: 'Contact support' });
  expect(await contact.getAttribute('href')).toMatch(/^(mailto|https):/);
});

test('the sandbox begins with its own health, and what a page shows itself is no link to it', async () => {
  await page.goto(`/integrations/${states.slugs.suspended}/sandbox?environment=production`);
  await page.getByText(sandboxInSuspension).waitFor();
  expect(await page.getByRole('region', { name: /^Production: / }).count()).toBe(0);
  await page.goto(`/integrations/${states.slugs.suspended}/deletions?environment=production`);
  await page.getByRole('link', { name: 'See what to do, production' }).waitFor();
  expect(await page.getByRole('link', { name: /^Go to deletions/ }).count()).toBe(0);
});

test('the first certificate is in hand two clicks after the home page, with its key and without a terminal', async () => {
  const way = await walk();
  await way.click(
    page
      .getByRole('row')
      .filter({ hasText: 'Anchor Tracker' })
      .getByRole('link', { name: /certificate/i }),
  );
  await page.waitForURL(`**/integrations/${states.slugs.new}/certificates*`);
  const key = page.waitForEvent('download');
  await way.click(page.getByRole('button', { name: 'Create key and certificate' }));
  expect((await key).suggestedFilename()).toMatch(/^sandbox-.*\.key$/);
  const certificate = page.waitForEvent('download');
  await application.work();
  expect((await certificate).suggestedFilename()).toMatch(/^sandbox-.*\.pem$/);
  expect(way.clicks()).toBe(2);
});

test('an administrator suspends an integration from anywhere in three clicks, with its slug in hand', async () => {
  const admin = await administrator(application, 'zoe.marsh@example.org');
  await admin.confirmFreshly();
  const { page: desk } = await openPageAs(browser, admin);
  const slug = states.slugs.healthy;
  const way = await walk(desk);
  await desk.keyboard.press('Control+k');
  await desk.getByRole('combobox', { name: 'Search or paste an ID' }).waitFor();
  await desk.keyboard.insertText(slug);
  await desk.keyboard.press('Enter');
  await desk.waitForURL(`**/admin/integrations/${slug}`);
  await way.click(
    desk
      .getByRole('main')
      .getByRole('button', { name: /^Actions for / })
      .first(),
  );
  await way.click(desk.getByRole('menuitem', { name: 'Suspend', exact: true }));
  await desk.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
  await desk.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Data seen outside the purpose');
  await way.click(desk.getByRole('dialog').getByRole('button', { name: 'Suspend integration' }));
  await desk.getByRole('dialog').waitFor({ state: 'detached' });
  const [row] = await application.rows<{ status: string }>('select status from integration where slug = $1', [slug]);
  expect([row?.status, way.clicks()]).toEqual(['suspended', 3]);
  const before = new Date(application.clock.now().getTime() - 2 * 24 * 60 * 60 * 1000);
  await application.rows("update integration set status = 'active', status_reason = null, status_changed_at = $2 where slug = $1", [
    slug,
    before,
  ]);
  await desk.context().close();
});

test('the tabs keep the environment that the reader has chosen, and the focus on the tab', async () => {
  const slug = states.slugs.failing;
  await page.goto(`/integrations/${slug}/requests`);
  await page.waitForURL('**/requests?environment=production');
  await page.getByRole('radiogroup', { name: 'Environment' }).getByText('Sandbox').click();
  await page.waitForURL('**/requests?environment=sandbox');
  await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Deletions' }).click();
  await page.waitForURL(`**/integrations/${slug}/deletions?environment=sandbox`);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Deletions');
  await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
});

const tabOf = (name: string) => page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name });
/** When the page asks for this, and not only in the background, as it does every few seconds while something is due. */
const asksFor = (field: string) =>
  page.waitForRequest((request) => (request.postData()?.includes(field) ?? false) && !request.headers()['x-svc-background']);

test('what a tab shows is asked for while the pointer rests on its link, and is there with the click', async () => {
  // Where an earlier test left it, it may rest on one already.
  await page.mouse.move(0, 0);
  await page.goto(`/integrations/${states.slugs.failing}`);
  await page.locator('main section[data-tone]').first().waitFor();
  for (const [tab, field, shown] of [
    ['Deletions', 'revocations(', page.getByText('What you must do after a revocation')],
    ['Requests', 'requests(', page.getByRole('table', { name: 'Requests', exact: true })],
    ['Certificates', 'certificates(', page.getByRole('table', { name: /certificates/i }).first()],
    ['Webhooks', 'webhookEndpoints', page.getByRole('heading', { name: 'Endpoints' })],
  ] as const) {
    const asked = asksFor(field);
    await tabOf(tab).hover();
    await (await (await asked).response())?.finished();
    // From now on the service does not answer, as on a train in a tunnel.
    await page.route('**/graphql', (route) => route.abort());
    try {
      await tabOf(tab).click();
      await shown.waitFor();
    } finally {
      await page.unroute('**/graphql');
    }
  }
});

test('coming back to the deletions shows what has become due meanwhile', async () => {
  const [slug, environment] = [states.slugs.healthy, 'production'] as const;
  await page.goto(`/integrations/${slug}/deletions?environment=${environment}`);
  await page.getByRole('main').getByText('Nothing to delete').first().waitFor();
  await tabOf('Profile').click();
  await page.waitForURL('**/profile*');
  const { revocationId } = await revokedOrder(application, {
    clientNumber: await numberOfClient(application, slug, environment),
    revokedAt: application.clock.now(),
  });
  const asked = asksFor('revocations(');
  await tabOf('Deletions').click();
  await asked;
  await page.getByRole('main').getByText('1 deletion', { exact: true }).first().waitFor();
  await acknowledge(application, revocationId, application.clock.now());
});

const namesAbove600 = `[...document.querySelectorAll('main section[data-tone]')]
  .filter((line) => line.getBoundingClientRect().bottom + scrollY <= 600).map((line) => line.getAttribute('aria-label') ?? line.querySelector('h2').innerText)`;

test.each(pageStates)(
  'within a second of looking, the owner of an integration that is %s is told so in the first 600 pixels',
  async (state) => {
    // On the other tabs, the line is left out where nothing is to be said.
    const tabs = state === 'new' || state === 'healthy' ? [''] : ['', '/deletions'];
    for (const tab of tabs) {
      await page.goto(`/integrations/${states.slugs[state]}${tab}`);
      await page.locator('main section[data-tone]').first().waitFor();
      const names = await page.evaluate<string[]>(namesAbove600);
      expect([tab, names.some((name) => healthNames[state].test(name)), names]).toEqual([tab, true, expect.anything()]);
    }
  },
);

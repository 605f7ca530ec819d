import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { grantRole } from '../../../server/domain/programme/grantRole.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

const terminal = { type: 'system', name: 'terminal' } as const;

let application: PortalWorld;
let browser: Browser;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

test('the words of a badge stand on one line with the words of its row', async () => {
  const operator = await application.operator();
  await operator.createIntegration({ publicName: 'Nordlys Tracker' });
  const { page } = await openPageAs(browser, operator);
  await page.goto('/integrations');
  const row = page.getByRole('row', { name: /Nordlys Tracker/ });
  await row.waitFor();
  /** Where the line is on which the words of an element stand. */
  const lineOf = (selector: string) =>
    row
      .locator(selector)
      .first()
      .evaluate((element) => {
        const mark = element.ownerDocument.createElement('span');
        mark.style.display = 'inline-block';
        element.append(mark);
        const { bottom } = mark.getBoundingClientRect();
        mark.remove();
        return bottom;
      });
  expect(Math.abs((await lineOf('a')) - (await lineOf('[data-tone] > span')))).toBeLessThan(0.5);
  await page.context().close();
});

test('an identifier without room is cut in its middle on its one line, and stays whole to read, copy and search', async () => {
  const operator = await application.operator();
  const { id, slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
  const { page } = await openPageAs(browser, operator);
  await page.goto(`/integrations/${slug}/profile`);
  const code = page.locator('code', { hasText: id }).first();
  const roomy = await code.boundingBox();
  const shown = () => code.locator('span').first();
  expect(await shown().evaluate((start) => start.scrollWidth > start.clientWidth)).toBe(false);
  await code.evaluate(({ parentElement }) => parentElement && (parentElement.style.width = '10rem'));
  const narrow = await code.boundingBox();
  expect(narrow?.width).toBeLessThan(roomy?.width ?? 0);
  expect(narrow?.height).toBe(roomy?.height);
  expect(await shown().evaluate((start) => start.scrollWidth > start.clientWidth)).toBe(true);
  expect(await code.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element, '::after').content)).toContain(
    id.slice(-6),
  );
  expect(await code.textContent()).toBe(id);
  // What is shown of its start is whole characters, so that no gap follows the cut.
  const character = (roomy?.width ?? 0) / id.length;
  for (let width = 150; width < 165; width += 0.5) {
    await code.evaluate(({ parentElement }, px) => parentElement && (parentElement.style.width = `${px}px`), width);
    const { width: start = 0 } = (await shown().boundingBox()) ?? {};
    expect([width, start % character < 1]).toEqual([width, true]);
  }
  await page.context().close();
});

/** How many lines each part takes between two places where an address may break. */
function linesOfParts(address: Locator): Promise<number[]> {
  return address.evaluate((element) =>
    [...element.childNodes]
      .filter(({ textContent }) => textContent !== '')
      .map((part) => {
        const range = element.ownerDocument.createRange();
        range.selectNode(part);
        return range.getClientRects().length;
      }),
  );
}

test('on a phone, an address breaks after a dot, a slash or an at sign, and not within a word', async () => {
  const operator = await application.operator();
  const websiteUrl = 'https://tracker.example.com/drivers/orders-of-people-who-share-them/';
  const { slug } = await operator.createIntegration({ publicName: 'Aurora Tracker', websiteUrl });
  const { page } = await openPageAs(browser, operator, { viewport: { width: 360, height: 800 } });
  await page.goto(`/integrations/${slug}/profile`);
  const link = page.getByRole('link', { name: websiteUrl });
  await link.waitFor();
  const lines = await linesOfParts(link);
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.every((count) => count === 1)).toBe(true);
  expect(await link.evaluate((element) => element.getClientRects().length)).toBeGreaterThan(1);
  await page.context().close();
});

test.each([360, 1280])(
  'at %i pixels, codes in a table break after an underscore, and operators after a part of their address',
  async (width) => {
    const administrator = await application.operator();
    const granted = { actor: terminal, email: administrator.email, role: 'administrator' as const, now: application.clock.now() };
    await grantRole(application.orm.em.fork(), granted);
    const { page } = await openPageAs(browser, administrator, { viewport: { width, height: 800 } });
    await page.goto('/problems');
    await page.getByRole('rowheader', { name: 'link_code_not_redeemable' }).waitFor();
    const codes = await Promise.all((await page.locator('tbody th a').all()).map(linesOfParts));
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.flat().every((count) => count === 1)).toBe(true);
    await page.goto('/admin/operators');
    const name = page.locator('tbody th a').first();
    await name.waitFor();
    expect(await linesOfParts(name)).toEqual([1, 1, 1]);
    await name.click();
    const heading = page.getByRole('heading', { level: 1, name: '@' });
    expect(await linesOfParts(heading)).toEqual([1, 1, 1]);
    await page.context().close();
  },
);

test('on a phone, a label of two lines makes its row taller', async () => {
  const { page } = await openPageAs(browser, await application.operator(), { viewport: { width: 360, height: 800 } });
  await page.goto('/problems');
  const status = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: 'not_found' }) })
    .getByRole('cell')
    .first();
  await status.waitFor();
  const before = await status.boundingBox();
  await status.evaluate((cell) => cell.setAttribute('data-label', 'What came back from it'));
  const after = await status.boundingBox();
  expect(after?.height).toBeGreaterThan(1.5 * (before?.height ?? 0));
  await page.context().close();
});

test('a search in a row of filters shows its label, and has the whole width of a phone', async () => {
  const { page } = await openPageAs(browser, await application.operator(), { viewport: { width: 360, height: 800 } });
  await page.goto('/activity');
  const field = await page.getByRole('textbox', { name: 'Action' }).boundingBox();
  const label = await page.locator('label').filter({ hasText: 'Action' }).boundingBox();
  expect(label?.x).toBe(16);
  expect(field && Math.round(field.x + field.width)).toBe(360 - 16);
  await page.context().close();
});

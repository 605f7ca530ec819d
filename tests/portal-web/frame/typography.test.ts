import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import ts from 'typescript';
import { launchBrowser, openPage } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

let application: PortalWorld;
let browser: Browser;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** What style sheets and components may say of sizes and weights: the names that the theme has for them. */
const sizes = ['xs', 'sm', 'md', 'lg', 'xl'];
const weights = ['400', '550', '650'];

test('style sheets take sizes and weights of type from the theme', () => {
  const stray = globSync('portal-web/src/**/*.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*(?:font-size|font-weight|font): *([^;]+);/gm)].flatMap(([rule, value = '']) =>
      /^(?:var\(--mantine-font-(?:size-(?:xs|sm|md|lg|xl)|weight-(?:regular|medium|bold))\)|inherit|0)$/.test(value)
        ? []
        : [`${file}: ${rule.trim()}`],
    ),
  );
  expect(stray).toEqual([]);
});

test('style sheets take the colours of tones from the theme', () => {
  const colours = ['#14683a', '#3c5a7d', '#7d4a00', '#a91625', '#4b5262', '#6bd396', '#9dbbdc', '#f0b866', '#ff9096', '#b3b9c4'];
  const theme = readFileSync('portal-web/src/theme.ts', 'utf8');
  expect(colours.filter((colour) => !theme.includes(colour))).toEqual([]);
  const stray = globSync('portal-web/src/**/*.css').filter((file) =>
    colours.some((colour) => readFileSync(file, 'utf8').includes(`light-dark(${colour}`)),
  );
  expect(stray).toEqual([]);
});

/** The attributes of every element in a component's source, as in `['Button', 'size', 'xs']`. Of an expression, its own text. */
function attributesIn(file: string): (readonly [element: string, attribute: string, value: string])[] {
  const found: (readonly [string, string, string])[] = [];
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const visit = (node: ts.Node) => {
    if (ts.isJsxAttribute(node) && node.initializer) {
      const element = node.parent.parent.tagName.getText();
      found.push([element, node.name.getText(), node.initializer.getText().replace(/^["'{]+|["'}]+$/g, '')]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The values that an attribute can have: itself, or those between which an expression chooses. */
const choicesOf = (value: string) =>
  (value.includes('?') ? value.split('?').slice(1).join('?').split(':') : [value]).map((each) => each.trim().replaceAll(/['"]/g, ''));

test('components take sizes and weights of type from the theme, and buttons have two heights', () => {
  const allowed = (element: string, attribute: string): readonly string[] | null => {
    if (attribute === 'fz') return sizes;
    if (attribute === 'fw') return weights;
    if (attribute !== 'size') return null;
    if (element === 'Button') return ['xs', 'sm'];
    return ['Text', 'Anchor', 'Title'].includes(element) ? [...sizes, 'h3'] : null;
  };
  const files = globSync('portal-web/src/**/*.tsx');
  expect(files.length).toBeGreaterThan(150);
  const stray = files.flatMap((file) =>
    attributesIn(file).flatMap(([element, attribute, value]) => {
      const names = allowed(element, attribute);
      const others = names === null ? [] : choicesOf(value).filter((each) => !names.includes(each));
      return others.length > 0 || /fontSize|fontWeight/.test(value) ? [`${file}: ${element} ${attribute}=${value}`] : [];
    }),
  );
  expect(stray).toEqual([]);
});

test('what opens and closes is one component', () => {
  const openers = globSync('portal-web/src/**/*.tsx').filter((file) =>
    /<details\b|\b(?:Accordion|Collapse|Spoiler)\b/.test(readFileSync(file, 'utf8')),
  );
  expect(openers).toEqual(['portal-web/src/ui/layout/Fold.tsx']);
});

const sizeOf = (text: Locator) =>
  text.evaluate((element) => Number.parseFloat(element.ownerDocument.defaultView?.getComputedStyle(element).fontSize ?? '0'));

test.each([360, 1440])(
  'at %i pixels the first page’s headings shrink with their level, and its title stands clear of what follows',
  async (width) => {
    const { page } = await openPage(browser, { baseURL: application.portalUrl, viewport: { width, height: 900 } });
    await page.goto('/');
    const heading = (level: number) => page.getByRole('heading', { level }).first();
    await heading(3).waitFor();
    const [first, second, third] = [await sizeOf(heading(1)), await sizeOf(heading(2)), await sizeOf(heading(3))];
    expect([first > second, second > third]).toEqual([true, true]);
    // The ink of a line of text reaches about a fifth of its size below its baseline.
    const [title, lead] = [await heading(1).boundingBox(), await page.getByText('The operator integration programme').boundingBox()];
    expect(title && lead && title.y + title.height - lead.y <= 0).toBe(true);
    expect(
      Number.parseFloat(await heading(1).evaluate((h1) => h1.ownerDocument.defaultView?.getComputedStyle(h1).paddingBottom ?? '0')),
    ).toBeGreaterThan(first / 5);
    const signIn = page.getByRole('banner').getByRole('link', { name: 'Sign in' });
    expect(await signIn.evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0);
    expect((await signIn.boundingBox())?.width).toBeGreaterThan(60);
    await page.context().close();
  },
);

test('titles of the documentation are as large as those of every other page, and its headings no larger', async () => {
  const { page } = await openPage(browser, { baseURL: application.portalUrl, viewport: { width: 1440, height: 900 } });
  const sizesOn = async (path: string, shows: string) => {
    await page.goto(path);
    await page.getByText(shows).first().waitFor();
    const of = async (level: number) => Promise.all((await page.getByRole('main').getByRole('heading', { level }).all()).map(sizeOf));
    return { title: await of(1), parts: [...new Set(await of(2))] };
  };
  const { title } = await sizesOn('/sign-in', 'Sign in with a passkey');
  for (const [path, shows] of [
    ['/docs', 'API reference'],
    ['/docs/quickstart', 'svc doctor'],
    ['/docs/reference', 'Problems of every call'],
    ['/docs/reference/getSync', 'updated_since'],
    ['/problems/rate_limit_exceeded', 'What to do'],
    ['/terms/1', 'Version 1'],
  ] as const) {
    const found = await sizesOn(path, shows);
    expect([path, found.title]).toEqual([path, title]);
    expect([path, found.parts.filter((size) => size >= (title[0] ?? 0))]).toEqual([path, []]);
  }
  await page.context().close();
});

test('the terms of a new integration open in the measure of the form', async () => {
  const operator = await application.operator();
  const { page } = await openPageAs(browser, operator, { viewport: { width: 1440, height: 900 } });
  await page.goto('/integrations/new');
  await page.getByText('Read the Integration Terms, version 1').click();
  const terms = page.getByRole('region', { name: 'Integration Terms' });
  expect((await terms.boundingBox())?.width).toBeLessThan(760);
  const link = page.getByRole('link', { name: 'Open in a new tab' });
  expect(await link.evaluate((each) => each.getClientRects().length)).toBe(1);
  await page.context().close();
});

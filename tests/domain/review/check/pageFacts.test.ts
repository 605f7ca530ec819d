import { expect, jest, test } from '@jest/globals';
import { badgeHtml, linkingPage } from '../../../../portal-web/src/pages/integration/profile/kitSnippets.ts';
import { pageFacts } from '../../../../server/domain/review/check/pageFacts.ts';
import { readElements } from '../../../../server/domain/review/check/readElements.ts';

const profile = {
  websiteUrl: 'https://www.example.com/',
  privacyPolicyUrl: 'https://www.example.com/privacy?lang=en',
  termsOfServiceUrl: 'https://www.example.com/terms/',
  orderLinkingUrl: 'https://www.example.com/link',
  donationUrl: null,
  supportEmail: 'Help@example.com',
};
const attribution = {
  text: 'Data provided by the service',
  link: 'https://portal.example/app',
  badgeUrl: 'https://portal.example/assets/svc-data-credit-v1.js',
  badgeIntegrity: 'sha384-x',
};
const factsOf = (html: string) => pageFacts(html, profile.orderLinkingUrl, profile);

test('the linking page and the badge that the kit offers have everything that is looked for', async () => {
  const kit = { ...profile, publicName: 'A', purpose: 'To show', legalOperatorName: 'A AS' };
  const page = linkingPage(kit, { attribution, machineApiUrl: 'https://api.example/v1' });
  expect(await factsOf(page.replace('</footer>', `${badgeHtml(attribution, 'auto')}</footer>`))).toEqual({
    badge: 'complete',
    codeField: 'text',
    linksTo: { privacyPolicy: true, termsOfService: true, supportEmail: true },
  });
});

test('an empty page has nothing of it', async () => {
  expect(await factsOf('<!doctype html><title>Hello</title>')).toEqual({
    badge: 'absent',
    codeField: 'absent',
    linksTo: { privacyPolicy: false, termsOfService: false, supportEmail: false },
  });
});

test.each([
  ['without its placeholder', '<script defer referrerpolicy="no-referrer" src="https://p.example/assets/svc-data-credit-v1.js"></script>'],
  ['without its script', '<span data-svc-attribution></span>'],
  [
    'whose script is not deferred',
    '<i data-svc-attribution></i><script referrerpolicy=no-referrer src="/assets/svc-data-credit-v1.js"></script>',
  ],
  ['whose script tells the referrer', '<i data-svc-attribution></i><script defer src="/assets/svc-data-credit-v1.js"></script>'],
])('a badge %s is incomplete', async (_what, html) => {
  expect((await factsOf(html)).badge).toBe('incomplete');
});

test.each([
  ['text', '<input name="link_code">'],
  ['text', '<INPUT TYPE="TEL" ID=Code>'],
  ['text', "<input type=text maxlength='10'>"],
  ['text', '<input type="number" name="quantity"><input pattern="[0-9]{10}">'],
  ['number', '<input type="number" name="code">'],
  ['absent', '<input type="hidden" name="code">'],
  ['absent', '<input type="text" name="name">'],
  ['absent', '<!-- <input name="code"> -->'],
  ['absent', '<script>document.write(\'<input name="code">\')</script>'],
  ['absent', '<textarea><input name="code"></textarea>'],
] as const)('the field for the code is “%s” in %s', async (codeField, html) => {
  expect((await factsOf(html)).codeField).toBe(codeField);
});

test('links count wherever they lead to the address of the profile, however they are written', async () => {
  const html =
    '<a href="/privacy?lang=en#top">P</a><a href="//www.example.com/terms">T</a><a href="MAILTO:help@EXAMPLE.com?subject=Hi&amp;x=1">S</a>';
  expect((await factsOf(html)).linksTo).toEqual({ privacyPolicy: true, termsOfService: true, supportEmail: true });
  const others = await factsOf('<a href="/privacy">P</a><a href="https://[">?</a><a href="mailto:sales@example.com">S</a>');
  expect(others.linksTo).toEqual({
    privacyPolicy: false,
    termsOfService: false,
    supportEmail: false,
  });
});

test('of many links each is parsed once, and other work has its turn in between', async () => {
  const links = 2_000;
  const html = Array.from({ length: links }, (_, each) => `<a href="/${each}"></a>`).join('') + '<a href="/privacy?lang=en"></a>';
  const parse = jest.spyOn(URL, 'parse');
  const canParse = jest.spyOn(URL, 'canParse');
  let turns = 0;
  const count = () => ((turns += 1), (next = setImmediate(count)));
  let next = setImmediate(count);
  const { linksTo } = await factsOf(html);
  clearImmediate(next);
  expect(linksTo.privacyPolicy).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(links / 250);
  // The links, and the two addresses of the profile.
  expect([parse.mock.calls.length, canParse.mock.calls.length]).toEqual([links + 3, 0]);
  parse.mockRestore();
  canParse.mockRestore();
});

test('characters that are written as references are read as what they mean, and of two attributes of one name the first counts', () => {
  expect(readElements('<a class="x" href="/?a=1&amp;b=&#50;" href="/other">', new Set(['href']))).toEqual([
    { name: 'a', attributes: new Map([['href', '/?a=1&b=2']]) },
  ]);
});

test('of a page without end, so many elements are read and no more', () => {
  expect(readElements('<a href=x>'.repeat(6_000), new Set(['href']))).toHaveLength(5_000);
});

test('a page that is broken on purpose is read to its end', () => {
  const hostile = [
    '<',
    '<a ',
    '<a href="',
    '<a x',
    '<b>',
    '</b>',
    '<!--',
    '&',
    '&#',
    '<a b=c d>',
    '<p><a id=x',
    ']]>',
    '<script>',
    '\u0000',
  ];
  for (const part of hostile) {
    const html = part.repeat(2_000);
    expect([part, readElements(html, new Set(['href']))]).toEqual([part, []]);
  }
});

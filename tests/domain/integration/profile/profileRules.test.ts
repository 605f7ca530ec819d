import { describe, expect, test } from '@jest/globals';
import { allProfileFields, typedInto } from '../../../../server/domain/integration/profile/profileFields.ts';
import { profileContent } from '../../../../server/domain/integration/profile/profileContent.ts';
import type { ProfileInput } from '../../../../server/domain/integration/profile/ProfileInput.ts';
import { newProfileErrors, profileErrors } from '../../../../server/domain/integration/profile/profileRules.ts';
import { slugRefusal } from '../../../../server/domain/integration/slugRefusal.ts';
import { publicUrlRefusal } from '../../../../server/domain/integration/profile/publicUrl.ts';
import { scopeWarnings } from '../../../../server/domain/integration/profile/scopeRules.ts';

const good: ProfileInput = {
  publicName: 'Order Board',
  publicDescription: 'Shows when your order is built and shipped.',
  purpose: 'Shows the owner of an order its own progress.',
  legalOperatorName: 'Order Board Ltd',
  country: 'DE',
  supportEmail: 'help@example.com',
  websiteUrl: 'https://example.com',
  privacyPolicyUrl: 'https://example.com/privacy',
  termsOfServiceUrl: 'https://example.com/terms',
  orderLinkingUrl: 'https://example.com/link',
  donationUrl: null,
  requestedScopes: ['orders.read'],
  pollingCadenceMinutes: 15,
  webhookModel: 'none',
};

const badUrls = [
  'example.com',
  'http://example.com',
  'https://example.com:8443/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://localhost/',
  'https://intranet/',
  'https://printer.local/',
  'https://router.lan/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://10.0.0.7/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest',
  'https://100.64.0.1/',
  'https://[::1]/',
  'https://[fd00::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[2001:db8::1]/',
  'ftp://example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//example.com/',
  'https://example.com/\u0000',
  'https://exam\nple.com/',
  'https://example.com/a b',
  'https:\\\\example.com\\',
  'https://example.com/\u202egnp.exe',
  `https://example.com/${'a'.repeat(2_048)}`,
  // A browser takes the first for a path relative to the page; programs disagree about the others.
  'https:example.com',
  'https:///example.com/',
  'https://@example.com/',
  'https://:@example.com/',
  'https://ex%61mple.com/',
  'https://0x8.8.8.8/',
  'https://134744072/',
  'https://example.com:0443/',
  'https://a..example.com/',
  'https://localhost../',
  'https://a"b.example.com/',
  'https://①②⑦.0.0.1/',
  'https://localhost。/',
  'https://wiki.corp/',
];

/** Bad values of each field, and a word of the message that explains the rule. */
const bad: Record<keyof ProfileInput, readonly (readonly [unknown, RegExp])[]> = {
  publicName: [
    ['', /required/],
    ['   ', /required/],
    ['x'.repeat(61), /at most 60/],
    ['Order\u0000Board', /control/],
    ['Order\u202eBoard', /control/],
    ['\u2067Order Board', /control/],
    ['Order\ud83dBoard', /control/],
    ['\u200d\u00ad', /required/],
    ['Order\r\nBcc: all@example.com', /single line/],
    ['Order\tBoard', /single line/],
    ['Order\u2028Board', /single line/],
  ],
  publicDescription: [
    ['', /required/],
    ['x'.repeat(501), /at most 500/],
    ['a\u0007b', /control/],
  ],
  purpose: [
    ['', /required/],
    ['\n\t ', /required/],
    ['x'.repeat(1_001), /at most 1000/],
  ],
  legalOperatorName: [
    ['', /required/],
    ['x'.repeat(121), /at most 120/],
    ['Order\nBoard', /single line/],
  ],
  country: ['', 'de', 'DEU', 'D', 'XX', 'ZZ', 'EU', 'UN', 'AA', '12', ' DE', 'D E', 'AN', 'SU', 'UK', 'YU', 'FX', 'XK'].map(
    (value) => [value, /two-letter ISO 3166-1 code/] as const,
  ),
  supportEmail: [
    '',
    'help',
    'example.com',
    'help@',
    'help@localhost',
    'a b@example.com',
    'a@example.com, b@example.com',
    'Help <help@example.com>',
  ].map((value) => [value, /email address/] as const),
  websiteUrl: [['', /required/], ...badUrls.map((value) => [value, /address/] as const)],
  privacyPolicyUrl: [['', /required/], ...badUrls.map((value) => [value, /address/] as const)],
  termsOfServiceUrl: [['', /required/], ...badUrls.map((value) => [value, /address/] as const)],
  orderLinkingUrl: [['', /required/], ...badUrls.map((value) => [value, /address/] as const)],
  donationUrl: badUrls.map((value) => [value, /address/] as const),
  requestedScopes: [
    [[], /at least one scope/],
    [['orders.write'], /no scope "orders.write"/],
    [['orders.read', 'orders.read'], /once/],
    [['constructor'], /no scope/],
    [['x'.repeat(41)], /no scope "x{40}"\.$/],
    [['ORDERS.READ'], /no scope/],
    [[''], /no scope/],
  ],
  pollingCadenceMinutes: [0, 14, 1_441, -15, 15.5, Number.NaN, Number.POSITIVE_INFINITY].map((value) => [value, /15 to 1,440/] as const),
  webhookModel: [
    ['', /one of/],
    ['push', /one of/],
  ],
};

test('a good profile breaks no rule', () => {
  expect(profileErrors(good)).toEqual([]);
  expect(profileErrors({ ...good, donationUrl: 'https://example.com/donate' })).toEqual([]);
  expect(profileErrors({ ...good, donationUrl: '  ' })).toEqual([]);
});

describe.each(Object.entries(bad))('%s', (field, values) => {
  test.each(values)('refuses %j at its own field, in words', (value, words) => {
    const errors = newProfileErrors({ ...good, [field]: value });
    expect(errors).toEqual([{ path: `input.${field}`, message: expect.stringMatching(words) }]);
  });
});

test('good values at the edge of each rule are taken', () => {
  const edges: Partial<ProfileInput>[] = [
    { publicName: 'x'.repeat(60) },
    { publicName: '🚗'.repeat(60) },
    { publicName: 'Zoë’s Ördertafel 注文' },
    { publicName: 'می‌خواهم' },
    { publicName: 'क्‍ष 👩‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿' },
    { publicDescription: 'Auftrags\u00adverfolgungs\u00adtafel' },
    { supportEmail: 'r&d@example.com' },
    { supportEmail: 'help@bücher.example' },
    { publicDescription: 'One line\nand another.' },
    { purpose: 'x'.repeat(1_000) },
    { country: 'GB' },
    { country: 'NO' },
    { websiteUrl: 'https://example.com:443/' },
    { websiteUrl: 'https://bücher.example.com/' },
    { websiteUrl: 'HTTPS://EXAMPLE.com/' },
    { websiteUrl: 'https://example.com.' },
    { websiteUrl: 'https://example.com/@handle?next=https://other.example.com:8443/#top' },
    { websiteUrl: 'https://8.8.8.8/' },
    { websiteUrl: 'https://[2606:4700::1111]/' },
    { websiteUrl: ' https://example.com/ ' },
    { requestedScopes: ['revocations.ack', 'orders.read', 'statistics.orders.read'] },
    { pollingCadenceMinutes: 1_440 },
    { webhookModel: 'full_payload' },
  ];
  for (const edge of edges) expect([edge, newProfileErrors({ ...good, ...edge })]).toEqual([edge, []]);
});

test('an address is kept as it was typed; one in other letters is kept in those that tell it from what it looks like', () => {
  const addresses = allProfileFields.filter((field) => typedInto(field)?.as === 'url');
  expect(addresses.length).toBeGreaterThan(4);
  const all = (value: string | null) => Object.fromEntries(addresses.map((field) => [field, value]));
  const kept = (address: string) => profileContent({ ...good, ...all(address) });
  for (const address of ['https://example.com', 'https://EXAMPLE.com/a?b=%C3%BC&c=[1]#d']) {
    expect(kept(` ${address} `)).toMatchObject(all(address));
  }
  expect(kept('https://bücher.example.com/ä')).toMatchObject(all('https://xn--bcher-kva.example.com/%C3%A4'));
  // The first letter is Cyrillic.
  expect(kept('https://аpple.com/')).toMatchObject(all('https://xn--pple-43d.com/'));
  expect(kept('https://example.com/"><script>')).toMatchObject(all('https://example.com/%22%3E%3Cscript%3E'));
});

test('an email address is kept in the letters in which mail is sent to it', () => {
  const emails = allProfileFields.filter((field) => typedInto(field)?.as === 'email');
  expect(emails).toContain('supportEmail');
  const all = (value: string) => Object.fromEntries(emails.map((field) => [field, value]));
  expect(profileContent({ ...good, ...all(' Help@Bücher.example ') })).toMatchObject(all('Help@xn--bcher-kva.example'));
});

const typed = allProfileFields.filter((field): field is keyof ProfileInput => typedInto(field) !== null);

test('what is typed is kept without the spaces around it, and what may be left out as null', () => {
  const optional = typed.filter((field) => profileErrors({ ...good, [field]: '' }).length === 0);
  expect(optional).toContain('donationUrl');
  for (const field of optional)
    for (const blank of ['', '  ', null]) expect(profileContent({ ...good, [field]: blank })).toMatchObject({ [field]: null });
  for (const field of typed) {
    const { [field]: value } = { ...good, donationUrl: 'https://example.com' };
    if (typeof value !== 'string') throw new Error(`${field} is not typed`);
    const kept = (text: string) => profileContent({ ...good, [field]: text })[field];
    expect([field, kept(`  ${value}  `)]).toEqual([field, value]);
  }
});

test('a field takes what its kind says, of the length that it says: no control characters, no letters that turn the line, one line of a line', () => {
  for (const field of typed) {
    const { as, longest = 0 } = typedInto(field) ?? {};
    const refuses = (text: string) => profileErrors({ ...good, [field]: text }).map(({ path }) => path);
    const wrong = ['a\u0007b', 'a\u202eb', ...(as === 'paragraphs' ? [] : ['a\nb']), 'x'.repeat(longest + 1)];
    for (const text of wrong) expect([field, text, refuses(text)]).toEqual([field, text, [`input.${field}`]]);
  }
});

test('all broken rules are reported at once, each at its field', () => {
  const everythingBad = Object.fromEntries(Object.entries(bad).map(([field, values]) => [field, values[0]?.[0]]));
  const paths = profileErrors(everythingBad as unknown as ProfileInput).map(({ path }) => path);
  expect(paths).toEqual(Object.keys(good).map((field) => `input.${field}`));
});

test('the address of a host that only a private network knows is refused, whatever stands before its ending', () => {
  const endings = 'localhost local localdomain internal intranet lan home corp home.arpa test invalid alt onion'.split(' ');
  for (const host of endings.flatMap((ending) => [ending, `wiki.${ending}`, `a.b.${ending.toUpperCase()}`])) {
    expect([host, publicUrlRefusal(`https://${host}/`)]).toEqual([host, expect.stringContaining('inside a private network')]);
  }
  for (const host of ['notlocalhost.example', 'local.example', 'my-corp.com']) expect(publicUrlRefusal(`https://${host}/`)).toBeNull();
});

test('an address has at most 2,048 characters and names nobody', () => {
  const longest = `https://example.com/${'x'.repeat(2_028)}`;
  expect([publicUrlRefusal(longest), publicUrlRefusal(`${longest}x`)]).toEqual([null, expect.stringContaining('more than 2,048')]);
  for (const written of ['https://anna@example.com/', 'https://anna:secret@example.com/', 'https://@example.com/']) {
    expect(publicUrlRefusal(written)).toContain('user name or password');
  }
});

describe('scopes that are newly asked for', () => {
  const errorsOf = (requestedScopes: string[]) => newProfileErrors({ ...good, purpose: '', requestedScopes });
  const purpose = { path: 'input.purpose', message: expect.any(String) };

  test.each([
    [['orders.history.read'], ['orders.history.read', 'orders.read']],
    [
      ['orders.read', 'vehicles.history.read'],
      ['vehicles.history.read', 'vehicles.read'],
    ],
    [
      ['vehicles.read', 'shipping.read'],
      ['shipping.read', 'orders.read'],
    ],
  ])('%j is refused beside what else is wrong: one can never show anything', (scopes, [dead, needed]) => {
    const message = expect.stringContaining(`${dead} shows nothing without ${needed}.`);
    expect(errorsOf(scopes)).toEqual([purpose, { path: 'input.requestedScopes', message }]);
    expect(scopeWarnings([...scopes, 'revocations.ack'])).toEqual([message]);
    expect(profileErrors({ ...good, requestedScopes: scopes })).toEqual([]);
  });

  test('revocations.ack alone is refused, since with it nothing can be read and nothing is there to acknowledge', () => {
    const message = expect.stringContaining('revocations.ack reads nothing on its own.');
    expect(errorsOf(['revocations.ack'])).toEqual([purpose, { path: 'input.requestedScopes', message }]);
    expect(scopeWarnings(['revocations.ack'])).toEqual([message]);
    expect(profileErrors({ ...good, requestedScopes: ['revocations.ack'] })).toEqual([]);
  });

  test.each([
    [['orders.read', 'orders.history.read', 'shipping.read']],
    [['vehicles.read', 'vehicles.history.read']],
    [['statistics.orders.read']],
    [['statistics.orders.read', 'revocations.ack']],
  ])('%j is taken', (scopes) => {
    expect(errorsOf(scopes)).toEqual([purpose]);
  });

  test('a list that is wrong as such is told once', () => {
    expect(errorsOf([])).toEqual([purpose, { path: 'input.requestedScopes', message: expect.stringContaining('at least one') }]);
  });

  test('reading orders or vehicles without acknowledging deletions, and statistics without orders, are warned about, and nothing else is', () => {
    const unacknowledged = expect.stringContaining('Without revocations.ack');
    const uncounted = expect.stringContaining(
      'statistics count only orders that users share with the integration, which needs orders.read',
    );
    expect(scopeWarnings(['orders.read', 'statistics.orders.read'])).toEqual([unacknowledged]);
    expect(scopeWarnings(['vehicles.read', 'statistics.orders.read'])).toEqual([unacknowledged, uncounted]);
    expect(scopeWarnings(['statistics.orders.read'])).toEqual([uncounted]);
    expect(scopeWarnings(['orders.read', 'revocations.ack', 'statistics.orders.read'])).toEqual([]);
  });
});

describe('the slug', () => {
  test.each(['abc', 'order-board', 'a1-b2-c3', 'x'.repeat(40)])('%s is taken', (slug) => {
    expect(slugRefusal(slug)).toBeNull();
  });

  test.each([
    ['', /3 to 40/],
    ['ab', /3 to 40/],
    ['x'.repeat(41), /3 to 40/],
    ['Order', /a to z/],
    ['1order', /start with a letter/],
    ['-order', /a to z/],
    ['order-', /hyphens/],
    ['order--board', /single hyphens/],
    ['order_board', /a to z/],
    ['order board', /a to z/],
    ['ordér', /a to z/],
    ['../admin', /a to z/],
    ['order\n', /a to z/],
    ...['new', 'admin', 'api', 'account', 'review', 'docs', 'activity', 'svc'].map((slug) => [slug, /reserved/] as const),
  ])('%j is refused in words', (slug, words) => {
    expect(slugRefusal(slug)).toMatch(words);
  });
});

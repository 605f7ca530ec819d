import { execFile } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { phaseFacts } from '../../server/domain/integration/integrationFacts.ts';
import { integrationStatuses, phaseOf } from '../../server/domain/integration/integrationStatus.ts';
import { parseInline, parseMarkdown } from '../../portal-web/src/features/markdown/parseMarkdown.ts';
import { type DraftValues, emptyDraft } from '../../portal-web/src/features/new-integration/draft.ts';
import { draftErrors } from '../../portal-web/src/features/new-integration/draftRules.ts';
import { beginDraft, followingChanges, isProposed, scopePresets } from '../../portal-web/src/features/new-integration/proposals.ts';
import { countsWords } from '../../portal-web/src/features/webhooks/attemptOutcomes.ts';
import {
  certificateAnswer,
  certificateWarning,
  daysInUse,
  expiringSoon,
  isEnding,
} from '../../portal-web/src/pages/integration/certificates/certificateDays.ts';
import {
  csrComplaint,
  keyCommand,
  type KeyKind,
  keyKinds,
} from '../../portal-web/src/pages/integration/certificates/new/ownRequestWords.ts';
import { integer, makeKeyAndRequest } from '../../portal-web/src/pages/integration/certificates/new/makeKeyAndRequest.ts';
import { productionDataWords } from '../../portal-web/src/pages/integration/production/productionSteps.ts';
import { ownersTabs, pages, safeReturnPath, tabs } from '../../portal-web/src/paths.ts';
import { percentWords } from '../../portal-web/src/pages/integration/requests/usageWords.ts';
import { elapsedWords } from '../../portal-web/src/ui/time/timeWords.ts';
import { checkCsr } from '../../server/domain/certificate/csr/csrRules.ts';
import { profileErrors } from '../../server/domain/integration/profile/profileRules.ts';
import { scopesRefusal, scopeWarnings } from '../../server/domain/integration/profile/scopeRules.ts';
import { slugRefusal } from '../../server/domain/integration/slugRefusal.ts';

const origin = 'https://portal.example';

test.each([
  ['/integrations/a?b=c', '/integrations/a?b=c'],
  [null, '/integrations'],
  ['https://evil.example/', '/integrations'],
  ['//evil.example/', '/integrations'],
  ['/\\evil.example/', '/integrations'],
  ['/\t/evil.example', '/integrations'],
  ['/.//evil.example', '/integrations'],
  ['/.\\/evil.example', '/integrations'],
  ['/\\.\\/evil.example', '/integrations'],
  ['/a/..//evil.example', '/integrations'],
  ['/%2e//evil.example', '/integrations'],
  ['/a/%2E%2e//evil.example', '/integrations'],
  ['/\t.\n//evil.example', '/integrations'],
  ['/%2F/evil.example', '/%2F/evil.example'],
  ['/.%2F/evil.example', '/.%2F/evil.example'],
  ['/integrations//a', '/integrations//a'],
  ['javascript:alert(1)', '/integrations'],
])('after signing in, a return path of %p leads to %p', (given, expected) => {
  expect(safeReturnPath(given, origin)).toBe(expected);
});

test.each([
  ['Ørder Watch 2!', 'order-watch-2'],
  ['  42 Straße ', 'strasse'],
  ['Nordlys — Tracker', 'nordlys-tracker'],
  ['A name with far more letters than any slug may have', 'a-name-with-far-more-letters-than-any-slu'],
])('the slug suggested for %p is %p, and the service would take it', (name, slug) => {
  const begun = beginDraft(owner);
  const { slug: proposed = '' } = followingChanges(begun, { ...begun, publicName: name }, owner);
  expect(proposed).toBe(slug.slice(0, 40));
  expect(slugRefusal(proposed)).toBeNull();
});

test.each(Object.entries({ pages, tabs, ownersTabs }))(
  'opening one of the %s gives a page of the router',
  async (table: string, names: object) => {
    const routes = await readFile(join(import.meta.dirname, '../../portal-web/src/routes.tsx'), 'utf8');
    const opened = Object.keys(names).filter((name) => new RegExp(`\\b${table}\\.${name}\\b`).test(routes));
    expect(opened).toEqual(Object.keys(names));
  },
);

const goodDraft: DraftValues = {
  ...emptyDraft,
  nonCommercial: true,
  attribution: true,
  publicName: 'Nordlys',
  slug: 'nordlys',
  publicDescription: 'Shows orders.',
  purpose: 'To show orders.',
  legalOperatorName: 'Nordlys AS',
  country: 'NO',
  supportEmail: 'help@nordlys-tracker.com',
  websiteUrl: 'https://nordlys-tracker.com/',
  privacyPolicyUrl: 'https://nordlys-tracker.com/privacy',
  termsOfServiceUrl: 'https://nordlys-tracker.com/terms',
  orderLinkingUrl: 'https://nordlys-tracker.com/link',
  requestedScopes: ['orders.read'],
};

test('a form that is filled in well passes, in the browser and at the service', () => {
  expect(draftErrors(goodDraft)).toEqual({});
  expect(profileErrors({ ...goodDraft, pollingCadenceMinutes: 15 })).toEqual([]);
});

test.each<Partial<DraftValues>>([
  { publicName: ' ' },
  { publicName: 'x'.repeat(61) },
  { publicDescription: 'x'.repeat(501) },
  { purpose: 'x'.repeat(1001) },
  { country: '' },
  { supportEmail: 'nobody' },
  { websiteUrl: 'http://nordlys-tracker.com/' },
  { privacyPolicyUrl: 'https://nordlys-tracker.com:8443/' },
  { termsOfServiceUrl: 'https://user@nordlys-tracker.com/' },
  { orderLinkingUrl: 'https://localhost/' },
  { donationUrl: 'nordlys' },
  { requestedScopes: [] },
  { pollingCadenceMinutes: 14 },
])('%j is marked at its own field before it is sent, and the service refuses it too', (change) => {
  const draft = { ...goodDraft, ...change };
  expect(Object.keys(draftErrors(draft))).toEqual(Object.keys(change));
  const refusals = profileErrors({ ...draft, pollingCadenceMinutes: Number(draft.pollingCadenceMinutes) });
  expect(refusals.map(({ path }) => path)).toEqual(Object.keys(change).map((field) => `input.${field}`));
});

test.each(['ab', 'Nordlys', '2nordlys', 'nordlys-', 'nord--lys', 'nord_lys', 'x'.repeat(41)])(
  'the slug %p is refused on both sides',
  (slug) => {
    expect(draftErrors({ ...goodDraft, slug })).toHaveProperty('slug');
    expect(slugRefusal(slug)).not.toBeNull();
  },
);

const owner = { email: 'mail@nordlys.example', language: 'nb' };

test('a new form holds what can be told of the operator, and the smallest usual set of scopes', () => {
  const begun = beginDraft(owner);
  expect(begun).toEqual({
    ...emptyDraft,
    supportEmail: owner.email,
    country: 'NO',
    websiteUrl: 'https://nordlys.example/',
    privacyPolicyUrl: 'https://nordlys.example/privacy',
    termsOfServiceUrl: 'https://nordlys.example/terms',
    orderLinkingUrl: 'https://nordlys.example/link',
    requestedScopes: ['orders.read', 'revocations.ack'],
  });
  expect(Object.keys(begun).filter((field) => isProposed(field, begun, owner))).toEqual([
    'country',
    'supportEmail',
    'websiteUrl',
    'privacyPolicyUrl',
    'termsOfServiceUrl',
    'orderLinkingUrl',
    'pollingCadenceMinutes',
    'webhookModel',
  ]);
  // Who has an address with a provider of mail has another website.
  for (const email of ['mila@gmail.com', 'mila@proton.me', 'mila@yahoo.co.uk', 'mila@localhost'])
    expect([email, beginDraft({ ...owner, email }).websiteUrl]).toEqual([email, '']);
  expect(['de-CH', 'en-US', 'xx-YY', ''].map((language) => beginDraft({ ...owner, language }).country)).toEqual(['CH', 'US', '', '']);
});

test.each(scopePresets)('the service takes the scopes of “$label”, and has nothing to say of them', ({ scopes }) => {
  expect([scopesRefusal(scopes), scopeWarnings(scopes)]).toEqual([null, []]);
});

test('what is proposed follows what it is made of, until the reader changes it', () => {
  const begun = beginDraft(owner);
  const partly = { ...begun, websiteUrl: 'https://nordlys' };
  const nothing = { privacyPolicyUrl: '', termsOfServiceUrl: '', orderLinkingUrl: '' };
  expect(followingChanges(begun, partly, owner)).toEqual(nothing);
  const described = { ...begun, purpose: 'To show orders.' };
  expect(followingChanges(begun, described, owner)).toEqual({ publicDescription: 'To show orders.' });
  expect(followingChanges(described, { ...described, purpose: 'x'.repeat(501) }, owner)).toEqual({});
  const website = { ...partly, ...nothing, websiteUrl: 'https://nordlys-tracker.com/app?from=mail' };
  const below = followingChanges({ ...partly, ...nothing }, website, owner);
  expect(below).toEqual({
    privacyPolicyUrl: 'https://nordlys-tracker.com/app/privacy',
    termsOfServiceUrl: 'https://nordlys-tracker.com/app/terms',
    orderLinkingUrl: 'https://nordlys-tracker.com/app/link',
  });
  const changed = { ...website, ...below, privacyPolicyUrl: 'https://nordlys-tracker.com/legal' };
  expect(followingChanges({ ...website, ...below }, changed, owner)).toEqual({});
  expect(followingChanges(changed, { ...changed, websiteUrl: 'https://nordlys-tracker.com' }, owner)).toEqual({
    termsOfServiceUrl: 'https://nordlys-tracker.com/terms',
    orderLinkingUrl: 'https://nordlys-tracker.com/link',
  });
  expect(isProposed('privacyPolicyUrl', changed, owner)).toBe(false);
});

test('markup and foreign schemes in the terms stay text', () => {
  expect(parseInline('[x](javascript:alert(1)) <b>**bold**</b>')).toEqual([
    { kind: 'text', text: '[x](javascript:alert(1)) <b>' },
    { kind: 'element', tag: 'strong', children: [{ kind: 'text', text: 'bold' }] },
    { kind: 'text', text: '</b>' },
  ]);
  for (const text of ['[x](//evil.example/)', String.raw`[x](/\evil.example/)`, String.raw`[x](\\evil.example/)`]) {
    expect(parseInline(text).map(({ kind }) => kind)).toEqual(['text']);
  }
});

test('terms are read as headings, paragraphs and lists', () => {
  const kinds = parseMarkdown('# Terms\n\nFirst line\nsecond line\n\n- one\n- two\n  more\n\n1. first\n2. second').map(
    (node) => node.kind === 'element' && node.tag,
  );
  expect(kinds).toEqual(['h1', 'p', 'ul', 'ol']);
});

test.each([
  [{ delivered: 0, retried: 0, dead: 0 }, 'No attempts in the last 24 hours'],
  [{ delivered: 1, retried: 0, dead: 0 }, '1 attempt in the last 24 hours, delivered'],
  [{ delivered: 8, retried: 0, dead: 0 }, '8 attempts in the last 24 hours, all delivered'],
  [{ delivered: 0, retried: 28, dead: 10 }, '38 attempts in the last 24 hours: 28 failed and tried again, 10 failed for good'],
])('what came of the attempts %p is told in one sentence', (counts, words) => {
  expect(countsWords(counts, 'in the last 24 hours')).toBe(words);
});

test('a share is told in whole percent, and a small one is not told as none', () => {
  expect([0, 0.004, 0.01, 0.426, 1].map(percentWords)).toEqual(['0%', '<1%', '1%', '43%', '100%']);
});

describe('what the page of certificates says first', () => {
  const now = new Date('2026-11-21T08:00:00Z');
  const inDays = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000).toISOString();
  type Status = Parameters<typeof certificateWarning>[0][number]['status'];
  const used = (keyName: string, issued: number, ends: number, lastUsedAt: string | null, status: Status = 'issued') => ({
    keyName,
    status,
    issuedAt: inDays(issued),
    notAfter: inDays(ends),
    usableUntil: inDays(ends),
    lastUsedAt,
  });
  const older = (ends: number) => used('older', -70, ends, inDays(-1));
  const newer = (lastUsedAt: string | null, status: Status = 'issued') => used('newer', -1, 89, lastUsedAt, status);
  const titleOf = (...inUse: ReturnType<typeof used>[]) => certificateWarning(inUse, now, 'yes')?.title ?? null;

  test('a certificate counts as ending within 14 days, and one that is revoked does not', () => {
    expect([15, 14, 1].map((days) => isEnding(older(days), now))).toEqual([false, true, true]);
    expect(isEnding({ ...older(1), status: 'revoked' }, now)).toBe(false);
    // As on the overview: within two days in the colour of what fails.
    expect([15, 14, 3, 2].map((days) => expiringSoon(older(days), now)?.tone)).toEqual([undefined, 'waiting', 'waiting', 'bad']);
  });

  test('is which certificate is used, for how long, and whether its successor is ready', () => {
    expect(certificateAnswer([], now)).toBe('No certificate yet');
    expect(certificateAnswer([newer(null, 'pending')], now)).toBe('Certificate newer is being signed');
    expect(certificateAnswer([newer(null)], now)).toBe('Certificate newer is ready, not used yet, 89 days left');
    expect(certificateAnswer([older(12)], now)).toBe('Certificate older is in use, 12 days left');
    expect(certificateAnswer([older(0.6)], now)).toBe('Certificate older is in use, 14 hours left');
    expect(certificateAnswer([newer(null), older(12)], now)).toBe(
      'Certificate older is in use, 12 days left; its successor newer is ready',
    );
    expect(certificateAnswer([newer(inDays(0)), older(12)], now)).toBe('Certificate newer is in use, 89 days left');
    expect(certificateAnswer([{ ...older(-1), status: 'expired' }], now)).toBe('Certificate older has expired');
  });

  test('is not that one is in use where every call is refused', () => {
    expect(certificateAnswer([older(70)], now, true)).toBe('Certificate older is valid, 70 days left, but every call is refused');
    expect(certificateAnswer([newer(null)], now, true)).toBe('Certificate newer is valid, 89 days left, but every call is refused');
  });

  test('is a warning only where it matters: expired, ending without a successor, or a successor that was never used', () => {
    expect(titleOf(older(15))).toBeNull();
    expect(titleOf(older(14))).toBe('Before it ends: get a new certificate, with a new key');
    expect([15, 14, 1].map((ends) => titleOf(newer(null), older(ends)))).toEqual([
      null,
      'Install certificate newer in your back end',
      'Install certificate newer in your back end',
    ]);
    expect(titleOf(used('newer', -0.99, 89, null), older(1))).toBeNull();
    expect(titleOf(newer(inDays(0)), older(1))).toBeNull();
    expect(titleOf(newer(null, 'pending'), older(1))).toBe('Before it ends: get a new certificate, with a new key');
    expect(titleOf({ ...older(-1), status: 'expired' })).toBe('Get a new certificate, with a new key');
    expect(titleOf(newer(null), { ...older(-1), status: 'expired' })).toBeNull();
  });

  test.each(Object.entries(phaseFacts))('is no warning to create another where none can be requested: %s', (_, { certificates }) => {
    const lasts = [older(1), { ...older(-1), status: 'expired' as const }];
    expect(lasts.map((last) => certificateWarning([last], now, certificates) !== null)).toEqual(lasts.map(() => certificates === 'yes'));
  });
});

test('the bar of days shows each certificate where it works, the days on which both do, and today', () => {
  const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString();
  const older = { id: 'crt_1', issuedAt: day(0), notAfter: day(90), usableUntil: day(74) };
  const newer = { id: 'crt_2', issuedAt: day(60), notAfter: day(100), usableUntil: day(100) };
  const both = daysInUse([older, newer], new Date(day(70)));
  expect([...both.stretches]).toEqual([
    ['crt_1', { from: 0, to: 74 }],
    ['crt_2', { from: 60, to: 100 }],
  ]);
  expect(both).toMatchObject({ overlap: { from: 60, to: 74 }, today: 70, ends: { first: new Date(day(0)), last: new Date(day(100)) } });
  expect(daysInUse([{ ...newer, notAfter: null, usableUntil: null }], new Date(day(0))).ends).toBeNull();
  expect(daysInUse([newer], new Date(day(0)))).toMatchObject({ overlap: null, today: 0 });
});

const commonName = 'svc:sandbox:cli_00000000000000000000000000';

test.each(Object.keys(keyKinds) as KeyKind[])(
  'the command shown for %s makes a request that the service accepts, when pasted into a shell, and never writes over a key',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-openssl-'));
    try {
      const command = keyCommand({ kind, commonName, keyName: 'sandbox-2026-11' });
      const paste = () => promisify(execFile)('sh', ['-c', command], { cwd: folder });
      const file = (name: string) => readFile(join(folder, name), 'utf8');
      await paste();
      const [key, csr] = [await file('sandbox-2026-11.key'), await file('sandbox-2026-11.csr')];
      expect(csrComplaint(csr)).toBeNull();
      expect(await checkCsr(csr, commonName)).toMatchObject({ accepted: true });
      expect(csrComplaint(key)).toContain('private key');
      expect((await paste()).stdout).toContain('sandbox-2026-11.key already exists');
      expect([await file('sandbox-2026-11.key'), await file('sandbox-2026-11.csr')]).toEqual([key, csr]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test('the request that the page makes in the browser is accepted, and the saved key is its key', async () => {
  // A number of either half of the signature is a byte shorter or longer every other time.
  for (let turn = 0; turn < 30; turn += 1) {
    const { csrPem, keyPem } = await makeKeyAndRequest(commonName);
    const verdict = await checkCsr(csrPem, commonName);
    if (!verdict.accepted) throw new Error(verdict.message);
    expect(verdict.keyType).toBe('EC P-256');
    const saved = createPublicKey(createPrivateKey(keyPem)).export({ format: 'der', type: 'spki' });
    expect(saved.equals(verdict.publicKeyDer)).toBe(true);
    expect(csrPem).not.toContain('PRIVATE KEY');
  }
});

test.each([
  ['0000', '020100'],
  ['007f', '02017f'],
  ['0080', '02020080'],
  [`00${'ff'.repeat(199)}`, `0281c800${'ff'.repeat(199)}`],
])('the number %s is written as short as possible, and never as a negative one', (bytes, encoded) => {
  expect(Buffer.from(integer(Buffer.from(bytes, 'hex'))).toString('hex')).toBe(encoded);
});

test('for Windows the same command asks for the key in PowerShell’s way', () => {
  const command = keyCommand({ kind: 'EC P-256', commonName, keyName: 'production-2026-11' }, 'PowerShell');
  expect(command).toMatch(
    /^if \(Test-Path production-2026-11\.key\) \{ Write-Output "[^"]+" \} else \{ openssl req .*-out production-2026-11\.csr \}$/,
  );
});

test.each(['README.md', 'docs/guides/certificates.md'])('%s shows the command that the page shows', async (file) => {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  // The reader's shell fills the name in; the lines are broken for the eye.
  const command = keyCommand({ kind: 'EC P-256', commonName: 'svc:sandbox:cli_…', keyName: '$name' });
  expect(text.replaceAll(/ \\\n +/g, ' ')).toContain(command);
  expect(text).not.toMatch(/client\.(key|csr|pem)/);
});

test('a request with a byte order mark, or behind other text, is told apart from what is none', async () => {
  const csr = '-----BEGIN CERTIFICATE REQUEST-----\nMII=\n-----END CERTIFICATE REQUEST-----\n';
  expect(csrComplaint(`\uFEFF${csr.replaceAll('\n', '\r\n')}`)).toBeNull();
  expect(csrComplaint(csr.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'))).toBeNull();
  expect(csrComplaint(`Certificate Request:\n${csr}`)).toBeNull();
  expect(csrComplaint('hello')).toContain('starts with');
  expect(csrComplaint('0\u0082\u0001')).toContain('openssl req -inform DER');
});

const readings = [
  ['sandbox', true, true, 'Not enabled', 'integration_not_active'],
  ['submitted', true, true, 'Not enabled', 'integration_not_active'],
  ['rejected', true, true, 'Not enabled', 'integration_not_active'],
  ['suspended', true, true, 'Stopped', 'integration_suspended'],
  ['retired', true, true, 'Stopped', 'refused'],
  ['approved', true, true, 'Not enabled', 'integration_not_active'],
  ['active', true, true, 'Enabled', 'Capabilities report production_data_enabled: true.'],
  ['active', true, false, 'Not enabled', 'The gate of the whole service is closed.'],
  ['active', false, true, 'Not enabled', 'The gate of this integration is closed.'],
  ['active', false, false, 'Not enabled', 'Both gates are closed.'],
] as const;

test('production data is read of in every status', () => {
  const read = new Set<string>(readings.map(([status]) => status));
  expect(integrationStatuses.filter((status) => !read.has(status))).toEqual([]);
});

test.each(readings)(
  'the owner of an integration that is %s, with its gate open: %p and the service’s open: %p, reads that production data is %s',
  (status, own, service, word, text) => {
    const phases = { sandbox: phaseOf(status, 'sandbox'), production: phaseOf(status, 'production') };
    const shown = productionDataWords({ phases, productionGate: { open: own }, serviceGate: { open: service } });
    expect(shown).toMatchObject({ word, text: expect.stringContaining(text) as unknown });
  },
);

test.each([
  [20_000, 'for less than a minute'],
  [60_000, 'for 1 minute'],
  [5 * 60_000, 'for 5 minutes'],
  [26 * 60 * 60_000, 'for 1 day'],
])('what has lasted %p milliseconds has done so %p', (milliseconds, words) => {
  expect(elapsedWords(new Date(0), new Date(milliseconds))).toBe(words);
});

import { brotliCompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { searchIndexOf } from '../../../portal-web/documentation/searchIndex.ts';
import { readDocumentation } from '../../../portal-web/documentation/readDocumentation.ts';
import { nearTo, readSearchIndex, searchDocumentation } from '../../../portal-web/src/features/docs-search/searchDocumentation.ts';
import { readAsked } from '../../../portal-web/src/features/docs-search/readAsked.ts';
import { comparedTerm, searchTerms } from '../../../portal-web/src/features/docs-search/searchOptions.ts';
import { synonyms } from '../../../portal-web/src/features/docs-search/synonyms.ts';
import { errorCatalogue } from '../../../server/domain/shared/errorCatalogue.ts';
import { integratorQueries } from './integratorQueries.ts';
import { newcomerQueries } from './newcomerQueries.ts';

const documentation = await readDocumentation('.');
const written = JSON.stringify(searchIndexOf(documentation));
const index = readSearchIndex(JSON.parse(written) as object);
const pathsFor = (query: string) => searchDocumentation(index, query).map(({ path }) => path);

const codes = Object.entries(errorCatalogue).flatMap(([code, row]) => ('portalOnly' in row ? [] : [code]));

/** What people look for, with the places that answer it: any of them will do. */
const queries: readonly (readonly [query: string, ...answers: string[]])[] = [
  ...codes.map((code) => [code, `/problems/${code}`] as const),
  // Headers.
  ['If-None-Match', '/docs/syncing#nothing-new-304', '/docs/reference/getSync'],
  ['ETag', '/docs/syncing#nothing-new-304', '/docs/reference/getSync'],
  ['Retry-After', '/docs/errors#what-to-do', '/docs/quotas', '/docs/reference#retries', '/docs/quotas#staying-within-the-limits'],
  ['Idempotency-Key', '/docs/reference/acknowledgeRevocation', '/docs/deletions#acknowledge', '/problems/idempotency_key_required'],
  ['X-Request-Id', '/docs/errors', '/docs/reference#errors', '/docs/errors#what-to-do'],
  ['RateLimit-Policy', '/docs/quotas', '/docs/reference#rate-limits', '/docs/quotas#the-headers'],
  ['Content-Digest', '/docs/webhooks#the-seven-rules', '/docs/webhooks#what-arrives'],
  ['Signature-Input', '/docs/webhooks#the-seven-rules', '/docs/webhooks#what-arrives'],
  ['X-SVC-Event-ID', '/docs/webhooks#the-seven-rules', '/docs/webhooks#what-arrives', '/docs/reference/events/connection.created'],
  // Names in calls and answers.
  ['updated_since', '/docs/reference/getSync'],
  ['next_cursor', '/docs/reference/getSync', '/docs/syncing#one-page', '/docs/syncing#the-commit-rule'],
  ['has_more', '/docs/reference/getSync', '/docs/syncing#one-page'],
  ['history_complete', '/docs/reference/getOrderHistory', '/docs/reference/getOrder', '/docs/syncing#single-resources-and-history'],
  ['deletion_completed', '/docs/reference/acknowledgeRevocation'],
  ['minimum_group_size', '/docs/reference/getOrderStatistics', '/docs/statistics'],
  ['orders.history.read', '/docs/reference/getOrderHistory', '/docs/quickstart#2-create-an-integration'],
  ['getSync', '/docs/reference/getSync'],
  ['/v1/capabilities', '/docs/reference/getCapabilities'],
  ['simplereenroll', '/docs/reference/renewCertificate', '/docs/certificate-renewal'],
  ['resource.revoked', '/docs/reference/events/resource.revoked'],
  ['statistics.updated', '/docs/reference/events/statistics.updated'],
  // Tasks.
  ['get started', '/docs/quickstart'],
  ['redeem a link code', '/docs/reference/redeemLinkCode', '/docs/link-codes'],
  ['verify a webhook signature', '/docs/webhooks#the-seven-rules', '/docs/webhooks'],
  ['renew certificate automatically', '/docs/certificate-renewal', '/docs/reference/renewCertificate'],
  ['rotate certificate', '/docs/certificates'],
  ['revoke a certificate', '/docs/certificates#revoking', '/docs/certificates'],
  ['acknowledge a deletion', '/docs/reference/acknowledgeRevocation', '/docs/deletions#acknowledge', '/docs/deletions'],
  ['how long do I have to delete', '/docs/deletions', '/docs/deletions#the-seven-days', '/docs/reference#revocation-and-deletion'],
  ['recovery sync', '/docs/syncing#recovery-sync', '/docs/reference#sync'],
  ['lost passkey', '/docs/account', '/docs/account#recovery-codes', '/docs/account#passkeys'],
  ['rate limits', '/docs/reference#rate-limits', '/docs/quotas'],
  ['production gate', '/docs/production#the-production-gate', '/docs/production'],
  ['submit for review', '/docs/production', '/docs/production#review'],
  [
    'openssl',
    '/docs/quickstart#3-get-a-client-certificate',
    '/docs/certificates',
    '/docs/certificate-renewal#with-curl-openssl-and-systemd',
  ],
  ['tombstone', '/docs/syncing#tombstones', '/docs/syncing', '/docs/reference/getSync', '/docs/glossary#data'],
];

const pageOf = (path: string) => path.split('#')[0] ?? '';

/** The share of queries whose page is among the first `most`, or those of which it is not. */
function found(asked: readonly (readonly [string, ...string[]])[], most: number, least: number) {
  const missed = asked.filter(([query, ...answers]) => {
    const pages = new Set(pathsFor(query).slice(0, most).map(pageOf));
    return !answers.some((answer) => pages.has(pageOf(answer)));
  });
  return 1 - missed.length / asked.length >= least || missed.map(([query]) => [query, ...pathsFor(query).slice(0, 3)]);
}

test('a developer finds every code, header and task: 95 of 100 among the first three pages, 80 at the first', () => {
  expect(queries.length).toBeGreaterThanOrEqual(60);
  expect([found(queries, 3, 0.95), found(queries, 1, 0.8)]).toEqual([true, true]);
});

test('newcomers who have not read the guides find what they call otherwise: 95 of 100 among the first three pages, 80 at the first', () => {
  expect(newcomerQueries.length).toBe(60);
  expect([found(newcomerQueries, 3, 0.95), found(newcomerQueries, 1, 0.8)]).toEqual([true, true]);
});

test('developers who know the APIs of others find what those call otherwise: 95 of 100 among the first three pages, 80 at the first', () => {
  expect(integratorQueries.length).toBe(60);
  const answered = integratorQueries.filter(([, ...pages]) => pages.length > 0);
  expect(answered.length).toBeGreaterThanOrEqual(55);
  expect([found(answered, 3, 0.95), found(answered, 1, 0.8)]).toEqual([true, true]);
});

test.each([
  ['time zone', '/docs/syncing#dates-and-times'],
  ['date format', '/docs/syncing#dates-and-times'],
  ['rfc 3339', '/docs/syncing#dates-and-times'],
  ['ip allowlist', '/docs/webhooks#where-deliveries-come-from'],
  ['static ip addresses', '/docs/webhooks#where-deliveries-come-from'],
  ['webhook firewall', '/docs/webhooks#where-deliveries-come-from'],
  ['base url', '/docs/help#the-base-url'],
  ['logo size', '/docs/production#your-logo'],
  ['logo rules', '/docs/production#your-logo'],
])('“%s” finds the section that says so first', (query, path) => {
  expect(pathsFor(query)[0]).toBe(path);
});

test('phrases that overlap and mean the same are read as one', () => {
  expect(readAsked('next page token').map(({ own }) => own)).toEqual(['next page token']);
  expect(pageOf(pathsFor('next page token')[0] ?? '')).toBe('/docs/syncing');
  expect(readAsked('certificate token').map(({ own }) => own)).toEqual(['certificate', 'token']);
});

test('each synonym leads to a place that exists, and is there in one row alone', () => {
  const known = new Set([...index.places.values()].map(({ path }) => path));
  expect(synonyms.flatMap(({ at }) => at ?? []).filter((path) => !known.has(path))).toEqual([]);
  const asked = synonyms.flatMap((row) => row.asked);
  expect(asked.filter((phrase, place) => asked.indexOf(phrase) !== place)).toEqual([]);
});

test('where nothing fits, what is spelled much alike is offered', () => {
  expect(pathsFor('webkooks')).not.toEqual([]);
  expect(nearTo(index, 'quikstrat').map(({ path }) => path)).toContain('/docs/quickstart');
  expect(nearTo(index, 'zzzqqq').map(({ path }) => path)).toEqual(['/docs/quickstart', '/docs/errors', '/docs/help']);
  expect(nearTo(index, 'req_00000000')).toEqual([]);
});

test('the answers that are looked for exist', () => {
  const places = [...index.places.values()].map(({ path }) => path);
  const known = new Set([...places, ...places.map(pageOf)]);
  expect(
    [...queries, ...newcomerQueries, ...integratorQueries].flatMap(([, ...answers]) => answers).filter((path) => !known.has(path)),
  ).toEqual([]);
});

test('names are found whole and by their parts, misspelled and half typed', () => {
  expect(searchTerms('`link_code_not_redeemable` and If-None-Match')).toEqual(
    expect.arrayContaining(['link_code_not_redeemable', 'redeemable', 'If-None-Match', 'None']),
  );
  expect(['revoke', 'Revoking', 'revoked'].map(comparedTerm)).toEqual(['revok', 'revok', 'revok']);
  expect(['the', 'submitted', 'Submit', 'invalid_cursor'].map(comparedTerm)).toEqual([null, 'submit', 'submit', 'invalid_cursor']);
  expect(['policy', 'policies', 'keys', 'key', 'activation', 'activate'].map(comparedTerm)).toEqual([
    'policy',
    'policy',
    'key',
    'key',
    'activ',
    'activ',
  ]);
  expect(pathsFor('GET /v1/orders/ord_1234')[0]).toBe('/docs/reference/getOrder');
  expect(pathsFor('redeemable')[0]).toBe('/problems/link_code_not_redeemable');
  expect(pathsFor('certifcate renewal').slice(0, 3)).toContain('/docs/reference/renewCertificate');
  expect(pathsFor('idempot')).not.toEqual([]);
  expect(pathsFor('zzzqqq')).toEqual([]);
});

test('below each title stands how the place begins, in a line', () => {
  const [first] = searchDocumentation(index, 'nothing new');
  expect(first).toMatchObject({ title: 'Nothing new: 304', snippet: 'Every page has an ETag.' });
  const snippets = [...index.places.values()].map(({ snippet }) => snippet);
  expect(snippets.filter((each) => each.length > 101)).toEqual([]);
  // Some sections begin with a table or a command.
  expect(snippets.filter((each) => each === '').length).toBeLessThan(snippets.length / 5);
});

test('the search and the reference cost a reader little to load', () => {
  expect(brotliCompressSync(written).length).toBeLessThan(60_000);
  expect(brotliCompressSync(JSON.stringify(documentation.reference)).length).toBeLessThan(60_000);
});

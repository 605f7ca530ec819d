import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

const manifest = JSON.parse(readFileSync('kit/package.json', 'utf8')) as { version: string; engines: { node: string } };
const path = `/kit/svc-operator-kit-${manifest.version}.tgz`;

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

const get = (at: string, init?: RequestInit) => fetch(`${application.portalUrl}${at}`, init);

test('the kit of this release is listed first, with what npm checks it by, and is served as it was built', async () => {
  const listed = await get('/kit/versions.json');
  expect(listed.headers.get('content-type')).toBe('application/json');
  expect(listed.headers.get('cache-control')).toBe('public, max-age=300');
  const [newest] = (await listed.json()) as { version: string }[];
  const response = await get(path);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(newest).toEqual({
    version: manifest.version,
    sha512: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    size: bytes.length,
    node: manifest.engines.node,
    released_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(bytes.equals(readFileSync(`dist/packages/svc-operator-kit-${manifest.version}.tgz`))).toBe(true);
  const headers = ['content-type', 'content-disposition', 'cache-control', 'content-encoding', 'content-security-policy', 'vary'];
  expect(headers.map((name) => response.headers.get(name))).toEqual([
    'application/gzip',
    `attachment; filename="svc-operator-kit-${manifest.version}.tgz"`,
    'public, max-age=31536000, immutable',
    null,
    "default-src 'none'; frame-ancestors 'none'",
    null,
  ]);
});

test.each([path, '/kit/versions.json'])('%s may be read by tools in any page', async (at) => {
  const { headers } = await get(at, { headers: { Origin: 'https://tool.example' } });
  expect([headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')]).toEqual(['*', 'cross-origin']);
});

test.each([
  '/kit/svc-operator-kit-9.9.9.tgz',
  '/kit/',
  '/kit/package.json',
  '/kit/..%2fbuild.json',
  '/kit/svc-operator-kit-..%2f..%2fx.tgz',
])('there is nothing at %s', async (at) => {
  const response = await get(at);
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
});

test('it is only read', async () => {
  expect((await get(path, { method: 'POST', headers: { Origin: application.portalUrl } })).status).toBe(404);
});

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { errorCatalogue, type ErrorCode } from '../../server/domain/shared/errorCatalogue.ts';
import { developmentContact } from '../../server/domain/shared/supportContact.ts';
import { securityTxt } from '../../server/platform/http/securityTxt.ts';
import { problemTexts } from '../../server/portal-http/pages/problemTexts.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

const kit = JSON.parse(await readFile('kit/package.json', 'utf8')) as { version: string };

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

const get = (path: string) => application.browser().fetch(path);

test('the machine contract is served as JSON and as YAML, with the same content', async () => {
  const [json, yaml] = [await get('/openapi.json'), await get('/openapi.yaml')];
  expect(json.headers.get('content-type')).toContain('application/json');
  expect(yaml.headers.get('content-type')).toContain('application/yaml');
  const contract = (await json.json()) as { openapi: string; paths: Record<string, unknown> };
  expect(contract.openapi).toMatch(/^3\.1\./);
  expect(Object.keys(contract.paths)).toContain('/v1/sync');
  expect(parse(await yaml.text())).toEqual(contract);
});

test('the description of the webhooks is served as JSON and as YAML, and each refers to the machine contract in its own form', async () => {
  const [json, yaml] = [await get('/asyncapi.json'), await get('/asyncapi.yaml')];
  expect(json.headers.get('content-type')).toContain('application/json');
  expect(yaml.headers.get('content-type')).toContain('application/yaml');
  const [fromJson, fromYaml] = [await json.text(), await yaml.text()];
  expect(JSON.parse(fromJson)).toMatchObject({ asyncapi: '3.1.0' });
  expect(JSON.parse(fromJson.replaceAll('./openapi.json#', './openapi.yaml#'))).toEqual(parse(fromYaml));
  expect(fromJson).not.toContain('portal.example');
  expect(fromYaml).toContain(`${application.portalUrl}/.well-known/svc-integration-webhook-jwks.json`);
});

test.each([
  ['receiver.ts', 'docs/receivers/typescript/receiver.ts'],
  ['receiver.py', 'kit/samples/python/receiver.py'],
  ['receiver.go', 'kit/samples/go/receiver.go'],
  ['go.mod', 'kit/samples/go/go.mod'],
  ['sync.py', 'kit/samples/python/sync.py'],
  ['sync.go', 'kit/samples/go/sync/sync.go'],
  ['Operator.java', 'kit/samples/java/Operator.java'],
  ['operator.sh', 'kit/samples/curl/operator.sh'],
])('the guide’s %s is downloaded as it is', async (name, file) => {
  const response = await get(`/receivers/${name}`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('content-disposition')).toContain(name);
  expect(await response.text()).toBe(await readFile(file, 'utf8'));
  expect((await get('/receivers/..%2fgo%2freceiver.go')).status).toBe(404);
});

test('the machine contract names this installation’s own addresses', async () => {
  const text = await (await get('/openapi.yaml')).text();
  expect(text).not.toContain('portal.example');
  expect(text).toContain(`${application.portalUrl}/problems/invalid_cursor`);
  expect(parse(text)).toMatchObject({ servers: [{ url: 'https://{host}', variables: { host: { default: 'localhost:8443' } } }] });
});

test.each(['/openapi.json', '/openapi.yaml', '/asyncapi.json', '/asyncapi.yaml'])(
  '%s may be read by tools in any page, and is 304 until it changes',
  async (path) => {
    const browser = application.browser();
    const first = await browser.fetch(path, { headers: { Origin: 'https://tool.example' } });
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}-gzip"$/);
    const repeated = await browser.fetch(path, { headers: { 'If-None-Match': etag } });
    expect(repeated.status).toBe(304);
    expect(repeated.headers.get('etag')).toBe(etag);
    expect((await browser.fetch(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  },
);

test.each([
  '/openapi.json',
  '/openapi.yaml',
  '/asyncapi.json',
  '/llms.txt',
  '/changelog.atom',
  '/docs/syncing.md',
  '/receivers/receiver.ts',
  '/kit/versions.json',
  `/kit/svc-operator-kit-${kit.version}.tgz`,
  '/problems/invalid_cursor',
  '/assets/svc-data-credit-v1.js',
  '/assets/favicon-v1.svg',
  '/.well-known/api-catalog',
  '/.well-known/security.txt',
  '/.well-known/svc-integration-webhook-jwks.json',
])('%s has a validator, which is recognised in each coding and after a proxy, and HEAD has it too', async (path) => {
  const fetchAs = (coding: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${application.portalUrl}${path}`, { method, headers: { 'Accept-Encoding': coding, ...headers } });
  const plain = await fetchAs('identity');
  const etag = plain.headers.get('etag') ?? '';
  expect([plain.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
  const text = await plain.text();
  for (const coding of ['gzip', 'zstd']) {
    const coded = await fetchAs(coding);
    const own = coded.headers.get('etag') ?? '';
    expect(await coded.text()).toBe(text);
    expect(own === etag).toBe(coded.headers.get('content-encoding') === null);
    const head = await fetchAs(coding, {}, 'HEAD');
    for (const name of ['etag', 'vary', 'content-encoding', 'content-length', 'last-modified'])
      expect([name, head.headers.get(name)]).toEqual([name, coded.headers.get(name)]);
    for (const named of [own, etag, `W/${etag}`, `${etag.slice(0, -1)}-gzip"`, `"x", ${etag.slice(0, -1)};br"`, '*'])
      expect([named, (await fetchAs(coding, { 'If-None-Match': named })).status]).toEqual([named, 304]);
    expect((await fetchAs(coding, { 'If-None-Match': '"other"' })).status).toBe(200);
    const modified = coded.headers.get('last-modified');
    if (modified !== null) expect((await fetchAs(coding, { 'If-Modified-Since': modified })).status).toBe(304);
  }
});

test('long documents are compressed and say that it depends on Accept-Encoding', async () => {
  for (const path of ['/openapi.json', '/openapi.yaml', '/llms.txt', '/docs/syncing.md', '/problems/invalid_cursor']) {
    const { headers } = await fetch(`${application.portalUrl}${path}`, {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'gzip;q=0.5, zstd;q=0' },
    });
    // Browsers get another page of a problem.
    const vary = path.startsWith('/problems/') ? 'Accept, Accept-Encoding' : 'Accept-Encoding';
    expect([path, headers.get('content-encoding'), headers.get('vary')]).toEqual([path, 'gzip', vary]);
  }
});

describe('the documentation for programs', () => {
  const text = async (path: string) => (await get(path)).text();

  test('has every page as Markdown with this installation’s addresses, readable from any page, and 304 until it changes', async () => {
    const paths = [...(await text('/llms.txt')).matchAll(/\]\(([^)]+\.md)\)/g)].map(([, url = '']) => url);
    expect(paths.length).toBeGreaterThan(30);
    for (const url of paths) {
      const response = await get(url.replace(application.portalUrl, ''));
      expect([url, response.status, response.headers.get('content-type')]).toEqual([url, 200, 'text/markdown; charset=utf-8']);
      const markdown = await response.text();
      expect(markdown).toMatch(/^# \S/);
      expect(markdown).not.toMatch(/\{(base_url|portal_url|machine_origin|machine_host)\}|portal\.example|<!-- /);
    }
    const syncing = await get('/docs/syncing.md');
    expect(syncing.headers.get('access-control-allow-origin')).toBe('*');
    expect(await syncing.text()).toContain('https://localhost:8443/v1/sync');
    const etag = syncing.headers.get('etag') ?? '';
    expect((await application.browser().fetch('/docs/syncing.md', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  test('has a twin of every page that the portal has, and of no other', async () => {
    const twins = [...(await text('/llms.txt')).matchAll(/\/docs\/([^)]+)\.md\)/g)].map(([, name = '']) => `/docs/${name}`).sort();
    const html = await text('/docs/syncing');
    const linked = [...html.matchAll(/<li><a href="(\/docs\/[^"]+)">/g)].map(([, path = '']) => path);
    expect([...new Set(linked)].sort()).toEqual(twins);
    expect(await text('/docs.md')).toContain('- [Quickstart](/docs/quickstart): How to get started');
    expect(await text('/docs')).toContain('<a href="/docs/quickstart">Quickstart</a>: How to get started');
    for (const path of ['/docs/none.md', '/none.md', '/docs/reference/none.md', '/docs/../package.md'])
      expect((await get(path)).status).toBe(404);
    expect((await get('/documents.json')).status).toBe(404);
  });

  test('describes the errors in the Markdown as the catalogue does', async () => {
    const markdown = await text('/docs/errors.md');
    for (const [code, row] of Object.entries(errorCatalogue))
      expect([code, markdown.includes(`[\`${code}\`](/problems/${code})`)]).toEqual([code, !('portalOnly' in row)]);
  });

  test('is sent as finished HTML, without a script or style of its own, and with what Markdown would escape escaped', async () => {
    const response = await get('/docs/reference/redeemLinkCode/');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    const html = await response.text();
    const [, body = ''] = /<noscript>([^]*)<\/noscript>/.exec(html) ?? [];
    expect(html).toContain('<title>Exchange a link code for a connection · Operator portal</title>');
    expect(html).toContain('<link rel="alternate" type="text/markdown" href="/docs/reference/redeemLinkCode.md"');
    expect(body).toContain('<h1 id="exchange-a-link-code-for-a-connection">Exchange a link code for a connection</h1>');
    expect(body).toContain('curl -sS --cert sandbox.pem');
    expect(body).toContain('&quot;code&quot;');
    expect(body).not.toMatch(/<script|<style|style=|onclick|javascript:/i);
    // A page that is no document is sent as ever.
    expect(await text('/integrations')).toContain('The operator portal needs JavaScript');
  });

  test('lists the descriptions of the interfaces where tools look for them (RFC 9727)', async () => {
    const response = await get('/.well-known/api-catalog');
    expect(response.headers.get('content-type')).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
    expect(response.headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"');
    const { linkset } = (await response.json()) as { linkset: { anchor: string; 'service-desc': { href: string; type: string }[] }[] };
    expect(linkset.map(({ anchor }) => anchor)).toEqual(['https://localhost:8443/v1']);
    for (const { href, type } of linkset[0]?.['service-desc'] ?? []) {
      const described = await get(href.replace(application.portalUrl, ''));
      expect([described.status, described.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
    }
  });

  test('has the changelog as a feed, an entry for each change', async () => {
    const response = await get('/changelog.atom');
    expect(response.headers.get('content-type')).toContain('application/atom+xml');
    const feed = await response.text();
    const written = [...(await readFile('docs/guides/changelog.md', 'utf8')).matchAll(/^- (.{1,60})/gm)].map(([, words = '']) => words);
    const entries = [...feed.matchAll(/<entry>\s*<id>([^<]+)<\/id>\s*<title>([^<]+)<\/title>/g)].map(([, id, title]) => ({ id, title }));
    const ids = entries.map(({ id }) => id);
    const unnamed = written.filter((words) => !entries.some(({ title }) => words.includes(`**${title}**`)));
    expect(unnamed.map((words) => `docs/guides/changelog.md: “${words}” has to begin with its subject in bold`)).toEqual([]);
    const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
    expect(
      twice.map(
        (id) =>
          `docs/guides/changelog.md: two entries of a month have the subject of ${id}: give the later one another, or join them if neither was released`,
      ),
    ).toEqual([]);
    expect(ids).toHaveLength(written.length);
    expect(ids).toContain(`${application.portalUrl}/docs/changelog#november-2026-webhooks`);
    expect(feed).toContain('<updated>2026-11-01T00:00:00.000Z</updated>');
    expect(feed).toContain(`&lt;a href=&quot;${application.portalUrl}/docs/webhooks&quot;&gt;`);
  });
});

test('the portal says whom to tell of a vulnerability', async () => {
  const response = await get('/.well-known/security.txt');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const { clock } = application;
  const facts = { contact: developmentContact, origins: ['https://localhost:8443'] };
  expect(await response.text()).toBe(securityTxt(facts, clock.now()));
});

describe('the authorities', () => {
  test('are downloaded by their ids, and the issuing one is signed by the root', async () => {
    const rows = await application.rows<{ id: string; kind: string }>('select id, kind from certificate_authority order by kind');
    expect(rows.map(({ kind }) => kind)).toEqual(['issuing', 'root']);
    const [issuing, root] = await Promise.all(
      rows.map(async ({ id }) => {
        const response = await get(`/ca/${id}.pem`);
        expect(response.headers.get('content-type')).toContain('application/pem-certificate-chain');
        const text = await response.text();
        expect(text).not.toContain('PRIVATE');
        return new X509Certificate(text);
      }),
    );
    expect(issuing?.checkIssued(root as X509Certificate) && issuing.verify((root as X509Certificate).publicKey)).toBe(true);
  });

  test.each(['/ca/issuing-none.pem', '/ca/%00.pem', "/ca/'.pem"])('%s is not found', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });
});

describe('the problem pages', () => {
  const plain = (html: string) =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');

  test.each(Object.entries(errorCatalogue))('explain %s', async (code, { title, status, advice }) => {
    const response = await get(`/problems/${code}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    const html = await response.text();
    const page = plain(html);
    const { meaning, steps } = problemTexts[code as ErrorCode];
    for (const words of [code, title, String(status), advice, meaning, ...steps]) expect(page).toContain(words.replaceAll('`', ''));
    for (const sentence of [advice, meaning, ...steps]) expect(sentence).toMatch(/[.?]$/);
    expect(html).not.toMatch(/<style|style=|<script>|onclick/);
    const example = JSON.parse(page.slice(page.lastIndexOf('\n{') + 1, page.lastIndexOf('}') + 1)) as { code?: string; errors?: object[] };
    expect(example.code ?? example.errors).toBeTruthy();
  });

  test('show a body with this code, from the machine contract', async () => {
    const page = plain(await (await get('/problems/access_ended')).text());
    expect(page).toContain('"code": "access_ended"');
    expect(page).toContain('"revocation_id": "rev_');
  });

  test('are the portal’s own for browsers, complete without scripts, and what to do comes first; all are listed', async () => {
    const browse = async (path: string) => {
      const response = await application.browser().fetch(path, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
      return [response.status, await response.text()] as const;
    };
    const [status, html] = await browse('/problems/rate_limit_exceeded');
    const [, body = ''] = /<noscript>([^]*)<\/noscript>/.exec(html) ?? [];
    expect([status, html.includes('<script type="module"')]).toEqual([200, true]);
    expect(body).toContain('<a href="/docs/quotas">');
    const plainPage = await get('/problems/rate_limit_exceeded');
    expect(plainPage.headers.get('vary')).toContain('Accept');
    for (const page of [body, await plainPage.text()]) {
      const heads = [...page.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, head]) => head);
      expect(heads.slice(0, 2)).toEqual(['What to do', 'What it means']);
    }
    expect(await (await get('/problems/access_ended.md')).text()).toMatch(/^# Access ended\n\n/);
    const [, list] = await browse('/problems');
    for (const [code, row] of Object.entries(errorCatalogue))
      expect([code, list.includes(`href="/problems/${code}"`)]).toEqual([code, !('portalOnly' in row)]);
    expect((await browse('/problems/none'))[0]).toBe(404);
  });

  test.each(['none', 'constructor', '__proto__', '%3Cscript%3E'])('know no %s', async (code) => {
    const response = await get(`/problems/${code}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('<script>');
  });
});

test('the facts of the service are public: addresses, scopes and limits', async () => {
  const service = await application.browser().must<{ scopes: unknown[] }>('service');
  expect(service).toMatchObject({
    portalUrl: application.portalUrl,
    machineApiUrl: 'https://localhost:8443/v1',
    developmentMailbox: true,
    developmentCa: false,
    developmentReceiver: { host: 'receiver.test', port: 9443 },
    supportContact: { url: 'mailto:support@localhost', text: 'support@localhost' },
    limits: { requestsPerHour: 600, certificateDays: 90 },
  });
  expect(service.scopes).toHaveLength(7);
});

test('the current terms are public, also by their number; others are not found', async () => {
  const visitor = application.browser();
  expect(await visitor.must('currentTerms')).toMatchObject({ version: 1, markdown: expect.stringContaining('non-commercial') });
  expect(await visitor.must('terms', { version: 1 })).toMatchObject({ version: 1 });
  for (const version of [0, 2, -1, 2_147_483_647])
    expect((await visitor.call('terms', { version })).errors[0]?.extensions.code).toBe('NOT_FOUND');
});

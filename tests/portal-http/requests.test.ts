import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pagePatterns } from '../../portal-web/src/paths.ts';
import type { MachineResponse } from '../support/clients/MachineResponse.ts';
import { parseAnswers } from '../support/clients/parseAnswers.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../support/clients/portalClient.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { startLoopWatch } from '../../server/platform/loopWatch.ts';

const json = { 'content-type': 'application/json' };
const signOut = JSON.stringify({ query: 'mutation { signOut }' });

let application: PortalWorld;
let operator: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  operator = await application.operator();
});
afterAll(() => application.close());

const stillSignedIn = async () => (await operator.copy().viewer()).data !== null;
const problemOf = async (response: Response) => {
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  const body = (await response.json()) as { code: string };
  expect(body).toMatchObject({
    status: response.status,
    type: `${application.portalUrl}/problems/${body.code}`,
    request_id: response.headers.get('x-request-id'),
  });
  expect(JSON.stringify(body)).not.toMatch(/stack|\.ts|node_modules|    at /);
  return body.code;
};

describe('a request that another site makes the browser send', () => {
  test.each([
    ['without Origin', ''],
    ['from another port', 'http://localhost:1'],
    ['from 127.0.0.1', 'http://127.0.0.1:3000'],
    ['from another site', 'https://evil.example'],
    ['from a sandboxed frame', 'null'],
  ])('%s is refused before anything happens', async (_what, origin) => {
    const response = await operator.copy().fetch('/graphql', { method: 'POST', headers: { ...json, origin }, body: signOut });
    expect(response.status).toBe(403);
    expect(await problemOf(response)).toBe('forbidden');
    expect(await stillSignedIn()).toBe(true);
  });

  test('that begins like the portal’s address is refused', async () => {
    for (const origin of [`${operator.origin}.evil.example`, `${operator.origin}0`, `${operator.origin}/`]) {
      const response = await operator.copy().fetch('/graphql', { method: 'POST', headers: { ...json, origin }, body: signOut });
      expect(response.status).toBe(403);
    }
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s without Origin is refused on any path', async (method) => {
    expect((await operator.copy().fetch('/integrations', { method, headers: { origin: '' } })).status).toBe(403);
  });

  test('gets no permission to read answers', async () => {
    const response = await operator
      .copy()
      .fetch('/graphql', { method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } });
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'of type %j changes nothing, even with the right Origin',
    async (type) => {
      const response = await operator
        .copy()
        .fetch('/graphql', { method: 'POST', headers: { 'content-type': type }, body: new TextEncoder().encode(signOut) });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(await stillSignedIn()).toBe(true);
    },
  );
});

describe('GraphQL over HTTP', () => {
  test.each(['GET', 'HEAD'])('%s is refused with the method to use', async (method) => {
    const response = await operator
      .copy()
      .fetch(`/graphql?query=${encodeURIComponent('{viewer{email}}')}`, { method, headers: { 'apollo-require-preflight': '1' } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  test('a stranger’s document has a third of the tokens of a session’s, and is refused before it is compared with itself', async () => {
    const send = (client: PortalClient, fields: number, rest = '') =>
      client.fetch('/graphql', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ query: `{ ${'viewer { kind } '.repeat(fields)}${rest} }` }),
      });
    const stranger = application.browser();
    const refused = await send(stranger, 372);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('Without a session or token, a document has at most 500 tokens.');
    // 4 tokens for each, 2 braces, and one more.
    expect((await send(stranger, 125)).status).toBe(400);
    // These are read, and cost too much.
    expect(await (await send(stranger, 124, '__typename __typename')).text()).toContain('The operation costs');
    expect(await (await send(operator, 125)).text()).toContain('The operation costs');
  });

  test('a body above 128 KiB is refused', async () => {
    const response = await operator.copy().fetch('/graphql', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ query: `{ viewer { kind } } # ${'x'.repeat(140_000)}` }),
    });
    expect(response.status).toBe(413);
    expect(await problemOf(response)).toBe('content_too_large');
  });

  test.each(['{', '"text"', 'null', '', '{"query": 5}', '{"query": "{ viewer { kind } }", "variables": "x"}'])(
    'the body %j is refused as a bad request',
    async (body) => {
      const response = await operator.copy().fetch('/graphql', { method: 'POST', headers: json, body });
      expect(response.status).toBe(400);
      expect(await response.text()).not.toMatch(/    at |node_modules/);
    },
  );

  test.each([
    ['gzip', 'which it is not', '{ viewer { kind } }'],
    ['gzip', 'of 64 MiB of spaces', gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))],
    ['gzip', 'that it is', gzipSync('{"query": "{ viewer { kind } }"}')],
    ['deflate', 'which it is not', '{ viewer { kind } }'],
    ['br', 'which it is not', '{ viewer { kind } }'],
    ['made-up', 'that nobody knows', '{ viewer { kind } }'],
  ])('a body that is sent as %s %s is refused before it is read', async (encoding, _what, body) => {
    const response = await operator
      .copy()
      .fetch('/graphql', { method: 'POST', headers: { ...json, 'content-encoding': encoding }, body: new Uint8Array(Buffer.from(body)) });
    expect(response.status).toBe(415);
    expect(await problemOf(response)).toBe('unsupported_media_type');
    expect(application.log()).not.toContain('internalError');
  });

  test.each([
    ['is missing', { extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } }],
    ['is of another document', { query: '{ viewer { kind } }', extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } }],
    ['has another version', { query: '{ viewer { kind } }', extensions: { persistedQuery: { version: 2, sha256Hash: 'abc' } } }],
  ])('a document that is named by its hash is refused, also where it %s', async (_what, body) => {
    const response = await operator.copy().fetch('/graphql', { method: 'POST', headers: json, body: JSON.stringify(body) });
    expect(await response.json()).toEqual({
      errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
    });
    expect(application.log()).not.toContain('internalError');
  });

  test('a subscription is refused, since there are none', async () => {
    const answer = await operator.graphql('subscription { x }');
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(answer.errors[0]?.message).toContain('subscription');
    expect(application.log()).not.toContain('internalError');
  });

  test('answers are not stored anywhere', async () => {
    expect((await operator.viewer()).headers.get('cache-control')).toBe('no-store');
  });
});

describe('every answer', () => {
  test.each([
    '/',
    '/integrations/new',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/problems/not_found',
    '/dev/mailbox',
    '/missing.js',
    '/certificates/crt_x/bundle.pem',
  ])('%s carries the security headers and a request id of its own', async (path) => {
    const [first, second] = [await application.browser().fetch(path), await application.browser().fetch(path)];
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      // The contract is for everybody's tools.
      'cross-origin-resource-policy': path === '/openapi.json' ? 'cross-origin' : 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringContaining('max-age=63072000'),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-request-id': expect.stringMatching(/^req_[0-9a-hjkmnp-tv-z]{26}$/),
    });
    expect(first.headers.get('x-powered-by')).toBeNull();
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    expect(first.headers.getSetCookie()).toEqual([]);
  });
});

describe('the pages', () => {
  test('are one application with a policy that allows our own files and a nonce per answer', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/verify', '/integrations/some-slug/certificates']) {
      const response = await application.browser().fetch(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/unsafe|\*|http:/);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      const page = await response.text();
      expect(page).toContain(nonce);
      expect(page).not.toContain('__CSP_NONCE__');
      expect(page).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|\son\w+=/);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  test('load hashed files that browsers may keep for ever', async () => {
    const page = await (await application.browser().fetch('/')).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const response = await application.browser().fetch(script);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('javascript');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  test.each([
    '/missing.js',
    '/assets/missing.js',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/.env',
    '/assets/%00.js',
    '/assets/%E0%A4%A.js',
  ])('the path %s finds nothing', async (path) => {
    const response = await application.browser().fetch(path);
    expect([400, 403, 404]).toContain(response.status);
    await problemOf(response);
  });

  test('no request has more listeners than Node takes for a leak', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error) => warnings.push(warning);
    process.on('warning', keep);
    let stop: () => unknown = () => undefined;
    // As in each process that serves people.
    startLoopWatch(createLogger('test', 'silent'), (_, end) => (stop = end));
    const html = await (await application.browser().fetch('/')).text();
    const assets = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.length).toBeGreaterThan(3);
    const accept = { 'accept-encoding': 'gzip, deflate, br, zstd' };
    await Promise.all(assets.map(async (path) => (await application.browser().fetch(path, { headers: accept })).arrayBuffer()));
    await new Promise(setImmediate);
    process.off('warning', keep);
    await stop();
    expect(warnings).toEqual([]);
  });

  const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test.each(pagePatterns)('%s is one of them', async (pattern) => {
    const path = pattern
      .replace(':guide', 'quickstart')
      .replace(':operation', 'getSync')
      .replace(':code', 'invalid_cursor')
      .replace(':type', 'resource.granted')
      .replace(':version', '1')
      .replaceAll(/:\w+/g, 'some-name');
    for (const address of [path, `${path}?a=b`, ...(path === '/' ? [] : [`${path}/`, path.toUpperCase()])]) {
      const response = await application.browser().fetch(address);
      expect([address, response.status, response.headers.get('content-type')]).toEqual([address, 200, 'text/html; charset=utf-8']);
    }
  });

  test.each([
    '/.git/config',
    '/.git/HEAD',
    '/wp-login.php',
    '/foo/bar',
    '/admin.php',
    '/integrations/some-slug/unknown',
    '/integrations/some-slug/kit/more',
    '/docs/quickstart/more',
    '/docs/no-such-guide',
    '/terms/99',
    '/Terms/99/',
    '/terms/01',
    '/terms/1234567',
    '/terms/latest',
    '/problems/no_such_code',
    '/page-patterns.json',
    '/%70age-patterns.json',
    '/./page-patterns.json',
    '/documents.json',
    '/%64ocuments.json',
    '/assets/../documents.json',
    '/assets/%2e%2e/documents.json',
    '/assets%2f..%2fdocuments.json',
    '/index.html',
    '/%69ndex.html',
    '/Index.html',
    '//example.com',
    '/%69ntegrations',
    '/%',
  ])('are no answer to %s: a program is told so in a problem, a browser on a page', async (path) => {
    const problem = await application.browser().fetch(`${operator.origin}${path}`);
    expect(problem.status).toBe(404);
    expect(await problemOf(problem)).toBe('not_found');
    const page = await application.browser().fetch(`${operator.origin}${path}`, { headers: asBrowser });
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  test('an unknown address for a form is a problem, not a page', async () => {
    const response = await application.browser().fetch('/integrations', { method: 'POST', headers: json, body: '{}' });
    expect(await problemOf(response)).toBe('not_found');
  });
});

test('the development mailbox is a page, and JSON for scripts; mails in it are escaped', async () => {
  await application.browser().verificationToken("o'brien+x@example.com");
  const page = await application.browser().fetch('/dev/mailbox', { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('cache-control')).toBe('no-store');
  const html = await page.text();
  expect(html).toContain('o&#39;brien+x@example.com');
  // Long lines wrap, by the one style that the page’s policy allows.
  const [, nonce = 'none'] = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
  expect(html).toContain(`<style nonce="${nonce}">pre { white-space: pre-wrap;`);
});

async function rawAnswer(request: string): Promise<string> {
  const socket = connect(Number(new URL(application.portalUrl).port), '127.0.0.1');
  socket.write(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test('a target that no parser of addresses can read is refused, and the portal goes on', async () => {
  const answerTo = (target: string) => rawAnswer(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const statusOf = async (target: string) => (await answerTo(target)).split(' ')[1];
  for (const target of ['http://[::1', 'http://a:b:c/', '*', 'healthz', '/a\u00a0b', '/a#b'])
    expect([target, await statusOf(target)]).toEqual([target, '400']);
  expect(await answerTo('*')).toMatch(/^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/im);
  expect(await answerTo('*')).toMatch(/^x-content-type-options: nosniff\r$/im);
  expect(await statusOf('http://localhost/healthz')).toBe('200');
});

test.each([
  ['two of them', 'Host: localhost\r\nHost: localhost\r\n', '400'],
  ['two that differ', 'Host: localhost\r\nhost: evil.example\r\n', '400'],
  ['none', '', '400'],
  ['an empty one', 'Host:\r\n', '400'],
  ['one that is no host', 'Host: a b/<script>\r\n', '400'],
  ['one that is somebody else’s', 'Host: evil.example\r\n', '200'],
])('a request with %s for its Host is answered without a word about it', async (_what, host, status) => {
  const answer = await rawAnswer(`GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  expect(answer.split(' ')[1]).toBe(status);
  expect(answer).not.toMatch(/evil\.example|a b\/<script>/);
  if (status === '400') expect(answer).toContain('application/problem+json');
});

/** Everything that the portal answers to raw bytes until it ends the connection. */
async function answersTo(writes: readonly string[], end = false): Promise<MachineResponse[]> {
  const socket = connect({ port: Number(new URL(application.portalUrl).port), host: '127.0.0.1', allowHalfOpen: true });
  for (const bytes of writes) {
    await new Promise((resolve) => socket.write(bytes, resolve));
    await new Promise(setImmediate);
  }
  if (end) socket.end();
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return parseAnswers(Buffer.concat(chunks));
}

const healthz = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const statuses = (answers: readonly MachineResponse[]) => answers.map(({ status }) => status);

test('a mutation that took effect is answered so, whatever follows its body, in the same write or later', async () => {
  const head = (body: string) =>
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nOrigin: ${application.portalUrl}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const mutation = head(JSON.stringify({ query: 'mutation { beginSignIn }' }));
  for (const writes of [[`${mutation}x`], [mutation, 'x']]) {
    const [answer, refusal, ...others] = await answersTo(writes);
    expect(answer?.body).toMatchObject({ data: { beginSignIn: expect.any(Object) } });
    expect(refusal?.body).toMatchObject({ code: 'invalid_request', request_id: refusal?.headers['x-request-id'] });
    expect(others).toEqual([]);
    expect(application.log()).toContain(String(refusal?.headers['x-request-id']));
  }
});

test('what cannot be read as a request is a problem, after the answers to what came before it', async () => {
  const large = `X-Large: ${'x'.repeat(17_000)}`;
  for (const [bad, code] of [
    ['nonsense\r\n\r\n', 'invalid_request'],
    ['GET / HTTP/1.1\r\n\r\n', 'invalid_request'],
    [`GET / HTTP/1.1\r\nHost: localhost\r\n${large}\r\n\r\n`, 'headers_too_large'],
    ['POST /graphql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 'not_implemented'],
    ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'not_implemented'],
    ['FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'not_implemented'],
    ['PROPFIND / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'not_implemented'],
    ['GET / HTTP/1.2\r\nHost: localhost\r\n\r\n', 'http_version_not_supported'],
    ['GET / HTTP/2.0\r\nHost: localhost\r\n\r\n', 'http_version_not_supported'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'http_version_not_supported'],
  ] as const) {
    const answers = await answersTo([`${healthz}${bad}`]);
    expect(statuses(answers)[0]).toBe(200);
    expect(answers[1]).toMatchObject({
      headers: { 'content-type': 'application/problem+json', 'x-content-type-options': 'nosniff' },
      body: { code, request_id: answers[1]?.headers['x-request-id'] },
    });
    expect(answers).toHaveLength(2);
  }
});

test('a header that takes a library long to read is refused by its name before any library sees it', async () => {
  const head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nOrigin: ${application.portalUrl}\r\n`;
  const [answer, ...others] = await answersTo([`${head}Content-Type: application/json;a=${' '.repeat(15_000)}x\r\n\r\n`]);
  expect(answer?.body).toMatchObject({
    status: 431,
    code: 'headers_too_large',
    detail: 'The header Content-Type has at most 256 bytes; this one has 15020.',
  });
  expect(others).toEqual([]);
});

test('a document that breaks off is refused once, and who ends their side with a request is answered', async () => {
  const head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nOrigin: ${application.portalUrl}\r\nContent-Type: application/json\r\n`;
  expect(statuses(await answersTo([`${head}Content-Length: 20\r\n\r\n{"query"`], true))).toEqual([400]);
  expect(statuses(await answersTo([`${head}Transfer-Encoding: chunked\r\n\r\nno chunk\r\n`]))).toEqual([400]);
  expect(statuses(await answersTo([healthz], true))).toEqual([200]);
});

test('a portal that stops waits for nobody who is silent, idle, half through a request, or slow with a body', async () => {
  const stopping = await openWorld({ portal: { requestTimeoutMs: 400 } });
  const port = Number(new URL(stopping.portalUrl).port);
  const open = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  };
  const slow = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nOrigin: ${stopping.portalUrl}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
  // Head and body have to arrive in time, even when nothing stops.
  for (const bytes of ['GET / HT', slow]) {
    const [answer] = (await once(await open(bytes), 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
  }
  const idle = await open(healthz);
  await once(idle, 'data');
  const sockets = [idle, ...(await Promise.all(['', 'GET / HT', slow].map(open)))];
  await Promise.all([stopping.close(), ...sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)))]);
});

test('a document cannot repeat what it asks for by aliases', async () => {
  const repeated = Array.from({ length: 60 }, (_, index) => `a${index}: currentTerms { markdown }`).join(' ');
  const response = await operator
    .copy()
    .fetch('/graphql', { method: 'POST', headers: json, body: JSON.stringify({ query: `{ ${repeated} }` }) });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
});

test('the audit trail cannot be changed afterwards', async () => {
  await expect(application.rows("update audit_entry set action = 'x'", [])).rejects.toThrow(/append-only/);
  await expect(application.rows("update audit_entry set ip = '192.0.2.9'", [])).rejects.toThrow(/append-only/);
  await expect(application.rows('update audit_entry set ip = null, request_id = null', [])).rejects.toThrow(/append-only/);
  await expect(application.rows('delete from audit_entry', [])).rejects.toThrow(/append-only/);
});

import { once } from 'node:events';
import { type IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { boundHeads, type HeadRefusal } from '../../../server/platform/http/boundHeads.ts';
import { headRefusal } from '../../../server/platform/http/headRefusal.ts';
import { requestHeaders } from '../../../server/platform/http/requestHeaders.ts';

/** What the last request looked like to a tracer, and to a listener that judges it. */
const seen: { traced: IncomingHttpHeaders; listened: IncomingHttpHeaders; verdict: HeadRefusal | null } = {
  traced: {},
  listened: {},
  verdict: null,
};

/** What instruments servers puts itself around this method of their class. */
class TracedServer extends Server {
  override emit(event: string, ...values: unknown[]): boolean {
    if (event === 'request' && values[0] instanceof IncomingMessage) seen.traced = { ...values[0].headers };
    return super.emit(event, ...values);
  }
}

const server = new TracedServer({ requireHostHeader: false });
beforeAll(async () => {
  boundHeads(server);
  server.on('request', (request, response) => {
    seen.listened = { ...request.headers };
    seen.verdict = headRefusal(request);
    response.setHeader('Connection', 'close').end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

/** Sends these header lines, and returns what a tracer and a listener see of them, without Host. */
async function headersOf(...lines: string[]): Promise<IncomingHttpHeaders> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(['POST / HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n'));
  await once(socket.resume(), 'close');
  expect(seen.traced).toEqual(seen.listened);
  return Object.fromEntries(Object.entries(seen.listened).filter(([name]) => name !== 'host'));
}

const blanks = ' '.repeat(100);

test.each([
  ['Content-Type: application/json', { 'content-type': 'application/json' }],
  [`Content-Type: Application/JSON${blanks};a=${blanks}x`, { 'content-type': 'application/json' }],
  ['Content-Type: application/json; boundary="a;b" ; Charset="UTF-8"', { 'content-type': 'application/json;charset=utf-8' }],
  ['Content-Type: application/json; charset=latin1; charset=utf-8', { 'content-type': 'application/json;charset=latin1' }],
  ['Content-Type: json', {}],
  ['Content-Type: application/json x', {}],
  [`Accept: text/HTML ,${blanks}*/*;q=0.8;x="y", "a;b",, c d`, { accept: 'text/html,*/*;q=0.8' }],
  ['Accept-Encoding: gzip;q=1.0, zstd ; q=2, br;q=0', { 'accept-encoding': 'gzip;q=1.0,zstd,br;q=0' }],
  [`Authorization: Bearer${blanks}svct_x ${blanks}y`, { authorization: 'Bearer svct_x y' }],
  [`Cookie: a="${'b;'.repeat(2_000)}"; __Host-svc_session=c=d;${blanks}__Host-other=e`, { cookie: '__Host-svc_session=c=d' }],
  ['Cookie: other=__Host-svc_session', {}],
  ['Transfer-Encoding: CHUNKED', { 'transfer-encoding': 'chunked' }],
  [`User-Agent: ${'Mozilla '.repeat(1_000)}`, { 'user-agent': 'Mozilla '.repeat(32) }],
  ['If-None-Match: W/"a", "b,c"', { 'if-none-match': 'W/"a", "b,c"' }],
])('of “%.80s”, libraries see the normal form', async (line, expected) => {
  expect(await headersOf(line)).toEqual(expected);
  expect(seen.verdict).toBeNull();
});

test.each([
  `Forwarded: ${'for=1.2.3.4;'.repeat(1_000)}`,
  `Range: bytes=${'0-1,'.repeat(3_000)}`,
  'Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  `Baggage: ${'a=b,'.repeat(3_000)}`,
  'Apollo-Require-Preflight: 1',
  'Referer: https://example.com/secret',
  '__Proto__: x',
  'Constructor: x',
])('what nothing here reads, such as “%.20s”, reaches nobody and is refused to nobody', async (line) => {
  expect(await headersOf(line)).toEqual({});
  expect(seen.verdict).toBeNull();
});

test('a header that is longer than the table says is refused by its name with 431, and nobody sees it', async () => {
  for (const [name, { most }] of Object.entries(requestHeaders)) {
    // The parser itself refuses what is longer than the whole head, and judges these two.
    if (most >= 16_000 || name === 'content-length' || name === 'transfer-encoding') continue;
    const at = name === 'host' ? [] : ['Host: localhost'];
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(['GET / HTTP/1.1', ...at, `${name}: ${'a'.repeat(most + 1)}`, '', ''].join('\r\n'));
    await once(socket.resume(), 'close');
    expect(seen.traced).not.toHaveProperty([name]);
    expect(seen.verdict?.header?.toLowerCase()).toBe(name);
    expect(seen.verdict?.refusal).toMatchObject({
      code: 'headers_too_large',
      message: `The header ${seen.verdict?.header} has at most ${most} bytes; this one has ${most + 1}.`,
    });
  }
});

test('lines of one name are measured together', async () => {
  await headersOf(...Array.from({ length: 3 }, () => `X-Forwarded-For: ${'1.2.3.4, '.repeat(100)}1.2.3.4`));
  expect(seen.verdict?.header).toBe('X-Forwarded-For');
});

test('a head of more than 100 lines is refused, so that the parser leaves out none without a word', async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1`);
  await headersOf(...lines(99));
  expect(seen.verdict).toBeNull();
  await headersOf(...lines(100));
  expect(seen.verdict?.refusal.message).toBe('A request has at most 100 header lines.');
  expect(seen.verdict).not.toHaveProperty('header');
});

import { type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import type { OutboundErrorKind } from '../../../server/domain/webhook/WebhookTransport.ts';
import { ensureReceiverTls } from '../../../server/platform/developmentTls.ts';
import type { DevelopmentHosts } from '../../../server/platform/outbound/openConnection.ts';

type RawAnswer = {
  /** As it goes over the wire, in latin1. */
  readonly sent: string;
  /** The server closes the connection afterwards. */
  readonly closes?: true;
  /** The status, and what else is read; or how the attempt ends. */
  readonly ends: OutboundErrorKind | { readonly status: number; readonly body?: string; readonly retryAfter?: string };
};

const ok = 'HTTP/1.1 200 OK\r\n';
const empty = 'Content-Length: 0\r\n\r\n';
const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
const bom = '\xEF\xBB\xBF';
const taken = { status: 200 } as const;
const busy = (retryAfter: string) => `HTTP/1.1 503 Service Unavailable\r\n${retryAfter}${empty}`;

/** Answers as servers and what stands in front of them write them, right or wrong. */
export const rawAnswers: Readonly<Record<string, RawAnswer>> = {
  // Interim answers.
  '100 before the answer': { sent: `HTTP/1.1 100 Continue\r\n\r\n${ok}${empty}`, ends: taken },
  '100 without a reason': { sent: `HTTP/1.1 100\r\n\r\n${ok}${empty}`, ends: taken },
  '100 with an empty reason': { sent: `HTTP/1.1 100 \r\n\r\n${ok}${empty}`, ends: taken },
  '100 with fields': { sent: `HTTP/1.1 100 Continue\r\nServer: a\r\nDate: now\r\n\r\n${ok}${empty}`, ends: taken },
  '100 twice': { sent: `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2)}${ok}${empty}`, ends: taken },
  '100 in HTTP/1.0': { sent: `HTTP/1.0 100 Continue\r\n\r\n${ok}${empty}`, ends: taken },
  '100 with a length': { sent: `HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n${ok}${empty}`, ends: taken },
  '100 before a refusal': { sent: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 410 Gone\r\n${empty}`, ends: { status: 410 } },
  '100 before a body': { sent: `HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`, ends: { status: 200, body: 'ok' } },
  '102 and 103 before the answer': { sent: `HTTP/1.1 102 Processing\r\n\r\n${early}${ok}${empty}`, ends: taken },
  '100 and 103 before the answer': { sent: `HTTP/1.1 100 Continue\r\n\r\n${early}${ok}${empty}`, ends: taken },
  '104 and 199, which nobody knows': { sent: `HTTP/1.1 104 Resumable\r\n\r\nHTTP/1.1 199 Odd\r\n\r\n${ok}${empty}`, ends: taken },
  '101 instead of the answer': { sent: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n', ends: 'unasked_upgrade' },
  '101 after 100': { sent: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 Switching Protocols\r\n\r\n', ends: 'unasked_upgrade' },
  '100 with bare line feeds': { sent: `HTTP/1.1 100 Continue\n\n${ok}${empty}`, ends: 'protocol_error' },
  '100 and the end': { sent: 'HTTP/1.1 100 Continue\r\n\r\n', closes: true, ends: 'connection_reset' },
  '100 cut in its head': { sent: 'HTTP/1.1 100 Con', closes: true, ends: 'connection_reset' },
  // Heads.
  'no reason': { sent: `HTTP/1.1 200\r\n${empty}`, ends: taken },
  'a reason in latin1': { sent: `HTTP/1.1 200 Tr\xE8s bien\r\n${empty}`, ends: taken },
  'a status of two digits': { sent: `HTTP/1.1 20 OK\r\n${empty}`, ends: 'protocol_error' },
  'a status of four digits': { sent: `HTTP/1.1 2000 OK\r\n${empty}`, ends: 'protocol_error' },
  'status 000': { sent: `HTTP/1.1 000 Nothing\r\n${empty}`, ends: 'protocol_error' },
  'status 299': { sent: `HTTP/1.1 299 Odd\r\n${empty}`, ends: { status: 299 } },
  'status 600': { sent: `HTTP/1.1 600 Odd\r\n${empty}`, ends: { status: 600 } },
  'HTTP/1.0': { sent: 'HTTP/1.0 200 OK\r\n\r\nok', closes: true, ends: { status: 200, body: 'ok' } },
  'HTTP/2.0 in words': { sent: `HTTP/2.0 200 OK\r\n${empty}`, ends: taken },
  'lower case http': { sent: `http/1.1 200 OK\r\n${empty}`, ends: 'protocol_error' },
  'empty lines first': { sent: `\r\n\r\n${ok}${empty}`, ends: taken },
  'a byte order mark first': { sent: `${bom}${ok}${empty}`, ends: 'protocol_error' },
  'bare line feeds': { sent: 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', ends: 'protocol_error' },
  'one bare line feed': { sent: `${ok}A: b\n${empty}`, ends: 'protocol_error' },
  'bare carriage returns': { sent: 'HTTP/1.1 200 OK\rContent-Length: 0\r\r', ends: 'protocol_error' },
  'a folded field': { sent: `${ok}A: b\r\n c\r\n${empty}`, ends: 'protocol_error' },
  'a blank before the colon': { sent: `${ok}A : b\r\n${empty}`, ends: 'protocol_error' },
  'a NUL in a field': { sent: `${ok}A: b\0c\r\n${empty}`, ends: 'protocol_error' },
  'latin1 in a field': { sent: `${ok}Server: caf\xE9\r\n${empty}`, ends: taken },
  'a field without value': { sent: `${ok}A:\r\n${empty}`, ends: taken },
  'an HTML page instead': { sent: '<html>Bad gateway</html>', closes: true, ends: 'protocol_error' },
  // Dates and waits.
  'a date that is none': { sent: `${ok}Date: yesterday\r\n${empty}`, ends: taken },
  'two dates': { sent: `${ok}Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nDate: 0\r\n${empty}`, ends: taken },
  'a wait in seconds': { sent: busy('Retry-After: 120\r\n'), ends: { status: 503, retryAfter: '120' } },
  'a wait as a date': {
    sent: busy('Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n'),
    ends: { status: 503, retryAfter: 'Sun, 06 Nov 1994 08:49:37 GMT' },
  },
  'two waits': { sent: busy('Retry-After: 60\r\nRetry-After: 600\r\n'), ends: { status: 503, retryAfter: '60' } },
  // Duplicates and framing.
  'two equal lengths': { sent: `${ok}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`, ends: 'protocol_error' },
  'two lengths': { sent: `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok!`, ends: 'protocol_error' },
  'a list of lengths': { sent: `${ok}Content-Length: 2, 2\r\n\r\nok`, ends: 'protocol_error' },
  'a negative length': { sent: `${ok}Content-Length: -1\r\n\r\n`, ends: 'protocol_error' },
  'a length with a sign': { sent: `${ok}Content-Length: +2\r\n\r\nok`, ends: 'protocol_error' },
  'a length beyond 64 bits': { sent: `${ok}Content-Length: 99999999999999999999\r\n\r\n`, ends: 'protocol_error' },
  'a length and chunks': { sent: `${ok}Content-Length: 2\r\n${chunked}2\r\nok\r\n0\r\n\r\n`, ends: 'protocol_error' },
  chunks: { sent: `${ok}${chunked}2\r\nok\r\n0\r\n\r\n`, ends: { status: 200, body: 'ok' } },
  'chunks with extensions': { sent: `${ok}${chunked}2;a="b"\r\nok\r\n0;c\r\n\r\n`, ends: { status: 200, body: 'ok' } },
  'chunks with trailers': { sent: `${ok}Trailer: A\r\n${chunked}2\r\nok\r\n0\r\nA: b\r\nC: d\r\n\r\n`, ends: { status: 200, body: 'ok' } },
  'a chunk size that is none': { sent: `${ok}${chunked}xyz\r\nok\r\n0\r\n\r\n`, ends: 'protocol_error' },
  'a chunk longer than its size': { sent: `${ok}${chunked}1\r\nok\r\n0\r\n\r\n`, ends: 'protocol_error' },
  'chunks with bare line feeds': { sent: `${ok}${chunked}2\nok\n0\n\n`, ends: 'protocol_error' },
  'an unknown coding': { sent: `${ok}Transfer-Encoding: gzip\r\n\r\nok`, closes: true, ends: { status: 200, body: 'ok' } },
  'a body until the end': { sent: `${ok}\r\nok`, closes: true, ends: { status: 200, body: 'ok' } },
  'a body with a byte order mark': { sent: `${ok}Content-Length: 5\r\n\r\n${bom}ok`, ends: { status: 200, body: `${bom}ok` } },
  'more than the length': { sent: `${ok}Content-Length: 2\r\n\r\nokay`, ends: { status: 200, body: 'ok' } },
  'more after Connection: close': { sent: `${ok}Connection: close\r\nContent-Length: 2\r\n\r\nokay`, ends: { status: 200, body: 'ok' } },
  '204 with a length': { sent: 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n', ends: { status: 204 } },
  '304, which nobody asked for': { sent: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n', ends: { status: 304 } },
  '205 with a body': { sent: 'HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nok', ends: { status: 205, body: 'ok' } },
  // Cuts.
  'cut in the status line': { sent: 'HTTP/1.1 20', closes: true, ends: 'connection_reset' },
  'cut in a field': { sent: `${ok}Content-Len`, closes: true, ends: 'connection_reset' },
  'cut before the body': { sent: `${ok}Content-Length: 2\r\n\r\n`, closes: true, ends: 'connection_reset' },
  'cut in the body': { sent: `${ok}Content-Length: 9\r\n\r\nok`, closes: true, ends: 'connection_reset' },
  'cut in a chunk': { sent: `${ok}${chunked}9\r\nok`, closes: true, ends: 'connection_reset' },
  'cut before the last chunk': { sent: `${ok}${chunked}2\r\nok\r\n`, closes: true, ends: 'connection_reset' },
  'cut in the trailers': { sent: `${ok}${chunked}2\r\nok\r\n0\r\nA: b`, closes: true, ends: 'connection_reset' },
};

/** A receiver that answers a POST to the path of an answer with exactly that, whole or byte by byte. */
export async function startRawReceiver(): Promise<{
  readonly developmentHosts: DevelopmentHosts;
  /** How many requests it has had at an answer’s path. */
  requests(name: string): number;
  url(name: string, how: 'whole' | 'bytes'): string;
  close(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-raw-'));
  const { caPem, certPem, keyPem } = await ensureReceiverTls(folder, ['*.hooks.test']);
  await rm(folder, { recursive: true });
  const names = Object.keys(rawAnswers);
  const counts = new Map<string, number>();
  const sockets = new Set<TLSSocket>();
  const server = createServer({ cert: certPem, key: keyPem }, (socket) => {
    sockets.add(socket.setNoDelay(true));
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', (request: Buffer) => {
      const [, how, index] = /^POST \/(whole|bytes)\/(\d+) /.exec(request.toString('latin1')) ?? [];
      const name = names[Number(index)] ?? '';
      counts.set(name, (counts.get(name) ?? 0) + 1);
      void answer(socket, rawAnswers[name] ?? { sent: '' }, how === 'bytes');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    developmentHosts: { hosts: new Map([['raw.hooks.test', { address: '127.0.0.1', port }]]), caPem },
    requests: (name) => counts.get(name) ?? 0,
    url: (name, how) => `https://raw.hooks.test/${how}/${names.indexOf(name)}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(socket: TLSSocket, { sent, closes }: Pick<RawAnswer, 'sent' | 'closes'>, byBytes: boolean): Promise<void> {
  for (const piece of byBytes ? sent : [sent]) {
    if (!socket.writable) return;
    await new Promise<void>((resolve) => socket.write(piece, 'latin1', () => setImmediate(resolve)));
  }
  if (closes) socket.end();
}

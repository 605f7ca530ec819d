import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { OutboundAnswer, OutboundRequest } from '../../../server/domain/webhook/WebhookTransport.ts';
import { createOutbound, type Outbound } from '../../../server/platform/outbound/createOutbound.ts';
import { outboundError } from '../../../server/platform/outbound/OutboundError.ts';
import { WebhookReceiver } from '../../support/clients/webhookReceiver.ts';

let receiver: WebhookReceiver;
let outbound: Outbound;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  outbound = createOutbound({ developmentHosts: receiver.developmentHosts });
});
afterAll(async () => {
  outbound.destroy();
  await receiver.close();
});

const limits = { connectMs: 5_000, totalMs: 10_000, responseHeaderBytes: 16_384, responseBodyBytes: 8_192 };
const post = (url: string, given: Partial<OutboundRequest> = {}): Promise<OutboundAnswer> =>
  outbound.postGuarded({ url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}'), limits, ...given });

test.each([
  ['/a/../b/./c', '/a/../b/./c'],
  ['/%7Euser/%2F?b=%20&a', '/%7Euser/%2F?b=%20&a'],
  ['?only=query', '/?only=query'],
  ['', '/'],
])('a request for %j has exactly the registered path and query, and the body byte for byte', async (path, target) => {
  expect(await post(receiver.url('paths', path))).toMatchObject({ status: 200, address: '127.0.0.1' });
  expect(receiver.at('paths').at(-1)).toMatchObject({ method: 'POST', target, body: Buffer.from('{"a":1}') });
});

test('a request takes neither proxies of the environment nor cookies, names no encodings and follows no redirect', async () => {
  process.env['HTTPS_PROXY'] = process.env['https_proxy'] = 'http://127.0.0.1:9';
  receiver.answer = ({ host }) => ({ status: 307, headers: { location: `https://${host}/elsewhere`, 'set-cookie': 'a=b' } });
  try {
    const url = receiver.url('plain');
    expect(await post(url, { endpointId: 'plain' })).toMatchObject({ status: 307 });
    expect(await post(url, { endpointId: 'plain' })).toMatchObject({ status: 307 });
    expect(receiver.at('plain').map(({ target }) => target)).toEqual(['/webhooks', '/webhooks']);
    expect(Object.keys(receiver.at('plain').at(-1)?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
    ]);
  } finally {
    receiver.answer = () => 200;
    delete process.env['HTTPS_PROXY'];
    delete process.env['https_proxy'];
  }
});

test('an endpoint keeps its connection, which another endpoint at the same host never uses', async () => {
  const url = receiver.url('kept');
  const before = receiver.connections;
  const first = await post(url, { endpointId: 'one' });
  const second = await post(url, { endpointId: 'one' });
  expect(first.phases).toMatchObject({ dnsUs: null, connectUs: expect.any(Number), tlsUs: expect.any(Number) });
  expect(second.phases).toMatchObject({ connectUs: null, tlsUs: null, firstByteUs: expect.any(Number) });
  expect(receiver.connections - before).toBe(1);
  await post(url, { endpointId: 'two' });
  await post(url);
  await post(url);
  expect(receiver.connections - before).toBe(4);
});

test('a kept connection that its server closes instead of answering costs no attempt, but a new one does', async () => {
  const used = new WeakSet<object>();
  let always = false;
  receiver.answer = (_request, { socket }) => {
    if (socket === null || (!always && !used.has(socket))) {
      if (socket) used.add(socket);
      return 200;
    }
    socket.destroy();
    return undefined;
  };
  const url = receiver.url('closing');
  const before = receiver.connections;
  for (let turn = 0; turn < 3; turn += 1) expect(await post(url, { endpointId: 'closing' })).toMatchObject({ status: 200 });
  expect([receiver.at('closing').length, receiver.connections - before]).toEqual([5, 3]);
  always = true;
  expect(await post(url, { endpointId: 'another' })).toMatchObject({ error: 'connection_reset' });
  expect(receiver.at('closing')).toHaveLength(6);
  receiver.answer = () => 200;
});

test('ending the way out ends every attempt as interrupted, and it can be used again', async () => {
  receiver.answer = () => new Promise(() => {});
  const url = receiver.url('silent');
  const stopped = new AbortController();
  const waiting = [post(url, { endpointId: 'silent' }), post(url), post(url, { signal: stopped.signal })];
  await expectRequests('silent', 3);
  stopped.abort();
  expect(await waiting[2]).toMatchObject({ error: 'interrupted' });
  outbound.destroy();
  expect(await Promise.all(waiting)).toEqual(Array(3).fill(expect.objectContaining({ error: 'interrupted' })));
  receiver.answer = () => 204;
  expect(await post(url, { endpointId: 'silent' })).toMatchObject({ status: 204 });
  receiver.answer = () => 200;
});

test('a request that is cut off before it begins is interrupted, sends nothing, and leaves no connection behind', async () => {
  const url = receiver.url('cut');
  expect(await post(url, { endpointId: 'cut' })).toMatchObject({ status: 200 });
  const before = receiver.connections;
  const signal = AbortSignal.abort();
  for (const endpointId of ['cut', 'fresh']) expect(await post(url, { endpointId, signal })).toMatchObject({ error: 'interrupted' });
  expect([receiver.at('cut').length, receiver.connections - before]).toEqual([1, 0]);
  expect(await post(url, { endpointId: 'cut' })).toMatchObject({ status: 200 });
  expect(receiver.connections - before).toBe(1);
});

async function expectRequests(name: string, count: number): Promise<void> {
  while (receiver.at(name).length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a request whose reason has ended while its connection was being made is not sent, and the connection waits for the next one', async () => {
  const url = receiver.url('ended');
  const before = receiver.connections;
  const asked: number[] = [];
  const endsMeanwhile = () => {
    asked.push(receiver.connections - before);
    return asked.length === 1;
  };
  expect(await post(url, { endpointId: 'ended', mayStart: endsMeanwhile })).toMatchObject({ error: 'interrupted' });
  // Asked before connecting, and again right before the request.
  expect([asked, receiver.at('ended')]).toEqual([[0, 1], []]);
  expect(await post(url, { endpointId: 'ended', mayStart: () => false })).toMatchObject({ error: 'interrupted' });
  expect(await post(url, { endpointId: 'ended', mayStart: () => true })).toMatchObject({ status: 200 });
  expect([receiver.at('ended').length, receiver.connections - before]).toEqual([1, 1]);
});

test('a process that can open no more sockets says so, and not that the receiver cannot be reached', async () => {
  expect(outboundError({ code: 'EMFILE' }, 'host_unreachable').kind).toBe('service_error');
  const noSocket = createOutbound({ resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' })) });
  const answer = await noSocket.postGuarded({ url: 'https://a.example/', headers: {}, body: Buffer.alloc(0), limits });
  expect(answer.error).toBe('service_error');
});

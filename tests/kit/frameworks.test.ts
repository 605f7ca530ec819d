import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { WebhookReceiver } from '../../kit/src/webhook.ts';

type Vectors = {
  readonly url: string;
  readonly source: string;
  readonly jwks: { readonly keys: readonly { readonly x: string }[] };
  readonly vectors: readonly { readonly headers: Record<string, string>; readonly body: string }[];
};
const { url, source, jwks, vectors } = JSON.parse(await readFile('kit/vectors/deliveries.json', 'utf8')) as Vectors;
const guide = await readFile('docs/guides/webhooks.md', 'utf8');

let close = () => {};
afterEach(() => close());

/** A receiver that has the delivery's key, at the route of the guide, and how often it has prompted a sync. */
function receiver() {
  const [{ x } = { x: '' }] = jwks.keys;
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  const seen = new Set<string>();
  const made = new WebhookReceiver({
    url,
    freshnessSeconds: 1e12,
    once: ({ id }) => !seen.has(id) && Boolean(seen.add(id)),
    keys: () => Promise.resolve(key),
    expect: { environment: 'sandbox', source },
  });
  const prompts: string[] = [];
  return { handle: made.handler(({ id }) => prompts.push(id), { route: '/svc' }), prompts };
}

/** Sends the first delivery to a server with this listener, twice. Resolves to what was answered. */
async function sendTwice(listener: RequestListener): Promise<(number | undefined)[]> {
  const server = createServer(listener);
  close = () => server.close();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [{ headers, body } = { headers: {}, body: '' }] = vectors;
  const send = async () => {
    const [response] = (await once(request({ port, method: 'POST', path: '/svc', headers }).end(body), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  return [await send(), await send()];
}

test('the receiver listens by itself', async () => {
  const { handle, prompts } = receiver();
  expect([await sendTwice(handle), prompts.length]).toEqual([[204, 204], 1]);
});

test('the line of the guide for Koa gives it the raw request', async () => {
  const { handle, prompts } = receiver();
  const app = new Koa();
  const [, line = ''] = /^\/\/ Koa[^\n]*\n([^\n]+)$/m.exec(guide) ?? [];
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  new Function('app', 'handle', line)(app, handle);
  const answer = app.callback();
  expect([await sendTwice((incoming, response) => void answer(incoming, response)), prompts.length]).toEqual([[204, 204], 1]);
});

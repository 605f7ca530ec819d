import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { failureCause } from '../../../server/domain/webhook/failureCause.ts';
import type { OutboundAnswer } from '../../../server/domain/webhook/WebhookTransport.ts';
import { createOutbound, type Outbound } from '../../../server/platform/outbound/createOutbound.ts';
import { rawAnswers, startRawReceiver } from '../../support/clients/rawAnswers.ts';

let receiver: Awaited<ReturnType<typeof startRawReceiver>>;
let outbound: Outbound;
beforeAll(async () => {
  receiver = await startRawReceiver();
  outbound = createOutbound({ developmentHosts: receiver.developmentHosts });
});
afterAll(async () => {
  outbound.destroy();
  await receiver.close();
});

const names = Object.keys(rawAnswers);
const limits = { connectMs: 60_000, totalMs: 60_000, responseHeaderBytes: 16_384, responseBodyBytes: 8_192 };
const post = (name: string, how: 'whole' | 'bytes', endpointId?: string): Promise<OutboundAnswer> =>
  outbound.postGuarded({
    url: receiver.url(name, how),
    headers: {},
    body: Buffer.from('{}'),
    limits,
    ...(endpointId !== undefined && { endpointId }),
  });

/** What the corpus says about an answer, of what came of it. */
function seen(name: string, { error, status, body, headers }: OutboundAnswer) {
  const expected = rawAnswers[name]?.ends;
  if (error !== undefined || typeof expected === 'string') return error ?? status;
  const retryAfter = headers?.['retry-after'];
  return {
    status,
    ...(expected?.body !== undefined && { body: body?.toString('latin1') }),
    ...(expected?.retryAfter !== undefined && { retryAfter: typeof retryAfter === 'string' ? retryAfter : retryAfter?.[0] }),
  };
}

const expected = Object.fromEntries(names.map((name) => [name, rawAnswers[name]?.ends]));

test.each(['whole', 'bytes'] as const)('each of at least 45 raw answers, sent %s, ends as it should', async (how) => {
  expect(names.length).toBeGreaterThanOrEqual(45);
  const ends: Record<string, unknown> = {};
  for (const name of names) ends[name] = seen(name, await post(name, how));
  expect(ends).toEqual(expected);
});

test('what one answer leaves on a kept connection is never read as the answer to the next request', async () => {
  const ends: Record<string, unknown> = {};
  for (const name of names) {
    ends[name] = seen(name, await post(name, 'whole', 'kept'));
    expect([name, (await post('chunks', 'whole', 'kept')).status]).toEqual([name, 200]);
  }
  expect(ends).toEqual(expected);
});

test('a kept connection that ends after an interim answer costs an attempt, because the request had arrived', async () => {
  expect((await post('chunks', 'whole', 'interim')).status).toBe(200);
  const before = receiver.requests('100 and the end');
  expect(await post('100 and the end', 'whole', 'interim')).toMatchObject({ error: 'connection_reset' });
  expect(receiver.requests('100 and the end') - before).toBe(1);
});

test.each(['protocol_error', 'unasked_upgrade', 'timeout', 'response_headers_too_large', 'response_too_large'] as const)(
  'where this service ends the connection (%s), the words say so',
  (error) => expect(failureCause({ status: null, error }).what).toMatch(/\bwe ended the connection\b/),
);

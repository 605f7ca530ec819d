import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { judgeProbe } from '../../server/domain/webhook/receiver-check/judgeProbe.ts';
import { makeProbe, newProbeEvent } from '../../server/domain/webhook/receiver-check/makeProbe.ts';
import { probeKinds } from '../../server/domain/webhook/receiver-check/probes.ts';
import { canLimitDisk, canRun, GuideReceiver, receiverLanguages, type Sent, startKeySet } from '../support/clients/guideReceiver.ts';
import { bytesOf, type deliveryVectors } from '../support/kit/deliveryVectors.ts';
import { foreign, newKey, path, testDeliveries, unusualBodies, url } from '../support/webhooks/testDeliveries.ts';

/** An event that occurred three days ago. */
const time = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString();
const [key, nextKey, stranger] = [newKey(), newKey(), newKey()];
const nowInSeconds = () => Math.floor(Date.now() / 1000);
let events = 0;
const newEventId = () => `evt_${String((events += 1)).padStart(26, '0')}`;
const { delivery, withHeader, broken } = testDeliveries({ key, stranger, time, nowInSeconds, newEventId });

describe.each(receiverLanguages)('the guide’s receiver in %s', (language) => {
  if (!canRun(language)) {
    test.skip(`is not run, because this machine cannot run ${language}`, () => {});
    return;
  }
  const probeEvent = newProbeEvent();
  let receiver: GuideReceiver;
  let keySet: Awaited<ReturnType<typeof startKeySet>>;
  const settings = () => ({ WEBHOOK_URL: url, JWKS_URL: keySet.url, EVENT_SOURCE: 'https://api.example', ENVIRONMENT: 'sandbox' });
  const accepted: string[] = [];
  const accept = async (sent: Sent & { eventId: string }) => {
    expect(await receiver.send(sent)).toMatchObject({ status: 204 });
    if (!accepted.includes(sent.eventId)) accepted.push(sent.eventId);
  };
  beforeAll(async () => {
    keySet = await startKeySet([key.jwk]);
    receiver = await GuideReceiver.prepare(language);
    await receiver.start({ ...settings(), ANSWER_CHALLENGES: 'true' });
    // Go compiles its standard library too on a machine where it has built nothing yet.
  }, 240_000);
  afterAll(async () => {
    keySet?.close();
    await receiver?.close();
  });

  test('answers the challenge exactly, while it is proven', async () => {
    const challenge = 'n3wQ0mVJ7kqS1dO2yXh5tZ8uBvC4eF6gH9iKjLlMnPo';
    const body = Buffer.from(JSON.stringify({ type: 'svc.webhook.verification', challenge }));
    const { status, text } = await receiver.send({ path, headers: { 'Content-Type': 'application/json' }, body });
    expect([status, JSON.parse(text)]).toEqual([200, { challenge }]);
  });

  test('accepts a good delivery', () => accept(delivery()));

  test.each(probeKinds)('passes the probe “%s” of the receiver check', async (kind) => {
    const occurredAt = new Date(time);
    const probe = makeProbe(kind, {
      url,
      source: 'https://api.example',
      key,
      event: probeEvent,
      occurredAt,
      beganAt: new Date(),
      now: new Date(),
    });
    const { status } = await receiver.send({ path, ...probe });
    expect(judgeProbe(kind, { status, error: null })).toEqual({ verdict: 'passed', mend: null });
    const eventId = probe.headers['X-SVC-Event-ID'] ?? '';
    if (status < 300 && !accepted.includes(eventId)) accepted.push(eventId);
  });

  test.each(foreign)('finds its signature beside another with %s, before and after it', async (_what, input, signature) => {
    for (const joined of [(a = '', b = '') => `${a} ,\t${b}`, (a = '', b = '') => `${b},${a}`]) {
      const { headers, ...sent } = delivery();
      await accept({
        ...sent,
        headers: {
          ...headers,
          'Signature-Input': joined(input, headers['Signature-Input']),
          Signature: joined(signature, headers['Signature']),
        },
      });
    }
  });

  test('takes its signature with parameters, too', async () => {
    const eventId = newEventId();
    await accept({ ...withHeader('Signature', (value) => `${value};a=1;b`, delivery({ eventId })), eventId });
  });

  test.each(unusualBodies)('accepts %s', async (_what, more) => {
    const { eventId, body } = delivery();
    await accept(delivery({ eventId, body: Buffer.from(body.toString().replace('"data"', `${more},"data"`)) }));
  });

  test('answers an object that is nested deeply with 2xx or 4xx, so that it does not come again, and survives it', async () => {
    for (const levels of [900, 995, 9_998, 9_999, 10_000, 12_000]) {
      const { eventId, body } = delivery();
      const nested = body.toString().replace('"data"', `"more":${'['.repeat(levels)}${']'.repeat(levels)},"data"`);
      const { status } = await receiver.send(delivery({ eventId, body: Buffer.from(nested) }));
      expect([204, 400]).toContain(status);
      if (status === 204) accepted.push(eventId);
    }
  });

  test.each([1, 7, 100_000])('accepts a body in chunks of %i bytes, as proxies send them', (chunkSize) =>
    accept({ ...delivery(), chunkSize }),
  );

  test('reads chunks with extensions and trailers, and the next request after them', async () => {
    const requests = [delivery(), delivery()].map(({ eventId, headers, body }) => {
      accepted.push(eventId);
      const fields = Object.entries({ ...headers, Host: 'receiver.hooks.test', 'Transfer-Encoding': 'Chunked' });
      const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const chunk = `${body.length.toString(16).toUpperCase()};name="a b"\r\n${body.toString()}\r\n0\r\nX-Trailer: 1\r\n\r\n`;
      return (last: boolean) => `POST ${path} HTTP/1.1\r\n${head}${last ? 'Connection: close\r\n' : ''}\r\n${chunk}`;
    });
    expect(await receiver.sendRaw(requests.map((make, at) => make(at === requests.length - 1)).join(''))).toEqual([204, 204]);
  });

  test.each([
    ['chunks with a size that is no number', 'Transfer-Encoding: chunked', 'x\r\n'],
    ['a chunk that is longer than it says', 'Transfer-Encoding: chunked', '1\r\nabc\r\n0\r\n\r\n'],
  ])('refuses %s', async (_what, framing, body) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: receiver.hooks.test\r\nConnection: close\r\n${framing}\r\n\r\n`;
    expect(await receiver.sendRaw(head + body)).toEqual([400]);
  });

  test.each(broken)('%s: refuses %s', async (_rule, _what, status, make) => {
    expect(await receiver.send(make())).toMatchObject({ status });
  });

  test('rule 2: never accepts an unknown key, and reads the key set no more often than its limit for all of them', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => receiver.send(delivery({ key: newKey() }))));
    // The receiver check had it read the key set. Until it may do so again, it cannot know whether a key is new: the delivery is to come again.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(keySet.reads).toBe(2);
  });

  test('rule 5: accepts what was signed by a clock that is nearly five minutes slow or fast', async () => {
    await accept(delivery({ created: nowInSeconds() - 270 }));
    await accept(delivery({ created: nowInSeconds() + 298 }));
  });

  test('rule 5: accepts an event that is days old, if the attempt is new', async () => {
    expect(delivery().headers['X-SVC-Event-Timestamp']).toBe(time);
    await accept(delivery());
  });

  test('rule 7: answers 2xx to an event that it has committed, and applies it once, however often and with whatever it comes', async () => {
    const eventId = newEventId();
    await Promise.all(Array.from({ length: 8 }, () => accept(delivery({ eventId }))));
    await accept(delivery({ eventId, created: nowInSeconds() - 30 }));
  });

  const onFullDisk = canLimitDisk(language) ? test : test.skip;
  onFullDisk('rule 7: refuses for now what a full disk has no room for, and keeps what comes after it', async () => {
    const tooMuch = delivery();
    receiver.limitDisk(true);
    expect(await receiver.send(tooMuch)).toMatchObject({ status: 503 });
    receiver.limitDisk(false);
    await accept(delivery());
    await accept(tooMuch);
    await accept(delivery());
  });

  test('rule 7: still knows after a loss of power what it has answered with 2xx', async () => {
    const last = delivery();
    await accept(last);
    await receiver.kill();
    await receiver.start({ ...settings(), JWKS_REFRESH_SECONDS: '0' });
    const before = [...receiver.applied];
    for (const eventId of accepted) await accept(delivery({ eventId }));
    expect(receiver.applied.slice(before.length).filter((id) => id !== last.eventId)).toEqual([]);
  });

  test('rule 2: takes up a new key from the key set, and refuses one that is not in it', async () => {
    expect(await receiver.send(delivery({ key: nextKey }))).toMatchObject({ status: 401 });
    keySet.keys = [key.jwk, nextKey.jwk];
    await accept(delivery({ key: nextKey }));
  });

  test('rule 2: has deliveries come again while the key set has not been read for longer than it is trusted', async () => {
    await receiver.kill();
    await receiver.start({ ...settings(), JWKS_REFRESH_SECONDS: '0', JWKS_TRUSTED_SECONDS: '0' });
    await accept(delivery());
    keySet.down = true;
    expect(await receiver.send(delivery())).toMatchObject({ status: 503 });
    keySet.down = false;
    await accept(delivery());
  });

  test('answers no challenge once it has been proven', async () => {
    const body = Buffer.from(JSON.stringify({ type: 'svc.webhook.verification', challenge: 'x' }));
    expect(await receiver.send({ path, headers: {}, body })).toMatchObject({ status: 401 });
  });

  test('has applied what it accepted once, and nothing else', async () => {
    await receiver.kill();
    await receiver.start(settings());
    await receiver.kill();
    // Only the work of the moment at which it was killed may have been done twice.
    expect(new Set(receiver.applied)).toEqual(new Set(language === 'go' ? receiver.applied : accepted));
    expect(receiver.applied.filter((id) => !accepted.includes(id))).toEqual([]);
  });

  test('judges every delivery of the kit’s vectors as they say', async () => {
    const {
      vectors,
      jwks,
      received_at: at,
    } = JSON.parse(readFileSync('kit/vectors/deliveries.json', 'utf8')) as ReturnType<typeof deliveryVectors>;
    const recorded = await startKeySet(jwks.keys);
    await receiver.start({ ...settings(), JWKS_URL: recorded.url, JWKS_REFRESH_SECONDS: '0' }, at);
    const wrong: string[] = [];
    for (const vector of vectors) {
      const { status } = await receiver.send({
        method: vector.method,
        path: vector.target,
        headers: vector.headers,
        body: bytesOf(vector),
      });
      if (status !== vector.status) wrong.push(`${vector.name}: ${status}`);
    }
    recorded.close();
    expect(wrong).toEqual([]);
    expect(vectors.length).toBeGreaterThanOrEqual(60);
  });
});

import { createPrivateKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { deliveryEnvelope } from '../../../server/domain/webhook/envelope.ts';
import { eventTypeFacts } from '../../../server/domain/outbox/eventTypeFacts.ts';
import { webhookEventTypes } from '../../../server/domain/outbox/eventTypes.ts';
import { thumbprint } from '../../../server/domain/webhook/signing/jwks.ts';
import { signDelivery } from '../../../server/domain/webhook/signing/signDelivery.ts';
import { complaintsAboutDelivery, describedMessages, expectDescribed, messagesOf } from '../../support/clients/asyncContract.ts';
import { complaintsOfSchema } from '../../support/clients/contract.ts';

/** The example key of RFC 8037, A.1. */
const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
const key = { kid: thumbprint(x), privateKey: createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x, d } }) };
const signed = Object.entries(describedMessages).filter(([, { name }]) => !name.startsWith('svc.'));

const withoutSnapshots = signed.filter(([message]) => !message.endsWith('WithSnapshot'));

const withSnapshot = webhookEventTypes.filter((type) => eventTypeFacts[type].about === 'resource');

test('rest-api/contract/asyncapi.yaml describes every type of event, with a snapshot too where it is about a resource', () => {
  const described = signed.map(([message, { name }]) => `${name}${message.endsWith('WithSnapshot') ? ' with snapshot' : ''}`);
  expect(described.toSorted()).toEqual([...webhookEventTypes, ...withSnapshot.map((type) => `${type} with snapshot`)].toSorted());
});

test('either mode delivers every type of event, and full-payload mode each that has a snapshot with it', () => {
  const keyed = (message: string) => `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  const plain = signed.map(([message]) => message).filter((message) => !message.endsWith('WithSnapshot'));
  const full = plain.map((message) => (`${message}WithSnapshot` in describedMessages ? `${message}WithSnapshot` : message));
  expect(messagesOf('notify').toSorted()).toEqual(plain.map(keyed).toSorted());
  expect(messagesOf('notifyWithSnapshot').toSorted()).toEqual(full.map(keyed).toSorted());
});

test.each(Object.entries(describedMessages))('the example of %s is as described', (_name, { headers, payload, examples }) => {
  expect(examples).not.toEqual([]);
  for (const example of examples) {
    expect(complaintsOfSchema(payload, example.payload)).toEqual([]);
    if (headers) expect(complaintsOfSchema(headers, example.headers)).toEqual([]);
  }
});

test.each(withoutSnapshots)('%s never brings a snapshot', (_name, { payload, examples }) => {
  // As readers' validators take it, which let pass what is not described.
  const valid = new Ajv2020({ strict: false, validateFormats: false }).compile(payload);
  for (const { payload: sent } of examples) {
    const withData = (more: object) => ({ ...sent, data: { ...(sent as { data: object }).data, ...more } });
    expect([{ later: 1 }, { snapshot: {} }, { history_complete: true }].map((more) => valid(withData(more)))).toEqual([true, false, false]);
  }
});

test.each(withoutSnapshots)('%s is described for the types of resource to which it refers', (_name, { name, payload, examples }) => {
  const valid = new Ajv2020({ strict: false, validateFormats: false }).compile(payload);
  const { resourceTypes } = eventTypeFacts[name as keyof typeof eventTypeFacts];
  for (const { payload: sent } of examples) {
    const { data } = sent as { data: { resource?: object } };
    expect('resource' in data).toBe(resourceTypes.length > 0);
    const asType = (type: string) => ({ ...sent, data: { ...data, resource: { ...data.resource, type } } });
    if (data.resource) expect(['order', 'vehicle'].filter((type) => valid(asType(type)))).toEqual(resourceTypes);
  }
});

test.each(signed)('readers can verify the example of %s, and the service would send exactly that', (_name, { examples }) => {
  for (const { headers = {}, payload } of examples) {
    const { id, time } = payload as { id: string; time: string };
    const created = Number(/created=(\d+)/.exec(headers['Signature-Input'] ?? '')?.[1]);
    const body = Buffer.from(JSON.stringify(payload));
    expect(signDelivery({ url: 'https://hooks.example/svc', body, eventId: id, eventTimestamp: time, created, key })).toEqual(headers);
    // A delivery is never older than its attempt.
    expect(created * 1000).toBeGreaterThanOrEqual(Date.parse(time));
  }
});

test('a delivery with anything that is not described is noticed', () => {
  const event = { id: 'evt_01j4m7q0t3w6z9c2f5h8k1n4r7', type: 'statistics.updated', occurredAt: new Date(0) } as const;
  const generationId = 'gen_0e7m2q5t8w1z4c6f9h2k5n8r1v';
  const body = deliveryEnvelope({ event: { ...event, generationId }, source: 'https://api.example', environment: 'sandbox' });
  const request = (text: string, more: Record<string, string> = {}) => {
    const bytes = Buffer.from(text);
    const eventTimestamp = '1970-01-01T00:00:00.000Z';
    const headers = signDelivery({
      url: 'https://hooks.example',
      body: bytes,
      eventId: event.id,
      eventTimestamp,
      created: 1_795_255_205,
      key,
    });
    return { method: 'POST', rawHeaders: Object.entries({ Host: 'hooks.example', ...headers, ...more }).flat(), body: bytes };
  };
  expectDescribed(request(body));
  expect(() => expectDescribed(request(body, { Cookie: 'a=b' }))).toThrow('Cookie');
  expect(() => expectDescribed(request(body.replace('gen_', 'xxx_')))).toThrow('/data/generation_id');
  expect(complaintsAboutDelivery(request(body.replace('"data":{', '"data":{"user":"u-1",')))).toEqual([expect.stringContaining('"user"')]);
  expect(() => expectDescribed(request(body.replace('statistics.updated', 'order.deleted')))).toThrow('no message is described');
  expect(() => expectDescribed({ ...request(body), method: 'PUT' })).toThrow('the method is PUT');
});

import { generateKeyPairSync, hash, verify } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { reasonWords } from '../../portal-web/src/features/webhook-deliveries/deliveryWords.ts';
import { sentHeaders, signatureBase } from '../../portal-web/src/pages/integration/webhook-delivery/sentHeaders.ts';
import { checkWords } from '../../portal-web/src/features/webhook-tests/checkWords.ts';
import { healthOf } from '../../portal-web/src/features/webhooks/endpointHealth.ts';
import { valuesOf } from '../../portal-web/src/features/webhooks/endpointValues.ts';
import { eventTypes, eventTypeWords } from '../../portal-web/src/features/webhooks/webhookWords.ts';
import { deliveryEnvelope } from '../../server/domain/webhook/envelope.ts';
import { failureCause } from '../../server/domain/webhook/failureCause.ts';
import { deliveryReasons, type DeliveryReason } from '../../server/domain/outbox/deliveryFacts.ts';
import { eventTypeFacts } from '../../server/domain/outbox/eventTypeFacts.ts';
import { webhookEventTypes, type WebhookEventType } from '../../server/domain/outbox/eventTypes.ts';
import { signDelivery } from '../../server/domain/webhook/signing/signDelivery.ts';
import { specifiedUnder, unsaid } from '../support/words/unsaid.ts';

test('an owner reads in whole sentences why a delivery is held, was discarded or is a dead letter, whichever the reason is', () => {
  const reasons = Object.entries(deliveryReasons).flatMap(([state, codes]) => codes.map((code) => [state as 'held', code] as const));
  expect(reasons.length).toBeGreaterThan(10);
  const wordless = reasons.filter(([state, code]) => !/^[A-Z][^“]+\.$/.test(reasonWords(state, code, 'resource_updated') ?? ''));
  expect(wordless).toEqual([]);
});

test('an owner reads what brings the same as a delivery that was held for too long, by the type of its event', () => {
  const told = (type: keyof typeof eventTypeWords | 'unknown') => reasonWords('discarded', 'window_over_while_held', type);
  const words = { sync: 'A sync brings', statistics: 'next read of statistics', refusals: 'every call is refused' };
  expect(eventTypes.map(told)).toEqual(
    eventTypes.map((type) => expect.stringContaining(words[eventTypeFacts[eventTypeWords[type].name].pulledBy])),
  );
  expect(told('unknown')).toBe('It was held until its delivery window ended.');
});

test('an owner reads what a status of the receiver means and the step that helps, or that the receiver never got it', () => {
  const titled = (status: number | null, reason: DeliveryReason | null = null) => failureCause({ status, error: null, reason });
  expect([302, 403, 404, 405, 410, 422, 429, 500].map((status) => titled(status).title)).toEqual(
    [302, 403, 404, 405, 410, 422, 429, 500].map((status) => `Status ${status}`),
  );
  for (const status of [401, 403])
    for (const word of ['registered URL', 'clock', 'keys', 'receiver check']) expect(titled(status).next).toContain(word);
  expect(titled(404).what).toBe('Nothing answers at this path.');
  expect(titled(422).what).toBe('Your receiver does not accept the request.');
  expect(titled(503).next).toBe('Check its log.');
  expect(titled(null, 'endpoint_not_active').what).toBe('The endpoint was not active before their delivery window ended.');
  // An answer that was not complete says nothing by its status.
  expect(failureCause({ status: 200, error: 'timeout' }).title).toBe('Answer timed out');
});

test('a receiver check in which something was not tried is not marked as good, and says what that was', () => {
  const probe = (verdict: 'passed' | 'advice' | 'failed' | 'not_sent', title = 'A delivery') => ({ verdict, title });
  const all = [probe('passed'), probe('advice')];
  expect(checkWords({ passed: true, probes: all })).toEqual({ tone: 'good', word: 'Receiver follows the rules', untried: null });
  expect(checkWords({ passed: true, probes: [...all, probe('not_sent', 'An event of production')] })).toEqual({
    tone: 'neutral',
    word: 'Receiver follows the rules that were checked',
    untried: 'Not checked: An event of production',
  });
  expect(checkWords({ passed: false, probes: [probe('failed'), probe('not_sent')] })).toMatchObject({ tone: 'bad', untried: null });
});

test('the types of events have the names in eventTypeWords (portal-web/src/features/webhooks/webhookWords.ts) that they have on the wire', () => {
  expect(Object.values(eventTypeWords).map(({ name }) => name)).toEqual(webhookEventTypes);
});

test('who edits an endpoint on a page of the release before does not take away the types that this one has brought', () => {
  const brought = 'brought_later' as (typeof eventTypes)[number];
  const endpoint = { url: 'https://hooks.example.com', payloadMode: 'notification', description: '' } as const;
  expect(valuesOf({ ...endpoint, eventTypes: ['resource_granted', brought, 'unknown'] }).eventTypes).toEqual(['resource_granted', brought]);
});

test('owners read of each type that the first release did not have, since their endpoints do not subscribe to it', () => {
  const first = readFileSync('migrations/baseline/15-webhook.sql', 'utf8');
  const later = webhookEventTypes.filter((type) => !first.includes(`'${type}'`));
  expect(later.length).toBeLessThan(webhookEventTypes.length);
  // Unless the migration adds it to the event_types of those that had all, the changelog has to ask its readers to choose it.
  expect(later.flatMap((type) => unsaid('docs/guides/changelog.md', `\`${type}\``))).toEqual([]);
});

test('the headers that a page shows of an attempt are those that were signed and sent, apart from the signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const url = 'https://hooks.example.com:443/a%2Fb?c';
  const [eventId, eventTimestamp] = ['evt_0123456789abcdefghjkmnpqrs', '2026-11-22T10:00:00.123Z'];
  const startedAt = '2026-11-22T10:00:05.900Z';
  const body = Buffer.from('{}');
  const created = Math.floor(Date.parse(startedAt) / 1000);
  const sent = signDelivery({ url, body, eventId, eventTimestamp, created, key: { kid: 'a-key', privateKey } });
  const attempt = { eventId, eventTimestamp, startedAt, keyId: 'a-key', bodySha256: hash('sha256', body, 'base64') };
  expect(sentHeaders(attempt)).toEqual(Object.entries(sent).map(([name, value]) => [name, name === 'Signature' ? null : value]));
  const lines = Buffer.from(signatureBase(attempt, url));
  const signature = Buffer.from(sent.Signature.slice('svc=:'.length, -1), 'base64');
  expect(verify(null, lines, publicKey, signature)).toBe(true);
  expect(signatureBase({ ...attempt, bodySha256: null }, url)).toContain('"content-digest": YOUR_CONTENT_DIGEST\n');
});

const now = new Date('2026-11-22T12:00:00Z');
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
const calm = {
  lastSuccessAt: ago(1),
  failingSince: null,
  failuresInRow: 0,
  waiting: 0,
  held: 0,
  dead: 0,
  nextAttemptAt: null,
  lastFailure: null,
  deadLetterCause: null,
};
const well = {
  status: 'active',
  environment: 'production',
  statusChangedAt: ago(18 * 24),
  pausedBy: null,
  pauseReason: null,
  removedAt: null,
  health: calm,
  challenge: null,
} as const;
const open = {
  status: 'active',
  statusChangedAt: ago(20 * 24),
  productionDataEnabled: true,
  productionDataStoppedAt: null,
} as const;
const suspended = { ...open, status: 'suspended', statusChangedAt: ago(48) } as const;
const closed = { ...open, productionDataEnabled: false, productionDataStoppedAt: ago(5) } as const;
const lastFailure = { title: 'Status 503', what: 'Your receiver failed.' };
const deadLetterCause = { title: 'Status 410', what: 'Your receiver says that it is gone.' };
const failing = { ...calm, failingSince: ago(3), failuresInRow: 7, dead: 2, nextAttemptAt: ago(-1), lastFailure };

test.each([
  ['works', well, open, 'good', 'Working', 'Deliveries arrive.'],
  ['has got nothing yet', { ...well, health: { ...calm, lastSuccessAt: null } }, open, 'neutral', 'Ready', 'Nothing has been sent yet.'],
  [
    'has dead letters',
    { ...well, health: { ...calm, dead: 2, lastFailure, deadLetterCause } },
    open,
    'waiting',
    '2 events not delivered',
    'Status 410: Your receiver says that it is gone. The events are not retried automatically: fix the receiver, and replay them. Other deliveries get through, most recently 1 hour ago.',
  ],
  [
    'fails',
    { ...well, health: failing },
    open,
    'bad',
    'Failing for 3 hours',
    'Status 503: Your receiver failed. The next attempt is in 1 hour. 2 events are not retried: fix the receiver, and replay them.',
  ],
  [
    'fails and has dead letters for another reason',
    { ...well, health: { ...failing, waiting: 4, deadLetterCause } },
    open,
    'bad',
    'Failing for 3 hours',
    'Status 503: Your receiver failed. 4 events are tried again, the next in 1 hour. 2 events are not retried (most recently: status 410): fix the receiver, and replay them.',
  ],
  [
    'has failed for seconds',
    { ...well, health: { ...calm, failingSince: new Date(now.getTime() - 20_000).toISOString(), failuresInRow: 7, lastFailure } },
    open,
    'bad',
    'Just started failing',
    'Status 503: Your receiver failed.',
  ],
  [
    'fails behind a closed gate',
    { ...well, health: failing },
    closed,
    'neutral',
    'Held for 5 hours',
    'The production gate is closed. Deliveries continue once administrators have opened it. Only resource.revoked, connection.revoked and integration.suspended are still sent.',
  ],
  ['works in the sandbox, whatever the gate', { ...well, environment: 'sandbox' }, closed, 'good', 'Working', ''],
  [
    'is behind a gate that was never open',
    well,
    { ...closed, productionDataStoppedAt: null },
    'neutral',
    'Held',
    'The production gate is closed. Deliveries continue once administrators have opened it',
  ],
  [
    'became active during a suspension',
    { ...well, statusChangedAt: ago(3) },
    suspended,
    'neutral',
    'Held for 3 hours',
    'The integration is suspended. Deliveries continue once an administrator reactivates it',
  ],
  [
    'is held by a suspension, also in the sandbox',
    { ...well, environment: 'sandbox' },
    suspended,
    'neutral',
    'Held for 2 days',
    'The integration is suspended. Deliveries continue once an administrator reactivates it',
  ],
  [
    'is paused',
    { ...well, status: 'paused', pausedBy: 'owner', health: { ...failing, held: 3 } },
    open,
    'waiting',
    'Paused',
    '3 deliveries are held until then.',
  ],
  [
    'is paused, and nothing waits for it',
    { ...well, status: 'paused', pausedBy: 'owner' },
    open,
    'stopped',
    'Paused',
    'Nothing is sent until you resume it.',
  ],
  [
    'is paused by staff',
    { ...well, status: 'paused', pausedBy: 'administrator', pauseReason: 'It floods us.' },
    open,
    'bad',
    'Paused by an administrator',
    'The reason: It floods us.',
  ],
  ['was never challenged', { ...well, status: 'registered' }, open, 'waiting', 'Not proven', 'until the endpoint has answered a challenge'],
  [
    'is being challenged',
    { ...well, status: 'registered', challenge: { status: 'pending', steps: [] } },
    open,
    'working',
    'Being proven',
    '',
  ],
  [
    'failed its first challenge',
    { ...well, status: 'registered', challenge: { status: 'failed', steps: [{ name: 'tls', outcome: 'failed' }] } },
    open,
    'waiting',
    'Not proven',
    'Nothing is sent: the last challenge failed at the TLS handshake',
  ],
  [
    'failed the challenge of another URL, for which deliveries wait',
    { ...well, status: 'registered', challenge: { status: 'failed', steps: [] }, health: { ...calm, waiting: 2 } },
    open,
    'waiting',
    'Not proven',
    'Nothing is sent: the last challenge failed',
  ],
  [
    'is removed',
    { ...well, status: 'removed', removedAt: ago(48), health: failing },
    open,
    'stopped',
    'Removed 2 days ago',
    'Nothing is sent to it any more.',
  ],
] as const)('the health of an endpoint that %s is one line: the worst of its signals', (_, endpoint, integration, tone, title, words) => {
  const told = healthOf(endpoint, integration, now);
  expect([told.tone, told.title]).toEqual([tone, title]);
  expect(told.words).toContain(words);
});

type Cause = {
  /** What emits it, and the test that fails if that does not: its file, and words of it. */
  readonly by: string;
  readonly test: readonly [file: string, words: string];
  /** Where those who are told of the cause read of its event: the guide, and the dialog if a person decides it on a page. */
  readonly told: readonly (readonly [file: string, words: string])[];
};
const sharing = 'tests/domain/outbox/discardDeliveries.test.ts';

/** Everything that causes an event, so that each cause has its test, and not only each type. */
const causes: Readonly<Record<WebhookEventType, readonly [Cause, ...Cause[]]>> = {
  'connection.created': [
    {
      by: 'sharing/link-code/redeemLinkCode.function.ts',
      test: [sharing, "['connection.created', connectionId, 'pending']"],
      told: [['docs/guides/webhooks.md', '`connection.created`']],
    },
  ],
  'resource.granted': [
    {
      by: 'sharing/shareResources.function.ts',
      test: [sharing, "['resource.granted', kept, 'pending']"],
      told: [['docs/guides/webhooks.md', '`resource.granted`']],
    },
  ],
  'resource.updated': [
    {
      by: 'feed/publish.ts',
      test: ['tests/domain/feed/publish.test.ts', "type = 'resource.updated'"],
      told: [['docs/guides/sandbox.md', '`resource.updated`']],
    },
    {
      by: 'sharing/consent/changeConsent.ts',
      test: [sharing, "['resource.updated', order, 'pending']"],
      told: [['docs/guides/webhooks.md', '`resource.updated`']],
    },
  ],
  'resource.revoked': [
    {
      by: 'sharing/revocation/revokeResources.ts',
      test: [sharing, "['resource.revoked', revoked, 'pending']"],
      told: [['docs/guides/deletions.md', '`resource.revoked`']],
    },
  ],
  'connection.revoked': [
    {
      by: 'sharing/revocation/revokeConnections.ts',
      test: [sharing, "['connection.revoked', 'pending']"],
      told: [['docs/guides/deletions.md', '`connection.revoked`']],
    },
  ],
  'statistics.updated': [
    {
      by: 'statistics/storeGeneration.ts',
      test: ['tests/domain/statistics/publishStatisticsGeneration.test.ts', "[{ type: 'statistics.updated', generation_id:"],
      told: [['docs/guides/sandbox.md', '`statistics.updated`']],
    },
  ],
  'integration.suspended': [
    {
      by: 'integration/status/changeAccess.ts',
      test: ['tests/portal-api/integration/stateTable.test.ts', "[{ type: 'integration.suspended' }]"],
      told: [['docs/guides/production.md', 'It has an event, `integration.suspended`']],
    },
  ],
};

test('each cause of an event emits it, has a test that says so, and is told where people read of it', () => {
  const emitting = globSync('server/domain/**/*.ts')
    .map((file) => ({ by: file.replace('server/domain/', ''), text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /\bawait emitEvent\(|\bperform store_events\(/.test(text));
  const found = webhookEventTypes.flatMap((type) =>
    emitting.filter(({ text }) => text.includes(`'${type}'`)).map(({ by }) => `${type}: ${by}`),
  );
  const expected = Object.entries(causes).flatMap(([type, rows]) => rows.map(({ by }) => `${type}: ${by}`));
  expect(found.toSorted()).toEqual(expected.toSorted());
  // A dialog tells people in their own words.
  const sayings = Object.entries(causes).flatMap(([type, rows]) =>
    rows.flatMap(({ test: shown, told }) => [
      { type, where: shown, says: shown[1].includes(`'${type}'`) },
      ...told.map((where) => ({ type, where, says: !where[0].startsWith('docs/') || where[1].includes(`\`${type}\``) })),
    ]),
  );
  expect(sayings.flatMap(({ where }) => unsaid(...where))).toEqual([]);
  expect(sayings.flatMap(({ type, where, says }) => (says ? [] : [`${where.join(': ')} does not name ${type}`]))).toEqual([]);
});

const event = {
  id: 'evt_1',
  occurredAt: new Date(0),
  connectionId: 'con_1',
  resource: { id: 'ord_1', type: 'order' },
  revocationId: 'rev_1',
  deletionDeadlineAt: new Date(0),
  generationId: 'gen_1',
} as const;
const documented = [
  ['docs/specification.md, “Envelope”,', specifiedUnder('### Envelope'), 1],
  ['docs/guides/webhooks.md, “What arrives”,', readFileSync('docs/guides/webhooks.md', 'utf8').split('\n## What arrives\n')[1] ?? '', 2],
] as const;

test.each(documented)('%s says what the data of each type holds', (where, text, column) => {
  const rows = [...text.matchAll(/^\| (`[a-z]+\.[a-z]+`.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
  const missing = webhookEventTypes.flatMap((type) => {
    const envelope = deliveryEnvelope({ event: { ...event, type }, source: 'https://api.example', environment: 'sandbox' });
    const { data } = JSON.parse(envelope) as { data: object };
    const names = Object.keys(data).map((name) => `\`${name}\``);
    const told = rows.find(([types = '']) => types.includes(`\`${type}\``))?.[column] ?? '';
    return (names.length === 0 ? ['nothing'] : names)
      .filter((name) => !told.includes(name))
      .map((name) => `${where} has to name ${name} in the row of ${type}`);
  });
  expect(missing).toEqual([]);
});

test('whatever an event refers to is told of it in the portal as well', () => {
  const [, columns = ''] = /^create table webhook_event \(([^;]+)\);/m.exec(readFileSync('schema.sql', 'utf8')) ?? [];
  const references = [...columns.matchAll(/^ {2}(\w+)_id text/gm)].map(([, name = '']) => `${name}Id: ID`);
  expect(references).toContain('connectionId: ID');
  const [, fields = ''] = /^type WebhookEvent \{([^}]+)\}/m.exec(readFileSync('schema.graphql', 'utf8')) ?? [];
  expect(references.filter((reference) => !fields.includes(`  ${reference}\n`))).toEqual([]);
});

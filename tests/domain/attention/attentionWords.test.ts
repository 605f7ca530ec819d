import { expect, test } from '@jest/globals';
import { attentionOf } from '../../../server/domain/attention/attentionOf.ts';
import type { ClientFacts, EndpointFacts, IntegrationFacts } from '../../../server/domain/attention/facts/IntegrationFacts.ts';
import { healthOf } from '../../../server/domain/attention/healthOf.ts';
import { nextStep } from '../../../server/domain/attention/nextStep.ts';
import { attentionWords } from '../../../server/domain/notification/words/attentionWords.ts';
import type { ErrorCode } from '../../../server/domain/shared/errorCatalogue.ts';
import { environments } from '../../../server/domain/shared/environment.ts';
import { type DeletionCounts, noDeletions } from '../../../server/domain/sharing/deletion/deletionCounts.ts';
import {
  before,
  certificateFacts,
  clientFacts,
  due,
  endpointFacts,
  endsAt,
  inProduction,
  inSandbox,
  integrationFacts,
  mailed,
  overdue,
} from './integrationFacts.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each<[string, Partial<ClientFacts>]>([
  ['nothing asked now', { requests: 0 }],
  ['an address that does not exist asked for', { requests: 500 }],
  ['two of two refused', { requests: 2, refused: 2 }],
])('nothing is healthy before the first sync, with %s', (_, client) => {
  for (const environment of environments) {
    for (const refusedSync of [null, { at: before(hour), problem: null }]) {
      const facts = integrationFacts({ [environment]: clientFacts(environment, { ...client, lastSyncAt: null, refusedSync }) });
      expect(healthOf(facts, environment).level).not.toBe('healthy');
    }
  }
  const facts = integrationFacts({ sandbox: clientFacts('sandbox', { ...client, lastSyncAt: null }) });
  expect(healthOf(facts, 'sandbox').sentence).toBe('Sandbox: waiting for your first sync.');
});

test('of a production that was opened just now, what was refused before is neither good nor bad, and nobody says that it is answered again', () => {
  const facts = integrationFacts({ gateChangedAt: before(minute), ...inProduction({ lastSyncAt: null, requests: 5, refusedBefore: 5 }) });
  expect(healthOf(facts, 'production').signals.find(({ signal }) => signal === 'errors')).toMatchObject({
    level: 'quiet',
    word: 'No requests since production opened',
    figure: null,
  });
});

test('of a retired integration, whose calls are all refused, nothing but the deletions is well or not', () => {
  const calls = { requests: 20, refused: 20, quotas: [{ name: 'hour', limit: 600, left: 0 }] } as const;
  for (const client of [{}, calls]) {
    const facts = integrationFacts({
      status: 'retired',
      ...inProduction({ certificates: [], ...client }),
      ...inSandbox({ certificates: [], ...client }),
    });
    for (const environment of environments) {
      const { signals } = healthOf(facts, environment);
      expect(signals.filter(({ level }) => level !== 'quiet').map(({ signal }) => signal)).toEqual(['deletions']);
      expect(signals.find(({ signal }) => signal === 'quota')).toMatchObject({ word: 'Not counted', figure: 'every call is refused' });
    }
  }
});

test('of a suspended integration, no certificate and no quota is called good where every call is refused, and both still are in its sandbox', () => {
  const facts = integrationFacts({ status: 'suspended', ...inProduction({}) });
  const levels = (environment: (typeof environments)[number]) =>
    healthOf(facts, environment)
      .signals.filter(({ signal }) => signal === 'certificate' || signal === 'quota')
      .map(({ level, word }) => `${word}: ${level}`);
  expect(levels('production')).toEqual(['Valid: quiet', 'Not counted: quiet']);
  expect(levels('sandbox')).toEqual(['Valid: healthy', '570 of 600 requests left this hour: healthy']);
});

const one = (deletions: DeletionCounts): DeletionCounts => ({ ...deletions, outstandingCount: 1, dueCount: 1 });

test('what is to be deleted and what was not delivered is counted in words that read by themselves', () => {
  const found = (client: Partial<ClientFacts>, about: string) => {
    const finding = healthOf(integrationFacts(inProduction(client)), 'production').signals.find(({ signal }) => signal === about);
    return [finding?.word, finding?.figure];
  };
  expect(found({ deletions: due }, 'deletions')).toEqual(['3 deletions due', 'next in 2 days']);
  expect(found({ deletions: one(due) }, 'deletions')).toEqual(['1 deletion due in 2 days', null]);
  expect(found({ deletions: overdue }, 'deletions')).toEqual(['1 of 3 deletions overdue', null]);
  expect(found({ deletions: one(overdue) }, 'deletions')).toEqual(['1 deletion overdue', null]);
  expect(found({ endpoints: [endpointFacts({ dead: 2 })] }, 'webhooks')).toEqual(['2 events not delivered', null]);
  const unproven = endpointFacts({ status: 'registered' });
  expect(found({ endpoints: [endpointFacts({ dead: 2 }), unproven] }, 'webhooks')).toEqual([
    '2 events not delivered',
    '1 endpoint not proven',
  ]);
  // Its owner is looking at the first challenge.
  expect(found({ endpoints: [{ ...unproven, statusChangedAt: before(minute) }] }, 'webhooks')).toEqual([
    'Last delivery 1 minute ago',
    null,
  ]);
  expect(found({ endpoints: [endpointFacts({ failingSince: before(26 * hour) })] }, 'webhooks')).toEqual(['Failing for 1 day', null]);
  const justNow = endpointFacts({ failingSince: before(20_000), failuresInRow: 9 });
  expect(found({ endpoints: [justNow] }, 'webhooks')).toEqual(['Just started failing', null]);
  const trial = (deletions: DeletionCounts) =>
    healthOf(integrationFacts(inSandbox({ deletions })), 'sandbox').signals.find(({ signal }) => signal === 'deletions');
  // What came with the test data has no deadline. What was revoked there since has one, as on its page, and needs nobody.
  expect(trial({ ...noDeletions, outstandingCount: 1 })).toMatchObject({ level: 'quiet', word: '1 deletion to try out', figure: null });
  const practised = { ...one(due), outstandingCount: 2 };
  expect(trial(practised)).toMatchObject({ level: 'quiet', word: '1 deletion due in 2 days', figure: null, deadline: due.nextDeadlineAt });
  expect(attentionOf(integrationFacts(inSandbox({ deletions: practised })))).toEqual([]);
});

test('why the last attempt failed is told with the failure, in the health, to its owner and in the next step', () => {
  const lastFailure = { status: 503, error: null } as const;
  const failing = endpointFacts({ failingSince: before(26 * hour), failuresInRow: 9, lastFailure });
  const facts = integrationFacts(inProduction({ endpoints: [failing] }));
  const signal = healthOf(facts, 'production').signals.find(({ signal: about }) => about === 'webhooks');
  expect(signal).toMatchObject({ word: 'Failing for 1 day', figure: 'status 503' });
  const [need] = attentionOf(facts);
  expect(need?.title).toBe('Production webhooks to hooks.example are failing: status 503');
  expect(need?.detail).toBe('Your receiver failed. Check its log.');
  const retried = attentionOf(integrationFacts(inProduction({ endpoints: [{ ...failing, retried: true }] })));
  expect(retried[0]?.title).toBe(`${need?.title}, still retried`);
  expect(nextStep(facts)?.detail).toBe(need?.detail);
  const refused = { status: null, error: 'tls_timeout' } as const;
  const older = endpointFacts({ dead: 1, deadLetter: { at: before(2 * hour), failure: lastFailure } });
  const newest = endpointFacts({
    id: 'whk_2',
    url: 'https://backup.example/',
    dead: 1,
    lastFailure,
    deadLetter: { at: before(hour), failure: refused },
  });
  const dead = integrationFacts(inProduction({ endpoints: [older, newest] }));
  expect(attentionOf(dead)[0]?.detail).toMatch(
    /^backup\.example: TLS timed out: the TLS handshake took too long\. Check that the server on port 443 /,
  );
  // Of several, others may have failed for another reason.
  expect(attentionOf(dead)[0]?.title).toBe('2 production events not delivered: most recently TLS timed out; not retried');
  expect(healthOf(dead, 'production').signals).toContainEqual(
    expect.objectContaining({ word: '2 events not delivered', figure: 'most recently TLS timed out' }),
  );
  expect(attentionOf(integrationFacts(inProduction({ endpoints: [older] })))[0]?.title).toBe(
    '1 production event not delivered: status 503; not retried',
  );
  // What has failed since is another delivery, and says nothing about the dead letter.
  const unknown = integrationFacts(
    inProduction({ endpoints: [endpointFacts({ dead: 1, lastFailure, deadLetter: { at: before(hour), failure: null } })] }),
  );
  expect(attentionOf(unknown)).toMatchObject([{ title: '1 production event not delivered', detail: null }]);
});

test('what is to be deleted is told by kind, with what is overdue among it, and so it is where a missed deletion has stopped production', () => {
  const kinds = { outstandingCount: 4, dueCount: 4, dueConnectionCount: 1 };
  const told = (deletions: Partial<DeletionCounts>, other: Partial<IntegrationFacts> = {}) =>
    attentionOf(integrationFacts({ ...inProduction({ deletions: { ...due, ...kinds, ...deletions } }), ...other })).map(
      ({ title, detail }) => `${title}: ${detail}`,
    );
  expect(told({})).toEqual(['4 deletions due: Delete 3 orders and 1 connection']);
  expect(told({ dueVehicleCount: 2 })).toEqual(['4 deletions due: Delete 1 order, 2 stock vehicles, and 1 connection']);
  // A single one is named.
  const single = { ...kinds, dueCount: 1, dueConnectionCount: 0, firstDueId: 'ord_1' };
  expect(told(single)).toEqual(['1 deletion due: Delete 1 order (ord_1)']);
  expect(told({ firstDueId: 'ord_1' })).toEqual(['4 deletions due: Delete 3 orders and 1 connection']);
  expect(told({ dueConnectionCount: 4 })).toEqual(['4 deletions due: Delete 4 connections']);
  expect(told(overdue)).toEqual(['1 deletion overdue: Delete 3 orders in all']);
  expect(told({ overdueCount: 1, overdueSince: before(hour) })).toEqual(['1 deletion overdue: Delete 3 orders and 1 connection in all']);
  const suspended = { status: 'suspended', suspendedFor: 'missedDeletion' } as const;
  expect(told({ overdueCount: 4, overdueSince: before(hour) }, suspended)).toEqual([
    'Suspended: Every production call is refused (403). For a missed deletion. 4 deletions overdue. Delete 3 orders and 1 connection',
  ]);
  expect(told(noDeletions, suspended)).toEqual([
    'Suspended: Every production call is refused (403). For a missed deletion. Nothing is left to delete',
  ]);
});

test('why staff have suspended an integration is told with the suspension, and an endpoint that fails at what is never held as well', () => {
  const facts = integrationFacts({
    status: 'suspended',
    suspendedFor: 'decision',
    statusReason: 'The credit is missing.',
    ...inProduction({
      endpoints: [endpointFacts({ failingSince: before(day), failuresInRow: 9, failsUnheld: true, dead: 2 })],
      requests: 9,
      refused: 9,
    }),
  });
  expect(attentionOf(facts).map(({ title, detail }) => [title, detail])).toEqual([
    ['Suspended', 'Every production call is refused (403). Reason: The credit is missing.'],
    ['Production webhooks to hooks.example are failing', null],
  ]);
  expect(healthOf(facts, 'production').sentence).toBe('Production: suspended; no data flows; also webhooks to hooks.example are failing.');
});

test('what helps against refused calls is told with their cause, of the certificate as well', () => {
  const refused = { requests: 33, refused: 30, lastRefusal: { at: before(minute), problem: 'invalid_cursor' } } as const;
  const told = (client: Partial<ClientFacts>) => attentionOf(integrationFacts(inProduction(client)))[0];
  expect(told(refused)).toMatchObject({
    title: '30 of 33 production calls refused in 2 hours (most recently: Invalid cursor)',
    detail: expect.stringMatching(/^Start a recovery sync: /),
  });
  // Where the reason of each is known, they are counted, and the advice names its own.
  const [cursors, scopes] = [
    { problem: 'invalid_cursor', count: 28 },
    { problem: 'scope_required', count: 2 },
  ] as const;
  expect(told({ ...refused, refusedFor: [{ ...cursors, count: 30 }] })?.title).toBe(
    'Invalid cursor: 30 of 33 production calls refused in 2 hours',
  );
  expect(told({ ...refused, refusedFor: [cursors, scopes] })).toMatchObject({
    title: '28 × Invalid cursor, 2 × Scope required: 30 of 33 production calls refused in 2 hours',
    detail: expect.stringMatching(/^Invalid cursor: Start a recovery sync: /),
  });
  const many = (['invalid_cursor', 'scope_required', 'rate_limit_exceeded', 'temporarily_unavailable', 'not_found'] as const).map(
    (problem, n) => ({ problem, count: 10 - 2 * n }),
  );
  expect(told({ ...refused, refusedFor: many })?.title).toMatch(/^10 × [^,]+, 8 × [^,]+, 6 × [^,]+, 6 others: /);
  expect(told({ ...refused, refused: 10 })?.detail).toBe(told(refused)?.detail);
  expect(told({ ...refused, lastRefusal: null })?.detail).toBeNull();
  const unknown = { at: before(minute), problem: 'client_certificate_unknown' } as const;
  expect(told({ ...refused, refusedCertificates: 30, lastRefusal: unknown })).toMatchObject({
    title: 'Production calls are refused because of the certificate',
    detail: expect.stringMatching(/^Most recently: .+\. Download the certificate /),
  });
});

test('a failing endpoint is named by its host and led to, and several are counted, in one need that begins with the first of them', () => {
  const failing = (id: string, host: string, hours: number) =>
    endpointFacts({
      id,
      url: `https://${host}/events`,
      failingSince: before(hours * hour),
      failuresInRow: 9,
      lastFailure: { status: 503, error: null },
    });
  const endpoints = [failing('whk_1', 'hooks.example.com', 2), failing('whk_2', 'backup.example.com', 26)];
  expect(attentionOf(integrationFacts(inProduction({ endpoints: endpoints.slice(0, 1) })))).toMatchObject([
    {
      title: 'Production webhooks to hooks.example.com are failing: status 503',
      act: { page: 'webhookEndpoint', objectId: 'whk_1' },
    },
  ]);
  // What was given up on is told in the same line.
  const [retried] = endpoints.slice(0, 1).map((each) => ({ ...each, retried: true, dead: 3 }));
  expect(attentionOf(integrationFacts(inProduction({ endpoints: retried ? [retried] : [] }))).map(({ title }) => title)).toEqual([
    '3 production events not delivered; others still retried (status 503)',
  ]);
  const letter = { at: before(hour), failure: { status: 422, error: null } } as const;
  const gaveUp = (other: Partial<EndpointFacts>) =>
    attentionOf(integrationFacts(inProduction({ endpoints: retried ? [{ ...retried, deadLetter: letter, ...other }] : [] })))[0];
  expect(gaveUp({})).toMatchObject({
    title: '3 production events not delivered: most recently status 422; others still retried (status 503)',
    detail: 'hooks.example.com: status 422: your receiver does not accept the request. Check its log. Fix it, then replay.',
  });
  expect(gaveUp({ dead: 1 })?.title).toBe('1 production event not delivered: status 422; others still retried (status 503)');
  // Where the cause of each is known, they are counted.
  const causes = [
    { status: 404, error: null, count: 2 },
    { status: 422, error: null, count: 1 },
  ] as const;
  expect(gaveUp({ deadFor: causes })?.title).toBe(
    '3 production events not delivered: 2 × status 404, 1 × status 422; others still retried (status 503)',
  );
  expect(gaveUp({ deadFor: [{ ...letter.failure, count: 3 }], retried: false })?.title).toBe(
    '3 production events not delivered: status 422; not retried',
  );
  expect(gaveUp({ retried: false })?.title).toBe('3 production events not delivered: most recently status 422; not retried');
  const both = attentionOf(integrationFacts(inProduction({ endpoints })));
  expect(both).toMatchObject([
    {
      title: 'Production webhooks to 2 endpoints are failing',
      since: before(26 * hour),
      act: { page: 'webhooks', environment: 'production', objectId: null },
    },
  ]);
  expect(both[0]?.text).toContain('the production endpoints at hooks.example.com and backup.example.com');
});

test('an endpoint that fails tells how many dead letters it has, and a valid certificate until when it is', () => {
  const lastFailure = { status: 503, error: null } as const;
  const failing = endpointFacts({ failingSince: before(26 * hour), failuresInRow: 9, lastFailure, dead: 12 });
  const usableUntil = before(-70 * day);
  const signalsOf = (endpoint: EndpointFacts) =>
    healthOf(integrationFacts(inProduction({ endpoints: [endpoint], certificates: [certificateFacts({ usableUntil })] })), 'production')
      .signals;
  const figure = 'now status 503; 12 events not delivered';
  expect(signalsOf(failing)).toContainEqual(expect.objectContaining({ word: 'Failing for 1 day', figure }));
  expect(signalsOf(failing)).toContainEqual(expect.objectContaining({ word: 'Valid', figure: '70 days left', deadline: usableUntil }));
  // What was given up on had its own reasons.
  const deadFor = (...statuses: number[]) => ({
    ...failing,
    deadFor: statuses.map((status) => ({ status, error: null, count: 12 / statuses.length })),
  });
  for (const [endpoint, reasons] of [
    [deadFor(503), ''],
    [deadFor(404, 422), ' (status 404, status 422)'],
    [deadFor(404, 422, 500), ' (status 404, status 422, others)'],
  ] as const) {
    expect(signalsOf(endpoint)).toContainEqual(expect.objectContaining({ figure: `${figure}${reasons}` }));
  }
});

test('the quota of an hour is told as the page Requests tells it, and that of a minute as soon as it is used up', () => {
  const found = (quotas: ClientFacts['quotas']) => {
    const { signals } = healthOf(integrationFacts(inProduction({ quotas })), 'production');
    const finding = signals.find(({ signal }) => signal === 'quota');
    return [finding?.level, finding?.word, finding?.figure];
  };
  const hourly = { name: 'hour', limit: 600, left: 576 } as const;
  expect(found([])).toEqual(['healthy', 'All available', null]);
  expect(found([hourly, { name: 'minute', limit: 20, left: 1 }])).toEqual(['healthy', '576 of 600 requests left this hour', null]);
  expect(found([hourly, { name: 'minute', limit: 20, left: 0 }])).toEqual([
    'quiet',
    '0 of 20 requests left this minute',
    '576 of 600 requests left this hour',
  ]);
  expect(found([hourly, { name: 'redeem', limit: 60, left: 6 }])).toEqual([
    'attention',
    'Nearly used up',
    '6 of 60 link codes left this hour',
  ]);
});

test('while a suspension refuses every call, no quota is said to be available', () => {
  for (const quotas of [[], [{ name: 'hour', limit: 600, left: 0 }]] as const) {
    const { signals } = healthOf(integrationFacts({ status: 'suspended', ...inProduction({ quotas }) }), 'production');
    expect(signals.find(({ signal }) => signal === 'quota')).toMatchObject({
      level: 'quiet',
      word: 'Not counted',
      figure: 'every call is refused',
      needs: [],
    });
  }
});

test('what was refused is told by what was called, and what was not is told first', () => {
  const found = (client: Partial<ClientFacts>) => {
    const finding = healthOf(integrationFacts(inProduction(client)), 'production').signals.find(({ signal }) => signal === 'errors');
    return [finding?.word, finding?.figure].filter(Boolean).join(', ');
  };
  expect(found({ requests: 5 })).toBe('5 calls in the last 2 hours, none refused');
  expect(found({ requests: 1 })).toBe('1 call in the last 2 hours, none refused');
  expect(found({ requests: 100, refused: 2 })).toBe('A few calls refused');
  expect(found({ requests: 33, refused: 30 })).toBe('30 of 33 calls refused in 2 hours');
  expect(found({ requests: 33, refused: 30, refusedCertificates: 30 })).toBe(
    '30 of 33 calls refused in 2 hours, mostly because of the certificate',
  );
});

test('a refusal with a code that only a later release knows is told without its cause', () => {
  const told = (problem: ErrorCode | null) =>
    attentionOf(integrationFacts(inProduction({ requests: 33, refused: 30, lastRefusal: { at: before(60_000), problem } })));
  expect(told('of_a_later_release' as ErrorCode)).toEqual(told(null));
  expect(told('invalid_cursor')).not.toEqual(told(null));
});

test('deliveries that a suspension or a closed gate holds are not said to arrive', () => {
  const healthy = { deliveries: { endpoints: 1, lastSuccessAt: before(2 * day) } };
  const failing = { ...healthy, endpoints: [endpointFacts({ failingSince: before(2 * day), failuresInRow: 9 })] };
  const found = (other: Partial<IntegrationFacts>) =>
    healthOf(integrationFacts({ ...inProduction(healthy), ...other }), 'production').signals.find(({ signal }) => signal === 'webhooks');
  expect(found({})).toMatchObject({ level: 'healthy', word: 'Last delivery 2 days ago', figure: null });
  for (const held of [{ status: 'suspended' }, { gateOpen: false }] as const) {
    for (const each of [healthy, failing]) {
      expect(found({ ...inProduction(each), ...held })).toMatchObject({
        level: 'quiet',
        word: 'Deliveries are held',
        figure: 'last delivery 2 days ago',
      });
    }
    const unheld = { ...healthy, endpoints: [endpointFacts({ failingSince: before(2 * day), failuresInRow: 9, failsUnheld: true })] };
    expect(found({ ...inProduction(unheld), ...held })).toMatchObject({ level: 'failing', word: 'Failing for 2 days' });
  }
});

test('the time until a certificate ends is counted alike in what needs the owner, in its mail and in the health, on the last day too', () => {
  for (const [left, words] of [
    [8.9, '9 days'],
    [8.4, '8 days'],
    [0.6, '14 hours'],
  ] as const) {
    const facts = integrationFacts(inProduction({ certificates: [certificateFacts({ usableUntil: before(-left * day) })] }));
    expect(attentionOf(facts)[0]?.title).toBe(`The production certificate ends in ${words}`);
    const signal = healthOf(facts, 'production').signals.find(({ signal: about }) => about === 'certificate');
    expect(signal).toMatchObject({ word: `Ends in ${words}`, figure: null });
    const details = { environment: 'production', commonName: 'x', usableUntil: endsAt, left: left * day };
    expect(mailed('certificate_expiring', details).subject).toBe(`The production certificate ends in ${words}: Tracker`);
  }
});

test('what is due soon comes first, then what fails, then what is not delivered, then what is due later', () => {
  const certificates = [certificateFacts({ usableUntil: before(-6 * day) })];
  const endpoints = [endpointFacts({ dead: 2 }), endpointFacts({ id: 'whk_2', status: 'paused', pausedBy: 'owner', held: 4 })];
  const facts = integrationFacts(
    inProduction({ certificates, deletions: due, endpoints, quotas: [{ name: 'hour', limit: 600, left: 60 }], requests: 10, refused: 9 }),
  );
  expect(attentionOf(facts).map(({ kind }) => kind)).toEqual([
    'deletions',
    'callsRefused',
    'deadLetters',
    'webhookPaused',
    'certificateEnding',
    'quota',
  ]);
});

test('what an endpoint that fails has not received stands with it, and fails as well', () => {
  const failing = endpointFacts({ failingSince: before(day), failuresInRow: 9, dead: 12 });
  const levels = (endpoints: ClientFacts['endpoints']) =>
    attentionOf(integrationFacts(inProduction({ endpoints, certificates: [certificateFacts({ usableUntil: before(-6 * day) })] }))).map(
      ({ kind, level }) => `${kind} ${level}`,
    );
  expect(levels([failing])).toEqual(['webhookFailing failing', 'certificateEnding attention']);
  // Not all of them are its own.
  expect(levels([failing, endpointFacts({ id: 'whk_2', dead: 1 })])).toEqual([
    'deadLetters failing',
    'webhookFailing failing',
    'certificateEnding attention',
  ]);
  expect(levels([{ ...failing, dead: 0 }, endpointFacts({ id: 'whk_2', dead: 1 })])).toEqual([
    'webhookFailing failing',
    'deadLetters attention',
    'certificateEnding attention',
  ]);
});

test('an overview tells one story: where something fails, its health begins with the need that is the next step, and nothing that is refused is said to work', () => {
  const refused = { requests: 33, refused: 30 };
  const story = (client: Partial<ClientFacts>) => {
    const facts = integrationFacts(inProduction(client));
    const { sentence, signals } = healthOf(facts, 'production');
    return { sentence, next: nextStep(facts)?.title, data: signals.find(({ signal }) => signal === 'data')?.level };
  };
  expect(story({ ...refused, deletions: overdue })).toEqual({
    sentence: 'Production: 1 deletion overdue; also 30 of 33 calls refused in 2 hours; last successful sync 4 minutes ago.',
    next: '1 deletion overdue',
    data: 'quiet',
  });
  expect(story({ ...refused, deletions: due })).toEqual({
    sentence: 'Production: 3 deletions due; also 30 of 33 calls refused in 2 hours; last successful sync 4 minutes ago.',
    next: '3 deletions due',
    data: 'quiet',
  });
  expect(story({ ...refused, maySync: false })).toMatchObject({ data: 'quiet' });
  expect(story({ lastSyncAt: before(3 * hour), deletions: overdue })).toMatchObject({
    sentence: 'Production: 1 deletion overdue; also syncs have stopped, last sync 3 hours ago.',
    next: '1 deletion overdue',
  });
  const unused = { lastRequestAt: null, lastSyncAt: null, requests: 0, certificates: [], deletions: due };
  expect(story(unused).sentence).toBe('Production: 3 deletions due; go live, step 4 of 5: get a certificate; no sync yet.');
  const certificates = [certificateFacts({ usableUntil: before(-9 * day) })];
  expect(story({ certificates, deletions: due })).toEqual({
    sentence: 'Production: 3 deletions due; also the certificate ends in 9 days; synced 4 minutes ago.',
    next: '3 deletions due',
    data: 'healthy',
  });
});

test('health is one sentence that says whether data flows, and if not, why', () => {
  const sentence = (other: Partial<IntegrationFacts>) => healthOf(integrationFacts(other), 'production').sentence;
  expect(sentence({})).toBe('Production: synced 4 minutes ago.');
  const refused = {
    cadenceMinutes: 60,
    ...inProduction({ lastSyncAt: before(hour), refusedSync: { at: before(minute), problem: null }, requests: 1, refused: 1 }),
  };
  expect(sentence(refused)).toBe('Production: the last sync was refused; last successful sync 1 hour ago.');
  expect(sentence({ gateOpen: false })).toBe('Production: the gate is closed.');
  expect(sentence(inProduction({ lastSyncAt: before(3 * hour) }))).toBe('Production: syncs have stopped, last sync 3 hours ago.');
  expect(sentence(inProduction({ deletions: due }))).toBe('Production: 3 deletions due; synced 4 minutes ago.');
  expect(sentence(inProduction({ requests: 33, refused: 30 }))).toBe(
    'Production: 30 of 33 calls refused in 2 hours; last successful sync 4 minutes ago.',
  );
  const lastRefusal = { at: before(minute), problem: 'invalid_cursor' } as const;
  expect(sentence(inProduction({ requests: 33, refused: 30, lastRefusal }))).toBe(
    'Production: 30 of 33 calls refused in 2 hours (most recently: Invalid cursor); last successful sync 4 minutes ago.',
  );
  expect(sentence({ ...refused, ...inProduction({ lastSyncAt: before(hour), refusedSync: lastRefusal, requests: 1, refused: 1 }) })).toBe(
    'Production: invalid cursor: the last sync was refused; last successful sync 1 hour ago.',
  );
  const certificates = [certificateFacts({ usableUntil: before(-6 * day) })];
  expect(sentence(inProduction({ certificates }))).toBe('Production: the certificate ends in 6 days; synced 4 minutes ago.');
  expect(sentence({ status: 'suspended' })).toBe('Production: suspended; no data flows.');
  expect(sentence({ status: 'suspended', ...inProduction({ deletions: due }) })).toBe(
    'Production: suspended; no data flows; 3 deletions due.',
  );
  const missed = { suspendedFor: 'missedDeletion', ...inProduction({ deletions: { ...due, overdueCount: 1 } }) } as const;
  expect(sentence({ status: 'suspended', ...missed })).toBe(
    'Production: suspended for a missed deletion; no data flows; 1 deletion overdue.',
  );
  expect(sentence({ status: 'retired', ...inProduction({ deletions: due }) })).toBe(
    'Production: retired for good; every call is refused; 3 deletions due.',
  );
  expect(sentence({ status: 'submitted', production: null })).toBe('Production: in review.');
});

test('a production that has never worked is set up step by step, in the same words everywhere, and fails only once data has flowed or is refused', () => {
  const unused = { lastRequestAt: null, lastSyncAt: null, requests: 0 };
  const told = (other: Partial<IntegrationFacts>) => {
    const facts = integrationFacts(other);
    const { word, sentence } = healthOf(facts, 'production');
    return [word, sentence, attentionOf(facts)[0]?.title ?? null, nextStep(facts)?.title];
  };
  const bare = inProduction({ ...unused, certificates: [] });
  const activate = 'Go live, step 3 of 5: activate the integration';
  expect(told({ status: 'approved', ...bare })).toEqual([
    'Setting up',
    'Production: go live, step 3 of 5: activate the integration.',
    activate,
    activate,
  ]);
  const certificate = 'Go live, step 4 of 5: get a production certificate';
  expect(told(bare)).toEqual(['Setting up', 'Production: go live, step 4 of 5: get a production certificate.', certificate, certificate]);
  const gate = 'Go live, step 5 of 5: wait until administrators open the production gate';
  const closed = { gateOpen: false, gateChangedAt: null };
  expect(told({ ...closed, ...inProduction(unused) })).toEqual(['Setting up', `Production: g${gate.slice(1)}.`, null, gate]);
  const first = 'Production: all 5 steps are done, waiting for your first call.';
  expect(told(inProduction(unused))).toEqual(['Setting up', first, null, 'Call production']);
  const missing = 'No production certificate';
  expect(told(inProduction({ certificates: [] }))).toMatchObject(['Failing', expect.stringMatching(/no certificate/), missing, missing]);
  const refused = { ...unused, requests: 3, refused: 3 };
  expect(told({ ...closed, ...inProduction(refused) })[0]).toBe('Failing');
  expect(mailed('submission_approved', {}).subject).toBe('Approved: Tracker');
});

test('dead letters of both environments are told apart, and more than are counted are said to be more', () => {
  const letters = (dead: number) => ({ endpoints: [endpointFacts({ dead })] });
  const facts = integrationFacts({ sandbox: clientFacts('sandbox', letters(2)), production: clientFacts('production', letters(1_000)) });
  const items = attentionOf(facts);
  expect(items.map(({ title }) => title).toSorted()).toEqual([
    '2 sandbox events not delivered',
    'More than 1,000 production events not delivered',
  ]);
  expect(new Set(items.map(({ id }) => id)).size).toBe(2);
});

test('an administrator’s decision is not undone by recording deletions, so nobody is sent to them for it', () => {
  const facts = integrationFacts({
    status: 'suspended',
    suspendedFor: 'decision',
    production: clientFacts('production', { deletions: due }),
  });
  expect(attentionOf(facts).map(({ kind, act }) => [kind, act.label])).toEqual([
    ['suspended', 'See what to do'],
    ['deletions', 'Go to deletions'],
  ]);
});

test('beside why deliveries failed, it is not told again that they failed or that nothing is retried', () => {
  const cause = { title: 'Status 503', what: 'Your receiver failed.', next: 'Check its log.' };
  const endpoint = { environment: 'production', endpointId: 'whk_1', hosts: ['hooks.example'] } as const;
  const letters = { environment: 'production', letters: 2, more: false, host: 'hooks.example' } as const;
  const texts = [null, cause].map((each) => [
    attentionWords.webhookFailing({ ...endpoint, cause: each }).text,
    attentionWords.deadLetters({ ...letters, cause: each }).text,
  ]);
  expect(texts).toEqual([
    [expect.stringContaining('hooks.example has failed for a while. The page shows'), expect.stringContaining('will not be retried')],
    ['The page shows each attempt with its error, and what your receiver answered.', 'You can replay them one by one or all at once.'],
  ]);
});

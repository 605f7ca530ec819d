import { expect, test } from '@jest/globals';
import { attentionOf } from '../../../server/domain/attention/attentionOf.ts';
import type { ClientFacts, IntegrationFacts } from '../../../server/domain/attention/facts/IntegrationFacts.ts';
import { healthOf } from '../../../server/domain/attention/healthOf.ts';
import { nextStep } from '../../../server/domain/attention/nextStep.ts';
import { environments } from '../../../server/domain/shared/environment.ts';
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
    for (const syncRefusedAt of [null, before(hour)]) {
      const facts = integrationFacts({ [environment]: clientFacts(environment, { ...client, lastSyncAt: null, syncRefusedAt }) });
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
  const calls = { requests: 20, refused: 20, quotaPercent: 100 };
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
  expect(levels('production')).toEqual(['Valid: quiet', '5% used: quiet']);
  expect(levels('sandbox')).toEqual(['Valid: healthy', '5% used: healthy']);
});

test('what is to be deleted and what was not delivered is counted in words that read by themselves', () => {
  const found = (client: Partial<ClientFacts>, about: string) => {
    const finding = healthOf(integrationFacts(inProduction(client)), 'production').signals.find(({ signal }) => signal === about);
    return [finding?.word, finding?.figure];
  };
  expect(found({ deletions: due }, 'deletions')).toEqual(['3 to delete', 'next in 2 days']);
  expect(found({ deletions: { ...due, outstanding: 1 } }, 'deletions')).toEqual(['1 to delete', 'due in 2 days']);
  expect(found({ deletions: overdue }, 'deletions')).toEqual(['1 of 3 overdue', null]);
  expect(found({ deletions: { ...overdue, outstanding: 1 } }, 'deletions')).toEqual(['1 overdue', null]);
  expect(found({ endpoints: [endpointFacts({ dead: 2 })] }, 'webhooks')).toEqual(['2 dead letters', null]);
  const unproven = endpointFacts({ status: 'registered' });
  expect(found({ endpoints: [endpointFacts({ dead: 2 }), unproven] }, 'webhooks')).toEqual(['2 dead letters', '1 endpoint not proven']);
  expect(found({ endpoints: [endpointFacts({ failingSince: before(26 * hour) })] }, 'webhooks')).toEqual(['Failing for 1 day', null]);
  const trial = healthOf(integrationFacts(inSandbox({ deletions: { ...due, outstanding: 1 } })), 'sandbox').signals;
  expect(trial.find(({ signal }) => signal === 'deletions')).toMatchObject({ word: '1 deletion to try out', figure: null });
});

test('what was refused is told by what was called, and what was not is told first', () => {
  const found = (client: Partial<ClientFacts>) => {
    const finding = healthOf(integrationFacts(inProduction(client)), 'production').signals.find(({ signal }) => signal === 'errors');
    return [finding?.word, finding?.figure].filter(Boolean).join(', ');
  };
  expect(found({ requests: 5 })).toBe('5 calls in 2 hours, none refused');
  expect(found({ requests: 1 })).toBe('1 call in 2 hours, none refused');
  expect(found({ requests: 100, refused: 2 })).toBe('2 of 100 refused in 2 hours');
  expect(found({ requests: 33, refused: 30 })).toBe('30 of 33 refused in 2 hours');
  expect(found({ requests: 33, refused: 30, refusedCertificates: 30 })).toBe(
    '30 of 33 refused in 2 hours, mostly because of the certificate',
  );
});

test('deliveries that a suspension or a closed gate holds are not said to arrive', () => {
  const endpoints = [endpointFacts({ lastSuccessAt: before(2 * day) })];
  const failing = [endpointFacts({ lastSuccessAt: before(2 * day), failingSince: before(2 * day), failuresInRow: 9 })];
  const found = (other: Partial<IntegrationFacts>) =>
    healthOf(integrationFacts({ ...inProduction({ endpoints }), ...other }), 'production').signals.find(
      ({ signal }) => signal === 'webhooks',
    );
  expect(found({})).toMatchObject({ level: 'healthy', word: 'Last delivery 2 days ago', figure: null });
  for (const held of [{ status: 'suspended' }, { gateOpen: false }] as const) {
    for (const each of [endpoints, failing]) {
      expect(found({ ...inProduction({ endpoints: each }), ...held })).toMatchObject({
        level: 'quiet',
        word: 'Deliveries are held',
        figure: 'last delivery 2 days ago',
      });
    }
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
    expect(signal?.figure).toBe(`${words} left`);
    const details = { environment: 'production', commonName: 'x', usableUntil: endsAt, left: left * day };
    expect(mailed('certificate_expiring', details).subject).toBe(`The production certificate ends in ${words}: Tracker`);
  }
});

test('deadlines come first, the next one at the top, and then what fails', () => {
  const certificates = [certificateFacts({ usableUntil: before(-6 * day) })];
  const facts = integrationFacts(inProduction({ certificates, deletions: due, quotaPercent: 90, requests: 10, refused: 9 }));
  expect(attentionOf(facts).map(({ kind }) => kind)).toEqual(['deletions', 'certificateEnding', 'callsRefused', 'quota']);
});

test('an overview tells one story: where something fails, its health begins with the need that is the next step, and nothing that is refused is said to work', () => {
  const refused = { requests: 33, refused: 30 };
  const story = (client: Partial<ClientFacts>) => {
    const facts = integrationFacts(inProduction(client));
    const { sentence, signals } = healthOf(facts, 'production');
    return { sentence, next: nextStep(facts)?.title, data: signals.find(({ signal }) => signal === 'data')?.level };
  };
  expect(story({ ...refused, deletions: overdue })).toEqual({
    sentence: 'Production: 1 deletion overdue; 30 of 33 calls refused; last successful sync 4 minutes ago.',
    next: '1 deletion overdue',
    data: 'quiet',
  });
  expect(story({ ...refused, deletions: due })).toEqual({
    sentence: 'Production: 3 deletions due; 30 of 33 calls refused; last successful sync 4 minutes ago.',
    next: '3 deletions due',
    data: 'quiet',
  });
  expect(story({ ...refused, maySync: false })).toMatchObject({ data: 'quiet' });
  expect(story({ lastSyncAt: before(3 * hour), deletions: overdue })).toMatchObject({
    sentence: 'Production: 1 deletion overdue; syncs have stopped, last sync 3 hours ago.',
    next: '1 deletion overdue',
  });
  const certificates = [certificateFacts({ usableUntil: before(-9 * day) })];
  expect(story({ certificates, deletions: due })).toEqual({
    sentence: 'Production: synced 4 minutes ago; 3 deletions due.',
    next: '3 deletions due',
    data: 'healthy',
  });
});

test('health is one sentence that says whether data flows, and if not, why', () => {
  const sentence = (other: Partial<IntegrationFacts>) => healthOf(integrationFacts(other), 'production').sentence;
  expect(sentence({})).toBe('Production: synced 4 minutes ago.');
  const refused = {
    cadenceMinutes: 60,
    ...inProduction({ lastSyncAt: before(hour), syncRefusedAt: before(minute), requests: 1, refused: 1 }),
  };
  expect(sentence(refused)).toBe('Production: last successful sync 1 hour ago; the last sync was refused.');
  expect(sentence({ gateOpen: false })).toBe('Production: the gate is closed.');
  expect(sentence(inProduction({ lastSyncAt: before(3 * hour) }))).toBe('Production: syncs have stopped, last sync 3 hours ago.');
  expect(sentence(inProduction({ deletions: due }))).toBe('Production: synced 4 minutes ago; 3 deletions due.');
  expect(sentence(inProduction({ requests: 33, refused: 30 }))).toBe(
    'Production: 30 of 33 calls refused; last successful sync 4 minutes ago.',
  );
  const certificates = [certificateFacts({ usableUntil: before(-6 * day) })];
  expect(sentence(inProduction({ certificates }))).toBe('Production: synced 4 minutes ago; the certificate ends in 6 days.');
  expect(sentence({ status: 'suspended' })).toBe('Production: suspended; no data flows.');
  expect(sentence({ status: 'suspended', ...inProduction({ deletions: due }) })).toBe(
    'Production: suspended; no data flows; 3 deletions due.',
  );
  const missed = { suspendedFor: 'missedDeletion', ...inProduction({ deletions: { ...due, overdue: 1 } }) } as const;
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
  const activate = 'Step 3 of 5: activate the integration';
  expect(told({ status: 'approved', ...bare })).toEqual([
    'Setting up',
    'Production: step 3 of 5: activate the integration.',
    activate,
    activate,
  ]);
  const certificate = 'Step 4 of 5: get a production certificate';
  expect(told(bare)).toEqual(['Setting up', 'Production: step 4 of 5: get a production certificate.', certificate, certificate]);
  const gate = 'Step 5 of 5: wait until the gate is opened';
  const closed = { gateOpen: false, gateChangedAt: null };
  expect(told({ ...closed, ...inProduction(unused) })).toEqual(['Setting up', `Production: s${gate.slice(1)}.`, null, gate]);
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
    '2 sandbox dead letters waiting',
    'More than 1,000 production dead letters waiting',
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

import { describe, expect, test } from '@jest/globals';
import { attentionOf } from '../../../server/domain/attention/attentionOf.ts';
import type { ClientFacts, IntegrationFacts } from '../../../server/domain/attention/facts/IntegrationFacts.ts';
import type { HealthLevel } from '../../../server/domain/attention/findings/findingTypes.ts';
import { healthOf } from '../../../server/domain/attention/healthOf.ts';
import { nextStep } from '../../../server/domain/attention/nextStep.ts';
import { environments } from '../../../server/domain/shared/environment.ts';
import type { MailDetails, MailKind } from '../../../server/domain/notification/mailKinds.ts';
import type { MailText } from '../../../server/domain/notification/mailTexts.ts';
import { textOfMail } from '../../../server/domain/notification/textOfMail.ts';
import { ownerAttentionKinds, ownersPath } from '../../../server/domain/attention/words/attentionKinds.ts';
import { asOf, before, certificateFacts, clientFacts, endpointFacts, integrationFacts } from './integrationFacts.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type State = {
  readonly facts: Partial<IntegrationFacts>;
  /** What needs the owner: kind and level. */
  readonly needs: readonly string[];
  readonly sandbox: HealthLevel;
  readonly production: HealthLevel;
  readonly next: string | null;
};

const unused = { lastRequestAt: null, lastSyncAt: null, requests: 0 };
const inProduction = (client: Partial<ClientFacts>): Partial<IntegrationFacts> => ({ production: clientFacts('production', client) });
const inSandbox = (client: Partial<ClientFacts>): Partial<IntegrationFacts> => ({ sandbox: clientFacts('sandbox', client) });
const notApproved = { status: 'sandbox', production: null } as const;
const due = { outstanding: 3, overdue: 0, nextDeadline: before(-2 * day) };
const overdue = { outstanding: 3, overdue: 1, nextDeadline: before(hour) };
const review = { waitsFor: 'operator', waitingSince: before(hour), unmet: 0 } as const;
const nothing = { needs: [], sandbox: 'healthy', production: 'new' } as const;
const ok = { needs: [], sandbox: 'healthy', production: 'healthy', next: null } as const;

const named = { name: 'Tracker', slug: 'tracker' };
const mailed = <Kind extends MailKind>(kind: Kind, details: MailDetails[Kind]) =>
  textOfMail(kind, { details, token: null, contact: 'us', integration: named });
const endsAt = asOf.toISOString();

/** Every state that an integration can be in, as its owner finds it. */
const states: Readonly<Record<string, State>> = {
  'new, without a certificate': {
    facts: { ...notApproved, ...inSandbox({ ...unused, certificates: [] }) },
    ...nothing,
    sandbox: 'new',
    next: 'Get a client certificate',
  },
  'new, its certificate being issued': {
    facts: { ...notApproved, ...inSandbox({ ...unused, certificates: [certificateFacts({ status: 'pending', usableUntil: null })] }) },
    ...nothing,
    sandbox: 'new',
    next: 'Your certificate is being issued',
  },
  'new, its test data being generated': {
    facts: { ...notApproved, corpus: 'building', ...inSandbox(unused) },
    ...nothing,
    sandbox: 'new',
    next: 'Your test data is being generated',
  },
  'new, ready for its first call': {
    facts: { ...notApproved, ...inSandbox(unused) },
    ...nothing,
    sandbox: 'new',
    next: 'Call your sandbox',
  },
  'its test data failed': {
    facts: { ...notApproved, corpus: 'failed', ...inSandbox(unused) },
    ...nothing,
    needs: ['corpusFailed failing'],
    sandbox: 'failing',
    next: 'The test data could not be generated',
  },
  'its sandbox in use': { facts: notApproved, ...nothing, next: 'Submit for production review' },
  'its sandbox silent for a month': {
    facts: { ...notApproved, ...inSandbox({ lastRequestAt: before(30 * day), lastSyncAt: before(30 * day), requests: 0 }) },
    ...nothing,
    next: 'Submit for production review',
  },
  'deletions to practise with in its sandbox': {
    facts: { ...notApproved, ...inSandbox({ deletions: { outstanding: 1, overdue: 0, nextDeadline: before(day) } }) },
    ...nothing,
    next: 'Submit for production review',
  },
  'its sandbox’s certificate expired': {
    facts: { ...notApproved, ...inSandbox({ certificates: [certificateFacts({ usableUntil: before(day) })] }) },
    ...nothing,
    needs: ['certificateGone attention'],
    sandbox: 'attention',
    next: 'The sandbox certificate has expired',
  },
  'in review': {
    facts: { status: 'submitted', production: null, review: { ...review, waitsFor: 'reviewer' } },
    ...nothing,
    next: 'Wait for the review',
  },
  'asked a question': {
    facts: { status: 'submitted', production: null, review },
    ...nothing,
    needs: ['reviewQuestion attention'],
    next: 'The reviewers have a question',
  },
  rejected: {
    facts: { status: 'rejected', production: null, review: { ...review, unmet: 2 } },
    ...nothing,
    needs: ['reviewRejected attention'],
    next: 'Changes needed',
  },
  approved: {
    facts: { status: 'approved', ...inProduction({ ...unused, certificates: [] }) },
    ...nothing,
    needs: ['activation attention'],
    next: 'Approved',
  },
  'active, without a certificate': {
    facts: inProduction({ ...unused, certificates: [] }),
    ...ok,
    needs: ['certificateMissing failing'],
    production: 'failing',
    next: 'No production certificate',
  },
  'active, its certificate being issued': {
    facts: inProduction({ ...unused, certificates: [certificateFacts({ status: 'pending', usableUntil: null })] }),
    ...ok,
    production: 'new',
    next: 'Your production certificate is being issued',
  },
  'active, behind a closed gate': {
    facts: { gateOpen: false },
    ...ok,
    needs: ['gateClosed failing'],
    production: 'failing',
    next: 'The production gate is closed',
  },
  'called behind a closed gate': {
    facts: { gateOpen: false, ...inProduction({ lastSyncAt: null, requests: 8, refused: 8 }) },
    ...ok,
    needs: ['gateClosed failing'],
    production: 'failing',
    next: 'The production gate is closed',
  },
  'approved, and called before it is activated': {
    facts: { status: 'approved', ...inProduction({ lastSyncAt: null, requests: 8, refused: 8 }) },
    ...nothing,
    needs: ['activation attention'],
    next: 'Approved',
  },
  'active, without a call': { facts: inProduction(unused), ...ok, production: 'new', next: 'Call production' },
  active: { facts: {}, ...ok },
  'its syncs just in time': { facts: inProduction({ lastSyncAt: before(30 * minute) }), ...ok },
  'its syncs late': {
    facts: inProduction({ lastSyncAt: before(31 * minute) }),
    ...ok,
    needs: ['syncsLate attention'],
    production: 'attention',
    next: 'Production syncs are late',
  },
  'its syncs stopped': {
    facts: inProduction({ lastSyncAt: before(91 * minute) }),
    ...ok,
    needs: ['syncsStopped failing'],
    production: 'failing',
    next: 'Production syncs have stopped',
  },
  'two of a hundred requests refused': { facts: inProduction({ requests: 100, refused: 2 }), ...ok },
  'a tenth of its requests refused': {
    facts: inProduction({ requests: 100, refused: 10 }),
    ...ok,
    needs: ['someRefused attention'],
    production: 'attention',
    next: '10 of 100 production requests refused',
  },
  'most requests refused': {
    facts: inProduction({ requests: 100, refused: 60 }),
    ...ok,
    needs: ['callsRefused failing'],
    production: 'failing',
    next: '60 of 100 production requests refused',
  },
  'answered again after most requests were refused': {
    facts: inProduction({ requests: 100, refusedBefore: 60 }),
    ...ok,
  },
  'its syncs answered and its acknowledgements refused': {
    facts: inProduction({ lastSyncAt: before(0), requests: 120, refused: 60, refusedBefore: 20 }),
    ...ok,
    needs: ['callsRefused failing'],
    production: 'failing',
    next: '60 of 120 production requests refused',
  },
  'an hourly sync that is refused': {
    facts: { cadenceMinutes: 60, ...inProduction({ lastSyncAt: before(hour), syncRefusedAt: before(minute), requests: 2, refused: 1 }) },
    ...ok,
    needs: ['someRefused attention'],
    production: 'attention',
    next: 'The last production sync was refused',
  },
  'a daily sync that was refused this morning': {
    facts: { cadenceMinutes: 1440, ...inProduction({ lastSyncAt: before(day), syncRefusedAt: before(6 * hour), requests: 0 }) },
    ...ok,
    needs: ['someRefused attention'],
    production: 'attention',
    next: 'The last production sync was refused',
  },
  'one sync among many refused just now': { facts: inProduction({ syncRefusedAt: before(minute), requests: 100, refused: 1 }), ...ok },
  'called without a sync for less than its plan allows': {
    facts: inProduction({ lastSyncAt: null, calledSince: before(90 * minute) }),
    ...ok,
    production: 'new',
    next: 'Sync for the first time',
  },
  'called without a sync for long': {
    facts: inProduction({ lastSyncAt: null, calledSince: before(91 * minute) }),
    ...ok,
    needs: ['syncsStopped failing'],
    production: 'failing',
    next: 'No production sync yet',
  },
  'called long before it was activated': {
    facts: { statusChangedAt: before(minute), ...inProduction({ lastSyncAt: null, calledSince: before(9 * day) }) },
    ...ok,
    production: 'new',
    next: 'Sync for the first time',
  },
  'called long before its gate was opened': {
    facts: { gateChangedAt: before(minute), ...inProduction({ lastSyncAt: null, calledSince: before(9 * day) }) },
    ...ok,
    production: 'new',
    next: 'Sync for the first time',
  },
  'reactivated just now, after ten days without data': {
    facts: { statusChangedAt: before(minute), ...inProduction({ lastSyncAt: before(10 * day) }) },
    ...ok,
  },
  'open again for longer than its plan allows, without a sync': {
    facts: { gateChangedAt: before(91 * minute), ...inProduction({ lastSyncAt: before(10 * day) }) },
    ...ok,
    needs: ['syncsStopped failing'],
    production: 'failing',
    next: 'Production syncs have stopped',
  },
  'allowed to read nothing but statistics': {
    facts: {
      ...inSandbox({ maySync: false, lastSyncAt: null }),
      ...inProduction({ maySync: false, lastSyncAt: null, calledSince: before(9 * day) }),
    },
    ...ok,
  },
  'called with an unknown certificate': {
    facts: inProduction({ requests: 20, refused: 8, refusedCertificates: 8 }),
    ...ok,
    needs: ['certificateRefused attention'],
    production: 'attention',
    next: '8 production calls refused because of the certificate',
  },
  'a certificate that ends in 15 days': {
    facts: inProduction({ certificates: [certificateFacts({ usableUntil: before(-15 * day) })] }),
    ...ok,
  },
  'a certificate that ends in 6 days': {
    facts: inProduction({ certificates: [certificateFacts({ usableUntil: before(-6 * day) })] }),
    ...ok,
    needs: ['certificateEnding attention'],
    production: 'attention',
    next: 'The production certificate ends in 6 days',
  },
  'a successor in use before the old certificate ends': {
    facts: inProduction({ certificates: [certificateFacts({ id: 'crt_2' }), certificateFacts({ usableUntil: before(-6 * day) })] }),
    ...ok,
  },
  'a successor that nobody has used': {
    facts: inProduction({
      certificates: [certificateFacts({ id: 'crt_2', lastUsedAt: null }), certificateFacts({ usableUntil: before(-6 * day) })],
    }),
    ...ok,
    needs: ['successorUnused attention'],
    production: 'attention',
    next: 'The new production certificate is not used yet',
  },
  'an expired certificate': {
    facts: inProduction({ certificates: [certificateFacts({ usableUntil: before(hour) })] }),
    ...ok,
    needs: ['certificateGone failing'],
    production: 'failing',
    next: 'The production certificate has expired',
  },
  'deletions due': {
    facts: inProduction({ deletions: due }),
    ...ok,
    needs: ['deletions attention'],
    production: 'attention',
    next: '3 deletions due',
  },
  'a deletion overdue': {
    facts: inProduction({ deletions: overdue }),
    ...ok,
    needs: ['deletions failing'],
    production: 'failing',
    next: '1 deletion overdue',
  },
  'one failed delivery': { facts: inProduction({ endpoints: [endpointFacts({ failuresInRow: 1, failingSince: before(minute) })] }), ...ok },
  'an endpoint that only fails': {
    facts: inProduction({ endpoints: [endpointFacts({ failuresInRow: 5, failingSince: before(10 * minute) })] }),
    ...ok,
    needs: ['webhookFailing failing'],
    production: 'failing',
    next: 'Webhook deliveries fail',
  },
  'an endpoint that an administrator paused': {
    facts: inProduction({ endpoints: [endpointFacts({ status: 'paused', pausedBy: 'administrator' })] }),
    ...ok,
    needs: ['webhookPaused failing'],
    production: 'failing',
    next: 'Webhook endpoint paused by an administrator',
  },
  'an endpoint of its own that it paused': {
    facts: inProduction({ endpoints: [endpointFacts({ status: 'paused', pausedBy: 'owner' })] }),
    ...ok,
  },
  'a paused endpoint that holds deliveries': {
    facts: inProduction({ endpoints: [endpointFacts({ status: 'paused', pausedBy: 'owner', held: 4 })] }),
    ...ok,
    needs: ['webhookPaused attention'],
    production: 'attention',
    next: 'A paused webhook endpoint holds deliveries',
  },
  'dead letters': {
    facts: inProduction({ endpoints: [endpointFacts({ dead: 12 })] }),
    ...ok,
    needs: ['deadLetters attention'],
    production: 'attention',
    next: '12 production dead letters waiting',
  },
  'an endpoint that is not proven': {
    facts: inProduction({ endpoints: [endpointFacts({ status: 'registered', lastSuccessAt: null })] }),
    ...ok,
    needs: ['endpointUnproven attention'],
    production: 'attention',
    next: 'A webhook endpoint is not proven',
  },
  'most of a quota used': {
    facts: inProduction({ quotaPercent: 86 }),
    ...ok,
    needs: ['quota attention'],
    production: 'attention',
    next: '80% of a quota used',
  },
  'a quota used up': {
    facts: inProduction({ quotaPercent: 100 }),
    ...ok,
    needs: ['quota failing'],
    production: 'failing',
    next: '100% of a quota used',
  },
  suspended: {
    facts: { status: 'suspended', suspendedFor: 'decision', ...inProduction({ lastSyncAt: before(day), refused: 12 }) },
    ...ok,
    needs: ['suspended failing'],
    production: 'suspended',
    next: 'Suspended',
  },
  'suspended, with deletions due': {
    facts: { status: 'suspended', suspendedFor: 'decision', ...inProduction({ deletions: due }) },
    ...ok,
    needs: ['suspended failing', 'deletions attention'],
    production: 'suspended',
    next: 'Suspended',
  },
  'suspended for a missed deletion': {
    facts: { status: 'suspended', suspendedFor: 'missedDeletion', ...inProduction({ deletions: overdue }) },
    ...ok,
    needs: ['suspended failing'],
    production: 'suspended',
    next: 'Suspended',
  },
  retired: {
    facts: {
      status: 'retired',
      ...inProduction({ certificates: [] }),
      ...inSandbox({ certificates: [], endpoints: [endpointFacts({ dead: 2 })] }),
    },
    needs: [],
    sandbox: 'retired',
    production: 'retired',
    next: null,
  },
  'retired, with data to delete': {
    facts: { status: 'retired', ...inProduction({ certificates: [], deletions: due }) },
    needs: ['deletions attention'],
    sandbox: 'retired',
    production: 'retired',
    next: '3 deletions due',
  },
};

describe.each(Object.entries(states))('an integration that is or has %s', (_, { facts: other, needs, sandbox, production, next }) => {
  const facts = integrationFacts(other);
  const items = attentionOf(facts);

  test('needs its owner for exactly this, and is as healthy as this says', () => {
    expect(items.map(({ kind, level }) => `${kind} ${level}`)).toEqual(needs);
    expect(environments.map((environment) => healthOf(facts, environment).level)).toEqual([sandbox, production]);
    expect(nextStep(facts)?.title ?? null).toBe(next);
  });

  test('says the same in the list of what needs its owner, as its health, and as its next step', () => {
    const worst = environments.map((environment) => healthOf(facts, environment).level);
    const over = ['suspended', 'retired'].includes(facts.status);
    if (!over) {
      expect(worst.includes('failing')).toBe(items.some(({ level }) => level === 'failing'));
      // What a review needs is a matter of no environment.
      const ofClients = items.filter(({ kind }) => !['reviewQuestion', 'reviewRejected', 'activation'].includes(kind));
      expect(worst.some((level) => level === 'failing' || level === 'attention')).toBe(ofClients.length > 0);
    }
    const [first] = items;
    if (first) expect(nextStep(facts)).toMatchObject({ title: first.title, text: first.text, act: first.act, deadline: first.deadline });
  });

  test('tells each thing once, with one act on a page of the integration', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const { act, integration } of items) {
      expect(ownersPath(act, 'tracker')).toMatch(/^\/integrations\/tracker/);
      expect(integration).toEqual({ slug: 'tracker', publicName: 'Tracker' });
    }
  });
});

test('every kind of thing that can need an owner occurs in a state of the table', () => {
  const occurring = new Set(Object.values(states).flatMap(({ needs }) => needs.map((each) => each.split(' ')[0])));
  expect(ownerAttentionKinds.filter((kind) => kind !== 'terms' && !occurring.has(kind))).toEqual([]);
});

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
  expect(levels('production')).toEqual(['Valid: quiet', 'Within its limits: quiet']);
  expect(levels('sandbox')).toEqual(['Valid: healthy', 'Within its limits: healthy']);
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

test('deliveries that a suspension or a closed gate holds are not said to arrive', () => {
  const endpoints = [endpointFacts({ lastSuccessAt: before(2 * day) })];
  const failing = [endpointFacts({ lastSuccessAt: before(2 * day), failingSince: before(2 * day), failuresInRow: 9 })];
  const found = (other: Partial<IntegrationFacts>) =>
    healthOf(integrationFacts({ ...inProduction({ endpoints }), ...other }), 'production').signals.find(
      ({ signal }) => signal === 'webhooks',
    );
  expect(found({})).toMatchObject({ level: 'healthy', word: 'Deliveries arrive', figure: 'last one 2 days ago' });
  for (const held of [{ status: 'suspended' }, { gateOpen: false }] as const) {
    for (const each of [endpoints, failing]) {
      expect(found({ ...inProduction({ endpoints: each }), ...held })).toMatchObject({
        level: 'quiet',
        word: 'Deliveries are held',
        figure: 'last one 2 days ago',
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
    sentence: 'Production: 1 deletion overdue; 30 of 33 requests refused; last sync answered 4 minutes ago.',
    next: '1 deletion overdue',
    data: 'quiet',
  });
  expect(story({ ...refused, deletions: due })).toEqual({
    sentence: 'Production: 3 deletions due; 30 of 33 requests refused; last sync answered 4 minutes ago.',
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
    sentence: 'Production: data flows, last sync 4 minutes ago; 3 deletions due.',
    next: '3 deletions due',
    data: 'healthy',
  });
});

test('health is one sentence that says whether data flows, and if not, why', () => {
  const sentence = (other: Partial<IntegrationFacts>) => healthOf(integrationFacts(other), 'production').sentence;
  expect(sentence({})).toBe('Production: data flows, last sync 4 minutes ago.');
  const refused = {
    cadenceMinutes: 60,
    ...inProduction({ lastSyncAt: before(hour), syncRefusedAt: before(minute), requests: 1, refused: 1 }),
  };
  expect(sentence(refused)).toBe('Production: last sync answered 1 hour ago; the last sync was refused.');
  expect(sentence({ gateOpen: false })).toBe('Production: the gate is closed.');
  expect(sentence(inProduction({ lastSyncAt: before(3 * hour) }))).toBe('Production: syncs have stopped, last sync 3 hours ago.');
  expect(sentence(inProduction({ deletions: due }))).toBe('Production: data flows, last sync 4 minutes ago; 3 deletions due.');
  expect(sentence(inProduction({ requests: 33, refused: 30 }))).toBe(
    'Production: 30 of 33 requests refused; last sync answered 4 minutes ago.',
  );
  const certificates = [certificateFacts({ usableUntil: before(-6 * day) })];
  expect(sentence(inProduction({ certificates }))).toBe('Production: data flows, last sync 4 minutes ago; the certificate ends in 6 days.');
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

test.each<[string, MailText]>([
  ['asked a question', mailed('review_question', {})],
  ['rejected', mailed('submission_rejected', { unmet: 2 })],
  ['approved', mailed('submission_approved', {})],
  [
    'a certificate that ends in 6 days',
    mailed('certificate_expiring', { environment: 'production', commonName: 'x', usableUntil: endsAt, left: 6 * day }),
  ],
  ['deletions due', mailed('deletion_warning', { deletions: 3, deadline: endsAt })],
  ['an endpoint that only fails', mailed('webhook_failing', { environment: 'production', host: 'hooks.example', since: endsAt, hours: 1 })],
  ['an endpoint that an administrator paused', mailed('webhook_paused', { environment: 'production', host: 'hooks.example', reason: 'x' })],
  ['dead letters', mailed('webhook_dead_letters', { letters: 12, more: 0, endpoints: 1 })],
  [
    'most of a quota used',
    mailed('quota_reached', { environment: 'production', quota: 'requests_per_hour', percent: 80, limit: 600, resetsAt: endsAt }),
  ],
  ['suspended', mailed('integration_suspended', { reason: 'x' })],
  ['suspended, with deletions due', mailed('integration_suspended', { reason: 'x' })],
  ['suspended for a missed deletion', mailed('integration_suspended', { reason: 'x', outstanding: 1 })],
])('the mail about an integration that is or has %s says what the inbox says', (state, { subject, paragraphs, action }) => {
  const [item] = attentionOf(integrationFacts(states[state]?.facts));
  if (!item) throw new Error('Nothing needs the owner.');
  expect({ subject, text: paragraphs[0], label: action?.label }).toEqual({
    subject: `${item.title}: Tracker`,
    text: item.text,
    label: item.act.label,
  });
  // Mails about an endpoint lead to all of them, because they do not name it.
  expect(ownersPath(item.act, 'tracker').startsWith(action?.path ?? 'nowhere')).toBe(true);
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

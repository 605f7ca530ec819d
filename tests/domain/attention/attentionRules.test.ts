import { describe, expect, test } from '@jest/globals';
import { attentionOf, needsIn } from '../../../server/domain/attention/attentionOf.ts';
import type { IntegrationFacts } from '../../../server/domain/attention/facts/IntegrationFacts.ts';
import type { HealthLevel } from '../../../server/domain/attention/findings/findingTypes.ts';
import { healthOf } from '../../../server/domain/attention/healthOf.ts';
import { nextStep } from '../../../server/domain/attention/nextStep.ts';
import { factsOf, isStopped, statusesThat, waitsForAdministrator } from '../../../server/domain/integration/integrationStatus.ts';
import { environments } from '../../../server/domain/shared/environment.ts';
import { noDeletions } from '../../../server/domain/sharing/deletion/deletionCounts.ts';
import type { MailText } from '../../../server/domain/notification/mailText.ts';
import { actOn, attentionKinds, ownersPath } from '../../../server/domain/notification/words/attentionKinds.ts';
import {
  before,
  certificateFacts,
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

type State = {
  readonly facts: Partial<IntegrationFacts>;
  /** What needs the owner: kind and level. */
  readonly needs: readonly string[];
  readonly sandbox: HealthLevel;
  readonly production: HealthLevel;
  readonly next: string | null;
};

const unused = { lastRequestAt: null, lastSyncAt: null, requests: 0 };
const notApproved = { status: 'sandbox', production: null } as const;
const review = { waitsFor: 'operator', waitingSince: before(hour), unmet: 0 } as const;
const nothing = { needs: [], sandbox: 'healthy', production: 'new' } as const;
const ok = { needs: [], sandbox: 'healthy', production: 'healthy', next: null } as const;

/** Every state that an integration can be in, as its owner finds it. */
const states: Readonly<Record<string, State>> = {
  'new, without a certificate': {
    facts: { ...notApproved, ...inSandbox({ ...unused, certificates: [] }) },
    ...nothing,
    sandbox: 'new',
    next: 'Get a sandbox certificate',
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
    facts: { ...notApproved, ...inSandbox({ deletions: { ...noDeletions, outstandingCount: 1 } }) },
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
    needs: ['activation settingUp'],
    production: 'settingUp',
    next: 'Go live, step 3 of 5: activate the integration',
  },
  'active, without a certificate': {
    facts: inProduction({ ...unused, certificates: [] }),
    ...ok,
    needs: ['certificateMissing settingUp'],
    production: 'settingUp',
    next: 'Go live, step 4 of 5: get a production certificate',
  },
  'active, its certificate expired before a call': {
    facts: inProduction({ ...unused, certificates: [certificateFacts({ usableUntil: before(hour) })] }),
    ...ok,
    needs: ['certificateMissing settingUp'],
    production: 'settingUp',
    next: 'Go live, step 4 of 5: get a production certificate',
  },
  'active, without a certificate after it has worked': {
    facts: inProduction({ certificates: [] }),
    ...ok,
    needs: ['certificateMissing failing'],
    production: 'failing',
    next: 'No production certificate',
  },
  'active, behind a gate that was never open': {
    facts: { gateOpen: false, gateChangedAt: null, ...inProduction(unused) },
    ...ok,
    production: 'settingUp',
    next: 'Go live, step 5 of 5: wait until administrators open the production gate',
  },
  'active, without a certificate and behind a closed gate': {
    facts: { gateOpen: false, gateChangedAt: null, ...inProduction({ ...unused, certificates: [] }) },
    ...ok,
    needs: ['certificateMissing settingUp'],
    production: 'settingUp',
    next: 'Go live, step 4 of 5: get a production certificate',
  },
  'active, its certificate being issued': {
    facts: inProduction({ ...unused, certificates: [certificateFacts({ status: 'pending', usableUntil: null })] }),
    ...ok,
    production: 'settingUp',
    next: 'Go live, step 4 of 5: the production certificate is being issued',
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
    needs: ['activation settingUp'],
    production: 'settingUp',
    next: 'Go live, step 3 of 5: activate the integration',
  },
  'active, without a call': { facts: inProduction(unused), ...ok, production: 'settingUp', next: 'Call production' },
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
    next: '10 of 100 production calls refused in 2 hours',
  },
  'most requests refused': {
    facts: inProduction({ requests: 100, refused: 60 }),
    ...ok,
    needs: ['callsRefused failing'],
    production: 'failing',
    next: '60 of 100 production calls refused in 2 hours',
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
    next: '60 of 120 production calls refused in 2 hours',
  },
  'an hourly sync that is refused': {
    facts: {
      cadenceMinutes: 60,
      ...inProduction({ lastSyncAt: before(hour), refusedSync: { at: before(minute), problem: null }, requests: 2, refused: 1 }),
    },
    ...ok,
    needs: ['someRefused attention'],
    production: 'attention',
    next: 'The last production sync was refused',
  },
  'a daily sync that was refused this morning': {
    facts: {
      cadenceMinutes: 1440,
      ...inProduction({ lastSyncAt: before(day), refusedSync: { at: before(6 * hour), problem: null }, requests: 0 }),
    },
    ...ok,
    needs: ['someRefused attention'],
    production: 'attention',
    next: 'The last production sync was refused',
  },
  'one sync among many refused just now': {
    facts: inProduction({ refusedSync: { at: before(minute), problem: null }, requests: 100, refused: 1 }),
    ...ok,
  },
  'called without a sync for less than its plan allows': {
    facts: inProduction({ lastSyncAt: null, calledSince: before(90 * minute) }),
    ...ok,
    production: 'settingUp',
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
    production: 'settingUp',
    next: 'Sync for the first time',
  },
  'called long before its gate was opened': {
    facts: { gateChangedAt: before(minute), ...inProduction({ lastSyncAt: null, calledSince: before(9 * day) }) },
    ...ok,
    production: 'settingUp',
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
    next: 'Production calls are refused because of the certificate',
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
  'a successor that was issued within the last day': {
    facts: inProduction({
      certificates: [
        certificateFacts({ id: 'crt_2', issuedAt: before(23 * hour), lastUsedAt: null }),
        certificateFacts({ usableUntil: before(-6 * day) }),
      ],
    }),
    ...ok,
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
    next: 'Production webhooks to hooks.example are failing',
  },
  'an endpoint that an administrator paused': {
    facts: inProduction({ endpoints: [endpointFacts({ status: 'paused', pausedBy: 'administrator' })] }),
    ...ok,
    needs: ['webhookPaused failing'],
    production: 'failing',
    next: 'Production webhook endpoint paused by an administrator',
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
    next: 'A paused production webhook endpoint holds deliveries',
  },
  'dead letters': {
    facts: inProduction({ endpoints: [endpointFacts({ dead: 12 })] }),
    ...ok,
    needs: ['deadLetters attention'],
    production: 'attention',
    next: '12 production events not delivered',
  },
  'an endpoint that is not proven': {
    facts: inProduction({ endpoints: [endpointFacts({ status: 'registered' })] }),
    ...ok,
    needs: ['endpointUnproven attention'],
    production: 'attention',
    next: 'Nothing is delivered to hooks.example: its production endpoint is not proven',
  },
  'most of a quota used': {
    facts: inProduction({ quotas: [{ name: 'hour', limit: 600, left: 84 }] }),
    ...ok,
    needs: ['quota attention'],
    production: 'attention',
    next: '80% of a quota used',
  },
  'a quota used up': {
    facts: inProduction({ quotas: [{ name: 'hour', limit: 600, left: 0 }] }),
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
  'suspended, with an endpoint that fails at what is never held': {
    facts: {
      status: 'suspended',
      suspendedFor: 'decision',
      ...inProduction({ endpoints: [endpointFacts({ failuresInRow: 9, failingSince: before(day), failsUnheld: true })] }),
    },
    ...ok,
    needs: ['suspended failing', 'webhookFailing failing'],
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
    const over = isStopped(facts.status, 'production');
    if (!over) {
      expect(worst.includes('failing')).toBe(items.some(({ level }) => level === 'failing'));
      // What a review needs is a matter of no environment.
      const ofClients = items.filter(({ kind }) => !['reviewQuestion', 'reviewRejected', 'activation'].includes(kind));
      expect(worst.some((level) => level === 'failing' || level === 'attention')).toBe(
        ofClients.some(({ level }) => level !== 'settingUp'),
      );
    }
    const [first] = items;
    if (first)
      expect(nextStep(facts)).toMatchObject({
        level: first.level,
        title: first.title,
        text: first.text,
        act: first.act,
        deadline: first.deadline,
      });
    else expect(nextStep(facts)?.level ?? null).toBeNull();
  });

  test('tells each thing once, with one act on a page of the integration', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const { act, integration } of items) {
      expect(ownersPath(act, 'tracker')).toMatch(/^\/integrations\/tracker/);
      expect(integration).toEqual({ slug: 'tracker', publicName: 'Tracker' });
    }
  });
});

const ending = [certificateFacts({ usableUntil: before(-6 * day) })];
const failing = { failingSince: before(26 * hour), failuresInRow: 9 };
/** Where several things need the owner, a page that shows the first has a button for the next. */
const crowded: Readonly<Record<string, Pick<State, 'facts'>>> = {
  'deletions due and a certificate that ends': { facts: inProduction({ deletions: due, certificates: ending }) },
  'deletions overdue, a certificate that ends, and calls that are refused': {
    facts: inProduction({ deletions: overdue, certificates: ending, requests: 33, refused: 30 }),
  },
  'syncs that have stopped, calls that are refused, and two endpoints that fail': {
    facts: inProduction({
      lastSyncAt: before(3 * hour),
      requests: 33,
      refused: 30,
      endpoints: [endpointFacts(failing), endpointFacts({ ...failing, id: 'whk_2' })],
    }),
  },
  'calls that are refused and a quota that is used up, on one page, and dead letters': {
    facts: inProduction({
      requests: 33,
      refused: 30,
      quotas: [{ name: 'hour', limit: 600, left: 0 }],
      endpoints: [endpointFacts({ dead: 2 })],
    }),
  },
};

/** Whatever stops production for now, what is never held can fail, and what was revoked is due. */
const stopped = Object.fromEntries(
  statusesThat((status) => factsOf(status, 'production').calls === 'notNow').flatMap((status) => {
    const fails = endpointFacts({ failuresInRow: 9, failingSince: before(day), failsUnheld: true });
    return Object.entries({ 'an endpoint that fails': { endpoints: [fails] }, 'deletions due': { deletions: due } }).map(
      ([besides, client]) => [`in production ${status}, with ${besides}`, { facts: { status, ...inProduction(client) } }] as const,
    );
  }),
);

test.each(Object.entries({ ...states, ...crowded, ...stopped }))(
  '%s: the sentence names what each act beside it is about, and no act is about anything else',
  (_, { facts }) => {
    const all = integrationFacts(facts);
    for (const environment of environments) {
      const { sentence, acts, signals } = healthOf(all, environment);
      const known = needsIn(all, environment);
      const placeOf = ({ act: { page, environment: where, objectId } }: Pick<(typeof known)[number], 'act'>) =>
        [page, where, objectId].join();
      const plain = (words: string) => words.toLowerCase().replace(`${environment} `, '');
      const data = signals.find(({ signal }) => signal === 'data')?.word;
      const unnamed = known
        .filter(({ act }) => acts.some((each) => placeOf({ act: each }) === placeOf({ act }) && each.label === act.label))
        .filter(({ title, kind }) => !plain(sentence).includes(plain(kind === 'corpusFailed' ? (data ?? title) : title)));
      expect({ sentence, unnamed: unnamed.map(({ title }) => title) }).toEqual({ sentence, unnamed: [] });
      const next = known.find((each) => known[0] && placeOf(each) !== placeOf(known[0]));
      expect(acts).toEqual(expect.arrayContaining([known[0], next].flatMap((each) => (each ? [expect.objectContaining(each.act)] : []))));
      // A page that leaves out what it says itself makes its sentence of these.
      for (const { about } of acts) expect(plain(sentence)).toContain(plain(about));
    }
  },
);

test('syncs are late or have stopped since they were expected, not since a sync of the time before production opened again', () => {
  const opened = before(91 * minute);
  const needsOf = (facts: Partial<IntegrationFacts>) => attentionOf(integrationFacts(facts)).map(({ kind, since }) => [kind, since]);
  const synced = before(10 * day);
  expect(needsOf({ gateChangedAt: opened, ...inProduction({ lastSyncAt: synced }) })).toEqual([['syncsStopped', opened]]);
  expect(needsOf({ gateChangedAt: before(31 * minute), ...inProduction({ lastSyncAt: synced }) })).toEqual([
    ['syncsLate', before(31 * minute)],
  ]);
});

test('what is due within two days comes before what fails, and what is due later after that', () => {
  const deletionsDueIn = (time: number) => ({ ...due, nextDeadlineAt: before(-time) });
  const kinds = (time: number) =>
    attentionOf(integrationFacts(inProduction({ requests: 40, refused: 40, deletions: deletionsDueIn(time) }))).map(({ kind }) => kind);
  expect(kinds(2 * day)).toEqual(['deletions', 'callsRefused']);
  expect(kinds(2 * day + minute)).toEqual(['callsRefused', 'deletions']);
});

test.each(Object.entries(states))(
  '%s: the next step says how to reach us where it sends its reader to us, and only there',
  (_, { facts }) => {
    const step = nextStep(integrationFacts(facts));
    expect(step?.contact ?? false).toBe(/\bask us\b/.test(step?.text ?? ''));
  },
);

test.each(statusesThat((status) => isStopped(status, 'production') && waitsForAdministrator(status)))(
  'that one is %s, which only an administrator can end, comes before what it has to delete',
  (status) => {
    const facts = integrationFacts({ status, ...inProduction({ deletions: overdue }) });
    const kinds = attentionOf(facts).map(({ kind }) => kind);
    expect([kinds.length > 1, kinds.indexOf('deletions')]).toEqual([true, 1]);
  },
);

test('every kind of thing that can need an owner occurs in a state of the table', () => {
  const occurring = new Set(Object.values(states).flatMap(({ needs }) => needs.map((each) => each.split(' ')[0])));
  const ownersKinds = attentionKinds.slice(0, attentionKinds.indexOf('submission'));
  expect(ownersKinds.filter((kind) => kind !== 'terms' && kind !== 'accountReset' && !occurring.has(kind))).toEqual([]);
});

test.each<[string, MailText]>([
  ['asked a question', mailed('review_question', {})],
  ['rejected', mailed('submission_rejected', { unmet: 2 })],
  [
    'a certificate that ends in 6 days',
    mailed('certificate_expiring', { environment: 'production', commonName: 'x', usableUntil: endsAt, left: 6 * day }),
  ],
  ['deletions due', mailed('deletion_warning', { deletions: 3, deadline: endsAt })],
  ['an endpoint that only fails', mailed('webhook_failing', { environment: 'production', host: 'hooks.example', since: endsAt, hours: 1 })],
  ['an endpoint that an administrator paused', mailed('webhook_paused', { environment: 'production', host: 'hooks.example', reason: 'x' })],
  ['dead letters', mailed('webhook_dead_letters', { environment: 'production', letters: 12, more: 0, hosts: 'hooks.example' })],
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
  // Mails about an endpoint lead to all of its environment, because they do not name it.
  const act = item.act.page === 'webhookEndpoint' ? actOn('webhooks', item.act.label, 'production') : item.act;
  expect(action?.path).toBe(ownersPath(act, 'tracker'));
});

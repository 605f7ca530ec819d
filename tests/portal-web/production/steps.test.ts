import { expect, test } from '@jest/globals';
import { integrationFacts } from '../../../server/domain/integration/integrationFacts.ts';
import { integrationStatuses, phaseOf } from '../../../server/domain/integration/integrationStatus.ts';
import type { Check } from '../../../portal-web/src/features/review/checkFragment.ts';
import { checkBadge, countWords, groupedChecks, unknownWords } from '../../../portal-web/src/features/review/checkWords.ts';
import { reviewLine } from '../../../portal-web/src/pages/integration/overview/reviewLine.ts';
import { currentStep, productionSteps, queueWords } from '../../../portal-web/src/pages/integration/production/productionSteps.ts';
import { submissionChecks } from '../../../server/domain/review/check/submissionChecks.ts';
import { beginning, stillToDo } from '../../../portal-web/src/pages/integration/production/submissionForm.ts';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`;
const life = (['activated', 'approved', 'submitted'] as const).map((step, place) => ({ step, at: at(9 - place) }));
type StepFacts = Parameters<typeof productionSteps>[0];
const issued: StepFacts['certificates'] = [{ status: 'issued', issuedAt: at(10) }];
const facts = (more: Partial<StepFacts>): StepFacts => ({
  status: 'sandbox',
  statusChangedAt: at(12),
  reviewWaitsFor: null,
  reviewedProfileVersion: null,
  productionDataEnabled: false,
  productionGate: { open: false, reason: null, changedAt: null },
  serviceGate: { open: true, reason: null, changedAt: null },
  latestSteps: [],
  certificates: [],
  ...more,
  phases: { sandbox: phaseOf(more.status ?? 'sandbox', 'sandbox'), production: phaseOf(more.status ?? 'sandbox', 'production') },
});
const approved = { reviewedProfileVersion: 1, latestSteps: life.slice(1) };
const active = { status: 'active', reviewedProfileVersion: 1, latestSteps: life } as const;
const open = { productionDataEnabled: true, productionGate: { open: true, reason: null, changedAt: at(11) } };

const ways: [string, Partial<StepFacts>, string | null, string[]][] = [
  ['in the sandbox', {}, 'submit', ['Your turn', 'Later', 'Later', 'Later', 'Later']],
  ['rejected', { status: 'rejected' }, 'submit', ['Changes needed', 'Later', 'Later', 'Later', 'Later']],
  [
    'in the queue',
    { status: 'submitted', reviewWaitsFor: 'reviewer' },
    'review',
    ['Done', 'With the reviewers', 'Later', 'Later', 'Later'],
  ],
  ['asked', { status: 'submitted', reviewWaitsFor: 'operator' }, 'review', ['Done', 'Answer needed', 'Later', 'Later', 'Later']],
  ['approved', { status: 'approved', ...approved }, 'activate', ['Done', 'Done', 'Your turn', 'Later', 'Later']],
  [
    'approved with a certificate',
    { status: 'approved', ...approved, certificates: issued },
    'activate',
    ['Done', 'Done', 'Your turn', 'Done', 'Later'],
  ],
  ['active without a certificate', active, 'certificate', ['Done', 'Done', 'Done', 'Your turn', 'Later']],
  [
    'waiting for its certificate',
    { ...active, certificates: [{ status: 'pending', issuedAt: null }] },
    'certificate',
    ['Done', 'Done', 'Done', 'Being issued', 'Later'],
  ],
  ['active before a closed gate', { ...active, certificates: issued }, 'gate', ['Done', 'Done', 'Done', 'Done', 'With the administrators']],
  ['live', { ...active, ...open, certificates: issued }, null, ['Done', 'Done', 'Done', 'Done', 'Done']],
  ['suspended', { ...active, status: 'suspended', certificates: issued }, null, ['Done', 'Done', 'Suspended', 'Done', 'Later']],
  ['retired from the sandbox', { status: 'retired' }, null, ['Ended', 'Ended', 'Ended', 'Ended', 'Ended']],
];

test('the steps are seen in every status', () => {
  const seen = new Set(ways.map(([, { status = 'sandbox' }]) => status));
  expect(integrationStatuses.filter((status) => !seen.has(status))).toEqual([]);
});

test.each(ways)('an integration that is %s sees each step’s state, and which one is next', (_what, given, next, words) => {
  const steps = productionSteps(facts(given));
  expect(steps.map(({ word }) => word)).toEqual(words);
  expect(currentStep(steps)?.name ?? null).toBe(next);
});

test('what an administrator has reactivated in place of its owner is active since then', () => {
  const latestSteps = [{ step: 'reactivated', at: at(9) }, ...life.slice(1)] as const;
  const step = productionSteps(facts({ ...active, latestSteps })).find(({ name }) => name === 'activate');
  expect(step).toMatchObject({ word: 'Done', at: at(9) });
});

test('an active integration is not called live: it may have no certificate, or a closed gate', () => {
  expect(reviewLine({ status: 'active', reviewWaitsFor: null }, null)).toBe('Approved, active');
});

test('until the first submission, the overview says what is known to be missing of it', () => {
  const sandbox = { status: 'sandbox', reviewWaitsFor: null } as const;
  expect(reviewLine(sandbox, 'logo, review address, 9 confirmations')).toBe(
    'Not submitted; missing: logo, review address, 9 confirmations',
  );
  expect(reviewLine(sandbox, null)).toBe('Not submitted yet');
});

test('where production is stopped, its step has the word, the colour and the time of the status', () => {
  const steps = productionSteps(facts({ ...active, status: 'suspended', statusChangedAt: at(13), certificates: issued }));
  const { tone, word } = integrationFacts.suspended;
  expect(steps.find(({ state }) => state === 'stopped')).toMatchObject({ name: 'activate', tone, word, at: at(13) });
});

test('each step that is done has its date', () => {
  const steps = productionSteps(facts({ ...active, ...open, certificates: issued }));
  expect(steps.map((step) => step.at)).toEqual([at(7), at(8), at(9), at(10), at(11)]);
});

test('data flows since the later of the two gates was opened', () => {
  const opened = (service: string) => {
    const steps = productionSteps(
      facts({ ...active, ...open, certificates: issued, serviceGate: { ...open.productionGate, changedAt: service } }),
    );
    return steps.at(-1)?.at;
  };
  expect([opened(at(12)), opened(at(3))]).toEqual([at(12), at(11)]);
});

test.each([
  [null, ''],
  [{ before: null, medianDays: 1, turn: 'operator' }, ''],
  [{ before: 2, medianDays: 1, turn: 'reviewer' }, '2 before you; half of reviews take 1 day or less.'],
  [{ before: 0, medianDays: 3, turn: 'reviewer' }, 'You are next; half of reviews take 3 days or less.'],
  [{ before: 1200, medianDays: null, turn: 'reviewer' }, '1,200 before you.'],
] as const)('the place %j reads “%s”', (place, words) => expect(queueWords(place)).toBe(words));

const verdict = (met: boolean) => ({ met, note: '', givenAt: at(1) });
const last = {
  status: 'rejected' as const,
  reviewUrl: 'https://example.com/before',
  checklist: [
    { item: 'privacy' as const, word: 'Old.', verdict: verdict(false) },
    { item: 'terms' as const, word: null, verdict: verdict(true) },
    { item: 'support' as const, word: null, verdict: null },
  ],
};

test('after a rejection only the unmet points are open; without verdicts, and after a withdrawal, all of them are', () => {
  const first = beginning({ draft: null, last, version: 2 });
  expect([...first.ticked]).toEqual(['terms', 'support']);
  expect(first).toMatchObject({ reviewUrl: 'https://example.com/before', words: { privacy: 'Old.' } });
  const unjudged = last.checklist.map((item) => ({ ...item, verdict: null }));
  expect([...beginning({ draft: null, last: { ...last, checklist: unjudged }, version: 2 }).ticked]).toEqual([]);
  expect([...beginning({ draft: null, last: { ...last, status: 'withdrawn' }, version: 2 }).ticked]).toEqual([]);
});

test('a draft goes before what was submitted, but its confirmations hold for their own version of the profile only', () => {
  const draft = {
    profileVersion: 2,
    reviewUrl: 'https://example.com/new',
    confirmations: [{ item: 'privacy' as const, confirmed: true, word: 'New.' }],
    version: 1,
    savedAt: at(1),
  };
  expect(beginning({ draft, last, version: 2 })).toMatchObject({
    reviewUrl: 'https://example.com/new',
    words: { privacy: 'New.' },
    ticked: new Set(['privacy']),
  });
  expect([...beginning({ draft, last, version: 3 }).ticked]).toEqual(['terms', 'support']);
});

test('what is left to do is named, and nothing is once everything is there', () => {
  const values = { reviewUrl: ' ', ticked: new Set(['privacy' as const]), words: {} };
  expect(stillToDo({ total: 9, values, blocking: [{ check: 'logo', title: 'Logo upload' }] })).toEqual([
    'upload a logo',
    'give the review address',
    'confirm 8 more points',
  ]);
  expect(stillToDo({ total: 1, values: { ...values, reviewUrl: 'x' }, blocking: [] })).toEqual([]);
});

test('the title of a check names what is checked, and claims nothing about how it came out, since it stands above failures as well', () => {
  for (const { title } of Object.values(submissionChecks)) expect(title).not.toMatch(/ (is|are|was|were|answers?|links|takes)\b/);
});

test.each([
  [['passed', 'required'], '1 passed'],
  [
    ['passed', 'required'],
    ['failed', 'warning'],
    ['failed', 'suggestion'],
    ['unknown', 'required'],
    '1 passed, 1 worth fixing, 1 optional to fix, 1 could not be checked',
  ],
  [['failed', 'required'], ['failed', 'warning'], '0 passed, 1 must be fixed, 1 worth fixing'],
] as const)('the checks are counted in the words of their badges: %j', (...row) => {
  const checks = row.filter((each) => typeof each !== 'string').map(([outcome, level]) => ({ outcome, level }));
  expect(countWords(checks)).toBe(row.at(-1));
});

test('a check that failed says whether it keeps the integration from being submitted', () => {
  const word = (level: Check['level']) => checkBadge({ checking: false, outcome: 'failed', level }).word;
  expect((['required', 'warning', 'suggestion'] as const).map(word)).toEqual(['Must be fixed', 'Worth fixing', 'Fixing is optional']);
});

test('what could not be checked is called so by its badge and by the decision about the version, too', () => {
  expect(checkBadge({ checking: false, outcome: 'unknown', level: 'required' }).word).toBe('Could not be checked');
  const checks = [
    { outcome: 'unknown', title: 'Website' },
    { outcome: 'passed', title: 'Logo' },
  ] as const;
  expect(unknownWords(checks)?.title).toBe('1 of 2 could not be checked');
});

test('what to mend comes first, the gravest before all, apart from what is unknown, was not visited yet or has passed', () => {
  const check = (more: Partial<Check>): Check => ({
    check: 'logo',
    title: '',
    level: 'required',
    outcome: 'failed',
    found: '',
    checkedAt: at(1),
    checking: false,
    checklistItem: null,
    ...more,
  });
  const grouped = groupedChecks([
    check({ check: 'evidence', level: 'suggestion' }),
    check({ check: 'website', outcome: 'unknown' }),
    check({ check: 'terms', outcome: 'passed' }),
    check({ check: 'codeField', level: 'warning' }),
    check({ check: 'privacyPolicy' }),
    check({ check: 'linkingPage', outcome: 'unknown', checkedAt: null }),
  ]);
  expect(grouped.failed.map((each) => each.check)).toEqual(['privacyPolicy', 'codeField', 'evidence']);
  expect(grouped.unknown.map((each) => each.check)).toEqual(['website']);
  expect(grouped.unvisited.map((each) => each.check)).toEqual(['linkingPage']);
  expect(grouped.passed.map((each) => each.check)).toEqual(['terms']);
});

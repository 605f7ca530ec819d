import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { overdueWords } from '../../portal-web/src/pages/integration/deletions/deletionWords.ts';
import { attentionOf } from '../../server/domain/attention/attentionOf.ts';
import { deletionsFinding } from '../../server/domain/attention/findings/deletionsFinding.ts';
import {
  factsOf,
  holdOf,
  integrationStatuses,
  integrationTransitions,
  phaseOf,
  statusesThat,
} from '../../server/domain/integration/integrationStatus.ts';
import { eventTypeFacts } from '../../server/domain/outbox/eventTypeFacts.ts';
import { scopeWarnings } from '../../server/domain/integration/profile/scopeRules.ts';
import { attentionWords } from '../../server/domain/notification/words/attentionWords.ts';
import { deadlineMissed, missedDeadline, sandboxInSuspension } from '../../server/domain/notification/words/consequences.ts';
import { mayStart } from '../../server/domain/shared/stateMachine.ts';
import { noDeletions } from '../../server/domain/sharing/deletion/deletionCounts.ts';
import { problemTexts } from '../../server/portal-http/pages/problemTexts.ts';
import { clientFacts, integrationFacts } from '../domain/attention/integrationFacts.ts';
import { unsaid } from '../support/words/unsaid.ts';

const suspended = new Intl.ListFormat('en', { type: 'disjunction' }).format(integrationTransitions.suspendForMissedDeletion.from);
const suspends = `${suspended} integration that misses the deadline`;

const deletions = { outstanding: 2, overdue: 0, retired: false, mayAcknowledge: true };

test('what a missed deadline leads to is one sentence in the inbox, in warnings and on the page of the problem', () => {
  const told = [
    attentionWords.deletions(deletions).text,
    ...scopeWarnings(['orders.read']),
    problemTexts.acknowledgement_window_closed.meaning,
  ];
  expect(missedDeadline).toBe(`In production, an ${suspends} is suspended.`);
  for (const text of told) expect(text).toContain(missedDeadline);
});

test('of an integration that has missed it and is active, nothing says that it is suspended', () => {
  expect(deadlineMissed).not.toMatch(/suspend/);
});

test.each(integrationStatuses)(
  'need and page say that access may be stopped for what one that is %s has missed, if it suspends',
  (status) => {
    const client = clientFacts('production', { deletions: { ...noDeletions, outstandingCount: 1, dueCount: 1, overdueCount: 1 } });
    const [need] = deletionsFinding(integrationFacts({ status }), client).needs;
    const page = overdueWords({ phase: phaseOf(status, 'production'), environment: 'production', scopes: [] });
    const follows = mayStart(integrationTransitions, 'suspendForMissedDeletion', status);
    expect([need?.text, page].map((text) => text?.includes(deadlineMissed))).toEqual([follows, follows]);
    if (!follows) expect(need?.text).not.toMatch(/suspend|stopped/);
  },
);

test.each(['deletions', 'sandbox', 'changelog', 'production'])('the guide “%s” says the same', (guide) => {
  const says = guide === 'production' ? suspends.replace('deadline', '[deadline](deletions.md)') : suspends;
  expect(unsaid(`docs/guides/${guide}.md`, says)).toEqual([]);
});

test.each([
  ['rest-api/contract/openapi.yaml', `an ${suspends}`],
  ['docs/operating/administration.md', `suspend an ${suspended} integration`],
  ['docs/ARCHITECTURE.md', `suspends an ${suspended} integration`],
])('%s says “%s”', (document, says) => {
  expect(unsaid(document, says)).toEqual([]);
});

test('no page, mail or document says it in other words', () => {
  const files = [
    'server/**/*.ts',
    'portal-web/src/**/*.tsx',
    'portal-web/src/**/*.ts',
    'docs/guides/*.md',
    'rest-api/contract/openapi.yaml',
  ];
  const others = new RegExp(
    `(can|may) be suspended(?! more than once)|missed deadline( on day 7)? suspends|active integration is suspended|sandbox works as usual`,
  );
  const found = files
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => others.test(readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ')));
  expect(found).toEqual([]);
});

test('who may not acknowledge is asked to record', () => {
  const { text } = attentionWords.deletions({ ...deletions, mayAcknowledge: false });
  expect(text).toContain('record each deletion in the portal before the deadline');
  expect(text).not.toContain('acknowledge');
});

const holding = statusesThat((status) => holdOf(status) !== null && factsOf(status, 'sandbox').calls === 'yes');

test.each(holding)('nothing that tells that an integration is %s says that the whole sandbox works', (status) => {
  const { refusal } = factsOf(status, 'production');
  const told = [...attentionOf(integrationFacts({ status })).map(({ text }) => text), refusal && problemTexts[refusal].meaning];
  expect(told.length).toBeGreaterThan(1);
  for (const text of told) expect(text).toContain('sandbox still answers calls, but its webhook deliveries are held');
});

test('what a suspension leaves of the sandbox is one sentence', () => {
  const told = [attentionWords.suspended({ cause: 'decision', outstanding: 0 }).text, problemTexts.integration_suspended.meaning];
  for (const text of told) expect(text).toContain(sandboxInSuspension);
  expect(unsaid('docs/guides/production.md', sandboxInSuspension)).toEqual([]);
  // What its words leave out.
  const unheld = Object.values(eventTypeFacts).filter(({ isNeverHeld }) => isNeverHeld);
  expect([...new Set(unheld.map(({ about }) => about))]).toEqual(['revocation', 'integration']);
});

/** What tells what waits until the current terms are accepted, and how it begins. */
const toldOfTerms: Readonly<Record<string, RegExp>> = {
  'server/domain/notification/words/attentionWords.ts': /accept the new version before you ([^.]+)\./,
  'portal-web/src/features/session/RequireSession.tsx': /Until you accept it, you cannot ([^.]+)\./,
  'portal-web/src/pages/account/AcceptTermsPage.tsx': /Until you accept it, you cannot ([^.]+)\./,
  'portal-web/src/pages/admin/terms/AdminTermsPage.tsx': /const waits = 'anything is ([^']+)'/,
  'server/portal-api/terms/TermsResolver.ts': /Until then, the operator cannot ([^.]+)\./,
  'docs/specification.md': /Until the current version is accepted, the operator cannot ([^;]+);/,
};
/** What owners do that waits for it. */
const waiting = globSync('server/domain/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('await refuseUnlessTermsAccepted('));

test.each(Object.entries(toldOfTerms))('%s names all that waits for the terms', (file, told) => {
  const verbs = waiting.map((each) => /^[a-z]+/.exec(basename(each))?.[0] ?? each);
  const said = told.exec(readFileSync(file, 'utf8').replaceAll(/\s+/g, ' '))?.[1] ?? '';
  expect(verbs.length).toBeGreaterThan(2);
  expect(verbs.filter((verb) => !said.includes(verb.replace(/e$/, '')))).toEqual([]);
});

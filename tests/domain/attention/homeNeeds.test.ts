import { expect, test } from '@jest/globals';
import { homeNeeds } from '../../../portal-web/src/pages/integration/home/homeNeeds.ts';
import { attentionOf } from '../../../server/domain/attention/attentionOf.ts';
import { deletionsInAll } from '../../../server/domain/attention/viewerAttention.ts';
import type { AttentionItem } from '../../../server/domain/notification/words/AttentionItem.ts';
import { attentionTopics } from '../../../server/domain/notification/words/attentionKinds.ts';
import { noDeletions } from '../../../server/domain/sharing/deletion/deletionCounts.ts';
import type { IntegrationFacts } from '../../../server/domain/attention/facts/IntegrationFacts.ts';
import { before, clientFacts, integrationFacts } from './integrationFacts.ts';

const day = 24 * 60 * 60_000;

const owing = (n: number, count: number, other: Partial<IntegrationFacts> = {}): AttentionItem[] => {
  const deletions = {
    ...noDeletions,
    outstandingCount: count,
    dueCount: count,
    nextDeadlineAt: before(-n * day),
  };
  return attentionOf(
    integrationFacts({ production: clientFacts('production', { deletions }), id: `int_${n}`, slug: `owes-${n}`, ...other }),
  );
};
/** As the portal's answer has them. */
const answered = (items: readonly AttentionItem[]) =>
  items.map(({ detail = null, timeForm = null, deletions = null, since, deadline, ...item }) => ({
    ...item,
    topic: attentionTopics[item.kind],
    detail,
    timeForm,
    deletions,
    since: since?.toISOString() ?? null,
    deadline: deadline?.toISOString() ?? null,
  }));
const shown = (items: readonly AttentionItem[]) => homeNeeds(answered(items), items.length, deletionsInAll(items));
const question = (n: number): AttentionItem[] =>
  attentionOf(
    integrationFacts({
      id: `asked_${n}`,
      status: 'submitted',
      production: null,
      review: { waitsFor: 'operator', waitingSince: before(day), unmet: 0 },
    }),
  );

test('what is to be deleted stands together on home, with that of a retired and of a suspended integration, and adds up', () => {
  const missed = owing(1, 2, { status: 'suspended', suspendedFor: 'missedDeletion' });
  const items = [...missed, ...owing(2, 1), ...owing(3, 4, { status: 'retired' }), ...question(1)];
  const { items: lines, together, more } = shown(items);
  expect(lines.map(({ kind }) => kind)).toEqual(['suspended', 'reviewQuestion']);
  expect(together).toMatchObject({ before: 0, inAll: { count: 7, overdue: 0, integrations: 3 }, more: { count: 0, integrations: 0 } });
  expect(together?.items.map(({ deletions, timeForm }) => [deletions?.words, deletions?.retired, timeForm])).toEqual([
    ['2 orders', false, 'firstDeadline'],
    ['1 order', false, null],
    ['4 orders', true, 'firstDeadline'],
  ]);
  expect(more).toBe(0);
});

test('where many integrations have something to delete, home says how much more there is than it lists', () => {
  const items = [
    ...Array.from({ length: 9 }, (_, n) => owing(n + 1, n + 1)).flat(),
    ...Array.from({ length: 12 }, (_, n) => question(n)).flat(),
  ];
  const { items: lines, together, more } = shown(items);
  expect(together).toMatchObject({ inAll: { count: 45, integrations: 9 }, more: { count: 24, integrations: 3 } });
  expect(together?.items).toHaveLength(6);
  // Nine questions and six rows of 21 needs.
  expect([lines.length, more]).toEqual([9, 6]);
});

test('a single deletion keeps its own line', () => {
  expect(shown([...owing(1, 3), ...question(1)])).toMatchObject({ together: null, items: [{ title: '3 deletions due' }, {}], more: 0 });
});

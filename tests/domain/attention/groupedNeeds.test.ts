import { expect, test } from '@jest/globals';
import { groupedNeeds } from '../../../server/domain/attention/groupedNeeds.ts';
import { need } from '../../../server/domain/attention/findings/need.ts';

const since = (day: number) => new Date(Date.UTC(2026, 10, day));
const missing = (n: number) => {
  const integration = { id: `int_${n}`, slug: `board-${n}`, publicName: `Board ${n}` };
  return need(integration, 'certificateMissing', 'settingUp', { environment: 'production', settingUp: true }, { since: since(n) });
};
const ending = (n: number) => {
  const integration = { id: `int_${n}`, slug: `board-${n}`, publicName: `Board ${n}` };
  return need(integration, 'certificateEnding', 'attention', { environment: 'production', left: 86_400_000 }, { deadline: since(28) });
};

test('what three integrations need alike is one line, which leads to them and says since when the first has', () => {
  const [line, ...others] = groupedNeeds([missing(3), missing(1), missing(2)]);
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    title: 'No production certificate: 3 integrations',
    since: since(1),
    integration: null,
    act: { page: 'integrations', objectId: 'certificateMissing' },
  });
});

test('calls that are refused for different reasons are one line, which names none of them', () => {
  const refused = ['Invalid cursor', 'Too many requests', null].map((title, n) => {
    const integration = { id: `int_${n}`, slug: `board-${n}`, publicName: `Board ${n}` };
    return need(integration, 'callsRefused', 'failing', {
      environment: 'production',
      last: title === null ? null : { title, advice: 'Mend it.' },
      refused: 30,
      requests: 33,
    });
  });
  expect(refused[0]?.title).toBe('30 of 33 production calls refused in 2 hours (most recently: Invalid cursor)');
  expect(groupedNeeds(refused).map(({ title, detail }) => [title, detail])).toEqual([
    ['Most production calls refused in 2 hours: 3 integrations', null],
  ]);
});

test('what two need, what differs, and what has a deadline stays by itself', () => {
  const two = [missing(1), missing(2)];
  expect(groupedNeeds(two)).toEqual(two);
  const deadlines = [ending(1), ending(2), ending(3)];
  expect(groupedNeeds(deadlines)).toEqual(deadlines);
  expect(groupedNeeds([...deadlines, missing(1), missing(2), missing(3)])).toHaveLength(4);
});

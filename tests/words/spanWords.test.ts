import { expect, test } from '@jest/globals';
import { comingWords, relativeWords } from '../../portal-web/src/ui/time/timeWords.ts';
import { agoWords, aheadWords, roughSpanWords, spanWords } from '../../server/domain/shared/text/spanWords.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [0, 'less than a minute', 'less than a minute'],
  [minute - 1, 'less than a minute', 'less than a minute'],
  [minute, '1 minute', '1 minute'],
  [90_000, '2 minutes', '2 minutes'],
  [59.6 * minute, '1 hour', '1 hour'],
  [3 * hour + 20 * minute, '3 hours 20 minutes', '3 hours'],
  [14.4 * hour, '14 hours 24 minutes', '14 hours'],
  [23.7 * hour, '23 hours 42 minutes', '1 day'],
  [day - 1, '1 day', '1 day'],
  [1.5 * day - 1, '1 day 12 hours', '1 day'],
  [1.5 * day, '1 day 12 hours', '2 days'],
  [2 * day + 4 * hour, '2 days 4 hours', '2 days'],
  [6 * day + 4 * hour + 59 * minute, '6 days 5 hours', '6 days'],
  [400 * day, '400 days', '400 days'],
  [1_825 * day, '1,825 days', '5 years'],
])('%d ms are “%s”, and roughly “%s”', (span, words, rough) => {
  expect([spanWords(span), roughSpanWords(span)]).toEqual([words, rough]);
});

test('a time in the past and one in the future are as far away as the words for the span say', () => {
  for (let span = 0; span < 4_000 * day; span = span * 1.003 + 977) {
    const [then, now] = [new Date(0), new Date(span)];
    expect([span, agoWords(then, now)]).toEqual([span, span < minute ? 'just now' : `${roughSpanWords(span)} ago`]);
    expect([span, aheadWords(span)]).toEqual([span, `in ${roughSpanWords(span)}`]);
    expect(relativeWords(then, now)).toBe(agoWords(then, now));
    expect(relativeWords(now, then)).toBe(span > minute / 2 ? aheadWords(span) : 'just now');
  }
});

test('what is still to come is never said to be over, and is there when its time is', () => {
  const at = (span: number) => comingWords(new Date(Date.parse('2026-11-28T12:00:00Z') + span), new Date('2026-11-28T12:00:00Z'));
  expect([5 * minute, minute, 10_000, 0, -10_000].map(at)).toEqual(['in 5 minutes', 'in 1 minute', 'in less than a minute', 'now', 'now']);
});

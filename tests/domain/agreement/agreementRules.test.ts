import { expect, test } from '@jest/globals';
import { isDay, textErrors } from '../../../server/domain/agreement/agreementRules.ts';

const wrong = (text: string) => textErrors(text, { path: 'input.summary', name: 'The summary', most: 1_000 }).map(({ message }) => message);

test('an administrator’s summary has 1 to 1,000 characters, in lines of their own, counted as people count', () => {
  expect(['x', 'One line.\nAnother.', 'x'.repeat(1_000), '🚗'.repeat(1_000)].flatMap(wrong)).toEqual([]);
  for (const text of ['', ' \n', 'x'.repeat(1_001), '🚗'.repeat(1_001)]) {
    expect(wrong(text)).toEqual([expect.stringMatching(/^The summary .* 1 to 1,000 characters\.$/)]);
  }
  expect(textErrors('', { path: 'input.reference', name: 'The reference', most: 100 })).toEqual([
    { path: 'input.reference', message: expect.stringMatching(/^The reference .* 1 to 100 characters\.$/) },
  ]);
});

test('an administrator’s summary has no characters that nobody sees', () => {
  for (const text of ['a\u0000b', 'turned \u202e round']) expect(wrong(text)).toEqual(['The summary contains control characters.']);
});

test.each(['2026-12-31', '2000-01-01', '2028-02-29', '2099-12-31'])('an agreement can begin or end on %s', (day) => {
  expect(isDay(day)).toBe(true);
});

test.each([
  '2026-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '1999-12-31',
  '2100-01-01',
  '2026-1-1',
  ' 2026-12-31',
  '2026-12-31T',
  '',
])('an agreement cannot begin or end on “%s”', (day) => expect(isDay(day)).toBe(false));

import { expect, test } from '@jest/globals';
import { hasControls, isBlank } from '../../../server/domain/shared/text/writtenText.ts';

test.each(['می‌خواهم', 'क्‍ष', '👩‍👩‍👧', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'Auftrags\u00adtafel', 'שלום\u200f', 'a\u2060b'])('%j may be a name', (text) => {
  expect(hasControls(text, { lines: false })).toBe(false);
  expect(isBlank(text)).toBe(false);
});

test.each([
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u0000',
  '\u007f',
  '\u0085',
  '\ud83d',
])('a name with %j is refused', (character) => {
  for (const lines of [true, false]) expect(hasControls(`Order${character}Board`, { lines })).toBe(true);
});

test('lines break where a text may have lines', () => {
  expect(hasControls('One line\r\nand\tanother', { lines: true })).toBe(false);
  expect(hasControls('One line\nand another', { lines: false })).toBe(true);
});

test.each(['', ' \n', '\u200d\u200c', '\u00ad'])('%j is nothing that anybody sees', (text) => expect(isBlank(text)).toBe(true));

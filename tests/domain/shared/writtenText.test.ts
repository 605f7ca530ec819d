import { expect, test } from '@jest/globals';
import { passkeyNameComplaint } from '../../../portal-web/src/features/passkey/passkeyName.ts';
import { flawOf, foldText, isBlank } from '../../../server/domain/shared/text/writtenText.ts';

test.each(['می‌خواهم', 'क्‍ष', '👩‍👩‍👧', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'Auftrags\u00adtafel', 'שלום\u200f', 'a\u2060b', 'בְּרֵאשִׁ֖ית', 'ก็ผู้', 'Việt', 'རྐྱཱི'])(
  '%j may be a name',
  (text) => {
    expect(flawOf(text, { lines: false })).toBeNull();
    expect(isBlank(text)).toBe(false);
  },
);

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
  for (const lines of [true, false]) expect(flawOf(`Order${character}Board`, { lines })).toBe('contains control characters');
});

test('a pile of marks on one character is refused', () => {
  expect(flawOf(`Z${'\u0300'.repeat(50)}`, { lines: false })).toBe('has more than eight accents on one character');
  expect(flawOf(`Z${'\u0300\u0316'.repeat(25)}algo`, { lines: true })).toBe('has more than eight accents on one character');
});

test('lines break where a text may have lines', () => {
  expect(flawOf('One line\r\nand\tanother', { lines: true })).toBeNull();
  expect(flawOf('One line\nand another', { lines: false })).not.toBeNull();
});

test.each([
  '',
  ' \n',
  '\u200d\u200c',
  '\u00ad',
  '\u3164',
  '\u2800',
  '\u115f',
  '\u1160',
  '\uffa0',
  ' \u2800\u3164\u0301 ',
  '\u{1d159}',
  '\u0301',
])('%j is nothing that anybody sees', (text) => expect(isBlank(text)).toBe(true));

test.each([
  ['Cafe\u0301', 'café'],
  ['CAFÉ', 'café'],
  ['O\u0308l', 'öl'],
  ['Ölbild', 'ölbild'],
])('%j is searched for as %j', (text, folded) => expect(foldText(text)).toBe(folded));

test('the portal finds the same names of passkeys blank as the service', () => {
  const texts = ['', ' ', '\u115f', '\u3164', '\u2800', '\u{1d159}', '\u200d', '\u0301', 'Key', '钥', '!', '👩‍👩‍👧', '7', 'a\u2060b'];
  expect(texts.filter((text) => passkeyNameComplaint(text) !== null)).toEqual(texts.filter(isBlank));
});

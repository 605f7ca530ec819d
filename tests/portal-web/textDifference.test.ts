import { expect, test } from '@jest/globals';
import { textDifference, wordDifference } from '../../portal-web/src/ui/text/textDifference.ts';

const before = `## 1. Licence

The licence is non-commercial. You may show the data to the user who shared it.

## 2. Deletion

Delete within 7 days.

Keep no backups.`;

test('a reader sees the words that changed inside their paragraph, and what stayed the same apart from it', () => {
  const after = before.replace('7 days', '5 days').replace('\n\nKeep no backups.', '\n\nTell nobody else.');
  expect(textDifference(before, after)).toEqual([
    {
      kind: 'same',
      paragraphs: ['## 1. Licence', 'The licence is non-commercial. You may show the data to the user who shared it.', '## 2. Deletion'],
    },
    {
      kind: 'changed',
      words: [
        { kind: 'same', text: 'Delete within ' },
        { kind: 'removed', text: '7' },
        { kind: 'added', text: '5' },
        { kind: 'same', text: ' days.' },
      ],
    },
    { kind: 'changed', words: [{ kind: 'removed', text: 'Keep no backups.' }] },
    { kind: 'changed', words: [{ kind: 'added', text: 'Tell nobody else.' }] },
  ]);
});

test('a paragraph that was inserted or taken out stands by itself, and its neighbours are unchanged', () => {
  const inserted = before.replace('Keep', 'Record each deletion.\n\nKeep');
  const kinds = (from: string, to: string) =>
    textDifference(from, to).map((block) => (block.kind === 'same' ? block.paragraphs.length : block.words.map(({ kind }) => kind)));
  expect(kinds(before, inserted)).toEqual([4, ['added'], 1]);
  expect(kinds(inserted, before)).toEqual([4, ['removed'], 1]);
});

test('line ends, blank lines and spaces at the edges are no change', () => {
  expect(textDifference(before, `\n${before.replaceAll('\n', '\r\n')}\r\n\r\n\r\n`)).toEqual([
    { kind: 'same', paragraphs: before.split('\n\n') },
  ]);
});

test('both versions can be read back from the words of a value', () => {
  const words = wordDifference('Shows orders to their owners.', 'Shows orders, and when they arrive, to owners.');
  const side = (other: 'added' | 'removed') =>
    words
      .filter(({ kind }) => kind !== other)
      .map(({ text }) => text)
      .join('');
  expect([side('added'), side('removed')]).toEqual(['Shows orders to their owners.', 'Shows orders, and when they arrive, to owners.']);
  expect(words.some(({ kind }) => kind === 'same')).toBe(true);
});

import { expect, test } from '@jest/globals';
import { parseInline } from '../../portal-web/src/features/markdown/parseInline.ts';
import { parseMarkdown } from '../../portal-web/src/features/markdown/parseMarkdown.ts';
import { limits } from '../../server/domain/shared/limits.ts';

const kinds = (text: string) => parseInline(text).map(({ kind }) => kind);

test.each([
  '[a](javascript:alert(1))',
  '[a](JavaScript:alert%281%29)',
  '[a](data:text/html,x)',
  '[a](vbscript:x)',
  '[a](http://example.com)',
  '[a](//example.com)',
  '[a](/\\example.com)',
  '[a](\tjavascript:x)',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:x">a</a>',
])('%s in published terms is text and nothing else', (text) => {
  expect(parseInline(text).map((piece) => piece.kind)).toEqual(['text']);
  expect(parseMarkdown(text)).toMatchObject([{ kind: 'paragraph' }]);
});

test('terms may link to https addresses and to pages of the portal', () => {
  expect(kinds('See [our site](https://example.com/a?b=c#d) and [the docs](/docs).')).toEqual(['text', 'link', 'text', 'link', 'text']);
});

test('number signs that close a heading do not show, and a heading of them alone is no heading’s text', () => {
  expect(parseMarkdown('## Licence ##\n# C # x')).toMatchObject([
    { kind: 'heading', level: 2, content: [{ text: 'Licence' }] },
    { kind: 'heading', level: 1, content: [{ text: 'C # x' }] },
  ]);
});

test('terms of the greatest length are read at once, whatever stands in them', () => {
  const most = limits.termsCharacters;
  const texts = ['\n', '*a', '[', '`', '**a', '- a\n', 'a\n\n', '|a|\n|-|\n', '[a](b', '```\n', '<!-- a -->\n'].map((part) =>
    part.repeat(Math.floor(most / part.length)),
  );
  const begun = performance.now();
  for (const text of [...texts, `# ${'#'.repeat(most - 3)}x`, `# ${' '.repeat(most - 3)}x`]) parseMarkdown(text);
  expect(performance.now() - begun).toBeLessThan(4_000);
});

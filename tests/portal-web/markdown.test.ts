import { expect, test } from '@jest/globals';
import { parseInline, parseMarkdown } from '../../portal-web/src/features/markdown/parseMarkdown.ts';
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
  expect(parseMarkdown(text)).toEqual([{ kind: 'element', tag: 'p', children: [{ kind: 'text', text }] }]);
});

test.each(['[a](&sol;/example.com)', '[a](&#106;avascript:alert(1))', '[a](<//example.com>)', '![a](https://example.com/a.png)'])(
  '%s in published terms is neither an image nor a link to where it seems to lead',
  (text) => {
    const nodes = parseInline(text);
    expect(nodes.filter(({ kind }) => kind !== 'text')).toEqual(
      text.startsWith('!') ? [{ kind: 'link', href: 'https://example.com/a.png', children: [{ kind: 'text', text: 'a' }] }] : [],
    );
  },
);

test('terms may have lists in lists, quotations and what one of them emphasises in a link', () => {
  expect(parseMarkdown('- a\n  - [*b*](/docs)\n\n> c')).toMatchObject([
    {
      tag: 'ul',
      children: [{ tag: 'li', children: [{ text: 'a' }, { tag: 'ul', children: [{ children: [{ kind: 'link', href: '/docs' }] }] }] }],
    },
    { tag: 'blockquote', children: [{ tag: 'p' }] },
  ]);
});

test('terms may link to https addresses and to pages of the portal', () => {
  expect(kinds('See [our site](https://example.com/a?b=c#d) and [the docs](/docs).')).toEqual(['text', 'link', 'text', 'link', 'text']);
});

test('number signs that close a heading do not show, and a heading of them alone is no heading’s text', () => {
  expect(parseMarkdown('## Licence ##\n# C # x')).toMatchObject([
    { tag: 'h2', children: [{ text: 'Licence' }] },
    { tag: 'h1', children: [{ text: 'C # x' }] },
  ]);
});

test('what terms cost to read grows with their length, not with its square, whatever stands in them', () => {
  const parts = [
    '\n',
    '*a',
    '[',
    '`',
    '**a',
    '- a\n',
    'a\n\n',
    '|a|\n|-|\n',
    '[a](b',
    '```\n',
    '<!-- a -->\n',
    '> ',
    '1. ',
    '&#',
    '![',
    '_a',
    '<a ',
  ];
  const shapes = [
    ...parts.map((part) => (length: number) => part.repeat(Math.floor(length / part.length))),
    (length: number) => `# ${'#'.repeat(length - 3)}x`,
    (length: number) => `# ${' '.repeat(length - 3)}x`,
  ];
  const most = limits.termsCharacters;
  const steep = shapes.map((shape) => leastTime(shape(most)) / (leastTime(shape(most / 8)) + 5)).filter((growth) => growth > 24);
  expect(steep).toEqual([]);
});

/** The shortest of five readings, in milliseconds of the processor, so that other work on the machine does not count. */
function leastTime(text: string): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    parseMarkdown(text);
    const { user } = process.cpuUsage(before);
    return user / 1000;
  });
  return Math.min(...times);
}

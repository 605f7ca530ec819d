import { beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { shownTexts, type ShownText } from '../support/browser/shownTexts.ts';

type Rule = { readonly instead: string; readonly avoided: string; readonly pattern: RegExp };

const glossary = 'docs/guides/glossary.md';
const avoidedWords = 'docs/words.md';

/** Where a word that is usually avoided is right. */
const exceptions: readonly { readonly file: string; readonly text: RegExp; readonly why: string }[] = [
  { file: 'server/domain/sandbox/corpus/storeCorpus.ts', text: /^synthetic …/, why: 'a key that is hashed and that nobody reads' },
  { file: 'portal-web/src/features/docs-search/synonyms.ts', text: /./, why: 'what readers may call a thing, which no page shows' },
  { file: 'README.md', text: /without a password or an API key/, why: 'what operators know from elsewhere and do not need here' },
  { file: glossary, text: /call it the \*sandbox corpus\*/, why: 'the row that says who uses which word' },
];

let rules: Rule[];
let texts: ShownText[];
beforeAll(async () => {
  rules = rulesOf(await readFile(avoidedWords, 'utf8'));
  texts = await shownTexts();
});

/** The rows of the table: the word to write, and those not to write instead of it. */
function rulesOf(section: string): Rule[] {
  return [...section.matchAll(/^\| (\*\*.*?) \| (.*?) \|$/gm)].flatMap(([, instead = '', list = '']) =>
    list.split(', ').map((avoided) => ({ instead: instead.replaceAll('**', ''), avoided, pattern: patternOf(avoided) })),
  );
}

/** The word as it is, or with an initial capital, but not as a part of a name. */
function patternOf(avoided: string): RegExp {
  const [first = '', ...rest] = avoided;
  const words = `[${first}${first.toUpperCase()}]${rest.join('')}`.replaceAll(' ', String.raw`\s+`);
  return new RegExp(String.raw`(?<![\w./-])${words}(?![\w/-]|\.\w|[’']s)`, 'g');
}

function complaintsAbout({ file, line, text }: ShownText): string[] {
  if (exceptions.some((exception) => exception.file === file && exception.text.test(text))) return [];
  return rules.flatMap(({ pattern, avoided, instead }) =>
    [...text.matchAll(pattern)].map(({ index }) => {
      const at = line + text.slice(0, index).split('\n').length - 1;
      return `${file}:${at}: “${avoided}”; we write “${instead}”`;
    }),
  );
}

test('the table of avoided words is read, and so is every place where people read', () => {
  expect(rules.length).toBeGreaterThan(50);
  expect(complaintsAbout({ file: 'a page', line: 7, text: 'Two lines,\nand Synthetic data.' })).toEqual([
    'a page:8: “synthetic”; we write “test data”',
  ]);
  const count = (start: string) => texts.filter(({ file, text }) => file.startsWith(start) && text.trim() !== '').length;
  const places = [
    'portal-web/',
    'server/domain/notification/',
    'server/portal-http/pages/problemTexts.ts',
    'rest-api/contract/',
    'schema.graphql',
  ];
  for (const place of [...places, 'docs/guides/', 'docs/tooling.md', 'README.md', 'demo/'])
    expect([place, count(place) > 20]).toEqual([place, true]);
});

test('people read no word that we avoid, not even in a table of such words', () => {
  expect(texts.flatMap(complaintsAbout)).toEqual([]);
});

test('every exception is needed', () => {
  for (const { file, text } of exceptions) expect(texts.some((each) => each.file === file && text.test(each.text))).toBe(true);
});

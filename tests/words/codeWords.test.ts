import { beforeAll, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Rule = { readonly instead: string; readonly pattern: RegExp; readonly where: RegExp };
type Line = { readonly file: string; readonly line: number; readonly text: string };

const product = /^(server|rest-api|workers|demo|portal-web|schema)/;
const everywhere = /./;

/** Words that must not be used in identifiers, comments and documents, because there is another word for the thing (decision 37). */
const rules: readonly Rule[] = [
  {
    instead: 'submission',
    pattern: /(?<!Math\.|way )\b[rR]ounds?\b(?![- ]trips?\b| number|\()|\b[rR]ounds?[A-Z]|[a-z]Rounds?\b/,
    where: product,
  },
  {
    instead: 'lease (for readers: concurrent request)',
    pattern:
      /takePlace|heldPlaces|held_places|WithoutPlace|\b[pP]laces? (is|are|was|were) (given back|taken|free)|\bgives? \S+ places? back|concurrent places?|\b(take|leave)s? (no|a) place\b|out of places/,
    where: everywhere,
  },
  {
    instead: 'sandbox corpus (for readers: test data)',
    pattern: /(?<!_)[sS]ynthetic(?!_)|[sS]andbox[ _]?[dD]ata\b|sandbox[’']s data\b/,
    where: everywhere,
  },
  {
    instead: 'operation',
    pattern: /\b[rR]outes?\b|\bRoute[A-Z]|[a-z]Routes?\b/,
    where: /^(rest-api|server\/domain|server\/portal-api|portal-web\/src\/features\/usage|schema)/,
  },
  {
    instead: 'acknowledge, or record a deletion',
    pattern:
      /\bmark(s|ed)? (it |them |the deletions? )?(as )?(deleted|late)\b|\bconfirm(s|ed|ing)? (the|a|its|their) deletions?\b|\backed\b|markDeleted/,
    where: everywhere,
  },
];

/** Where such a word is right, or has to stay because something stored has that name. */
const exceptions: readonly { readonly file: RegExp; readonly text: RegExp; readonly why: string }[] = [
  { file: /mailKinds|staffMailTexts|submitForReview\.ts/, text: /\bround\b/, why: 'mails are stored with it' },
  {
    file: /review\/(ReviewSubmission|submissionParts)\.ts|domain\/find\/.*\.sql\.ts|attention\/(viewerAttention|facts\/readFacts)\.ts/,
    text: /\bround\b/,
    why: 'a column, and its index',
  },
  { file: /storeCorpus\.ts/, text: /`synthetic \$/, why: 'a key that is hashed and that nobody reads' },
  {
    file: /domain\/usage\/.*\.ts|domain\/find\/.*\.sql\.ts|attention\/facts\/clientRows\.ts/,
    text: /\broute\b/,
    why: 'a column of the request log and the counters',
  },
  {
    file: /rest-api\/(answer\/brokenRequests|middleware\/observeRequests)\.ts/,
    text: /\broute:/,
    why: 'one label of metrics and log lines for both servers',
  },
  { file: /generator\//, text: /[sS]eaRoutes|\broutes?\b/, why: 'the routes of ships' },
];

/** Files that contain the words because they are about them. */
const about = new Set([
  'docs/guides/glossary.md',
  'docs/decisions/foundations/0037-one-word-for-one-thing.md',
  'tests/words/codeWords.test.ts',
  'tests/words/glossary.test.ts',
]);

const sources = ['server', 'rest-api', 'workers', 'demo', 'portal-web/src', 'bench', 'scripts', 'tests', 'docs'];

let lines: Line[];
beforeAll(async () => {
  const files = (await Promise.all(sources.map(filesIn))).flat().filter((file) => !about.has(file));
  lines = (await Promise.all([...files, 'README.md', 'schema.graphql'].map(linesOf))).flat();
});

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.(tsx?|mjs|css|md|yaml)$/.test(name) && !name.endsWith('.d.ts')).map((name) => join(folder, name));
}

async function linesOf(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8');
  return [file, ...text.split('\n')].map((each, index) => ({ file, line: index, text: each }));
}

function complaintsAbout({ file, line, text }: Line): string[] {
  if (exceptions.some((exception) => exception.file.test(file) && exception.text.test(text))) return [];
  return rules.flatMap(({ pattern, where, instead }) => {
    const found = where.test(file) ? pattern.exec(text) : null;
    return found ? [`${file}:${line}: “${found[0]}”; the word is ${instead}`] : [];
  });
}

test('engineers read one word for one thing, in the names of files, identifiers and comments and in documents', () => {
  expect(lines.length).toBeGreaterThan(50_000);
  expect(lines.flatMap(complaintsAbout)).toEqual([]);
});

test.each([
  ['server/domain/review/x.ts', 'const earlierRounds = 3;'],
  ['rest-api/x.ts', '// A place is given back late.'],
  ['demo/sandboxData.ts', 'demo/sandboxData.ts'],
  ['rest-api/x.ts', 'export function matchRoute() {}'],
  ['portal-web/src/x.tsx', '/** The owner confirms the deletion. */'],
])('a word that is avoided is found in %s', (file, text) => {
  expect(complaintsAbout({ file, line: 1, text })).toHaveLength(1);
});

test('every exception is needed', () => {
  for (const { file, text } of exceptions)
    expect([text, lines.some((each) => file.test(each.file) && text.test(each.text))]).toEqual([text, true]);
});

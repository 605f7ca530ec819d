import { globSync, readFileSync } from 'node:fs';
import { shownTexts } from '../browser/shownTexts.ts';
import { numbersToldAs } from './numbersToldAs.ts';

type Told = { readonly file: string; readonly line: number; readonly text: string };

/** What measurements and decisions say was so when they were made; capacity also says what is so. */
const ofTheirTime = /^docs\/(?:performance|decisions\b)/;

const wholeFile = (file: string): Told => ({ file, line: 1, text: readFileSync(file, 'utf8') });

let told: Promise<readonly Told[]> | undefined;

/** Everything that tells a limit to people: what the program shows, all documents, and both descriptions of the interface. */
async function everythingTold(): Promise<readonly Told[]> {
  const shown = (await shownTexts()).filter(({ file }) => /\.tsx?$/.test(file));
  const documents = globSync(['README.md', 'docs/**/*.md', 'rest-api/contract/*.yaml', 'bench/scale*.ts']).filter(
    (file) => !ofTheirTime.test(file),
  );
  return [...shown, ...documents.map(wholeFile)];
}

let pages: readonly Told[] | undefined;
/** The sources of the pages, which cannot import limits: a field says itself how much it takes. */
const sourcesOfPages = () => (pages ??= globSync('portal-web/src/**/*.{ts,tsx}').map(wholeFile));

/** Says nothing about what is limited, or stands in the names of most limits. */
const common = new Set(
  'per of at in and or from once after kept limits client operator most least time start all total ms seen'.split(' '),
);

/** What is limited, as the constant's name says it: the beginnings of its words, so that a plural or a verb is found as well. */
function subjectsOf(limit: string): string[] {
  const words = (limit.split('.').find((part, index) => index > 0) ?? '').match(/[A-Z]?[a-z]+/g) ?? [];
  return words
    .map((word) => word.toLowerCase())
    .filter((word) => !common.has(word))
    .map((word) => word.slice(0, Math.max(4, word.length - 3)));
}

/** What a line stands in: the name of its file and the heading above it, as words. */
const standsIn = (file: string, before: string) => `${file} ${/.*^#+ (.*)$/ms.exec(before)?.[1] ?? ''}`;
const inWords = (text: string) => text.replaceAll(/([a-z])(?=[A-Z])/g, '$1 ');

/** The lines, as `file:line: words`, that seem to say that a limit (its object and name) has this value. */
export async function linesThatRepeat(limit: string, value: number): Promise<string[]> {
  const { bare, withUnit } = numbersToldAs(value);
  const subject = `(?:${subjectsOf(limit).join('|')})`;
  const alone = (numbers: readonly string[]) => String.raw`(?<![\w.,:/-])(?:${numbers.join('|')})(?![\w/:-]|[.,]\d|\s+thirds?\b)`;
  // A bare number says little, so what it counts has to be beside it. A time or a size may stand anywhere near it, in
  // its file or under its heading.
  const beside = [`${alone(bare)}(?:\\W+[\\w’'-]+){0,3}?\\W+${subject}`, `\\b${subject}[\\w’'-]*(?:\\W+[\\w’'-]+){0,4}?\\W+${alone(bare)}`];
  const measured = withUnit.length === 0 ? null : new RegExp(alone(withUnit), 'gi');
  const named = new RegExp(`\\b${subject}`, 'i');
  // A large number has few reasons.
  const anywhere = value >= 1_000 ? [alone(bare)] : [];
  const patterns = [...beside, ...anywhere].map((pattern) => new RegExp(pattern, 'gi'));
  const number = new RegExp(alone([...withUnit, ...bare]), 'i');
  const found = new Set<string>();
  for (const { file, line, text } of [...(await (told ??= everythingTold())), ...(anywhere.length > 0 ? sourcesOfPages() : [])]) {
    const measures = [...(measured === null ? [] : text.matchAll(measured))].filter(({ index }) =>
      named.test(inWords(`${standsIn(file, text.slice(0, index))} ${text.slice(Math.max(0, index - 200), index + 200)}`)),
    );
    for (const match of [...measures, ...patterns.flatMap((pattern) => [...text.matchAll(pattern)])]) {
      const at = match.index + match[0].search(number);
      const before = text.slice(0, at);
      const start = before.lastIndexOf('\n') + 1;
      const end = text.indexOf('\n', at);
      const words = text.slice(start, end < 0 ? text.length : end).trim();
      const offset = Math.max(0, at - start - 60);
      found.add(
        `${file}:${line + before.split('\n').length - 1}: ${words.length > 140 ? `…${words.slice(offset, offset + 130)}…` : words}`,
      );
    }
  }
  return [...found].sort();
}

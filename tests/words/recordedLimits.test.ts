import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { linesThatRepeat } from '../support/words/linesThatRepeat.ts';

/** The values that documents and messages were last compared with. */
const record = 'tests/words/recordedLimits.json';
const recorded = JSON.parse(readFileSync(record, 'utf8')) as Readonly<Record<string, number>>;
let present: Readonly<Record<string, number>>;
beforeAll(async () => {
  const files = globSync('server/**/*{l,L}imits.ts').filter((file) => !file.endsWith('queryLimits.ts'));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(resolve(file)).href) as Promise<Record<string, unknown>>));
  present = Object.fromEntries(
    modules
      .flatMap((module) => Object.entries(module))
      .flatMap(([name, value]) => (typeof value === 'object' ? numbersIn(name, value) : [])),
  );
});

/** Every number in a table of limits, by its path. */
function numbersIn(path: string, value: unknown): [string, number][] {
  if (typeof value === 'number') return [[path, value]];
  return Object.entries(value ?? {}).flatMap(([key, each]) => numbersIn(`${path}.${key}`, each));
}

test('no limit has another value than the one that everything which repeats it was compared with', async () => {
  const changed = Object.entries(recorded).filter(([limit, value]) => limit in present && present[limit] !== value);
  const complaints = changed.map(async ([limit, value]) =>
    [
      `${limit} was ${value} and is ${present[limit]}. First mend what still says the former value. The lines below may say it, and others that are not found here, above all comments and tests: search for the value and its subject as well.`,
      ...(await linesThatRepeat(limit, value)).map((line) => `  ${line}`),
      `Then write ${present[limit]} in ${record}.`,
    ].join('\n'),
  );
  expect(await Promise.all(complaints)).toEqual([]);
});

test('every limit is recorded, and nothing else', () => {
  const added = Object.keys(present).filter((limit) => !(limit in recorded));
  const gone = Object.keys(recorded).filter((limit) => !(limit in present));
  expect([
    ...added.map(
      (limit) =>
        `${limit} is new. What people notice of it goes into “Limits” of docs/specification.md (with specifiedLimits in tests/words/specifiedFacts.test.ts), into its own section there and into each guide that lists limits or refusals of its subject (docs/tooling.md too, if the service itself can meet it); a test shows that it is kept. Then add it to ${record}: "${limit}": ${present[limit]}`,
    ),
    ...gone.map((limit) => `${limit} is gone. Take it out of ${record}, and out of: ${limit}`),
  ]).toEqual([]);
});

test('a number is found as digits, as a word, as one too many, and with its unit, wherever it is told', async () => {
  const files = async (limit: string, value: number) => new Set((await linesThatRepeat(limit, value)).map((line) => line.split(':')[0]));
  const certificates = await files('certificateLimits.certificatesPerClient', 2);
  for (const file of ['specification.md', 'guides/certificates.md', 'guides/certificate-renewal.md'])
    expect(certificates).toContain(`docs/${file}`);
  expect(certificates).toContain('rest-api/contract/openapi.yaml');
  const lifetime = await linesThatRepeat('limits.linkCodeLifetime', 600_000);
  for (const said of [/^docs\/specification.md:\d+: \| generated \| 10 minutes pass/, /^docs\/tooling.md:\d+: are valid for ten minutes/])
    expect(lifetime).toContainEqual(expect.stringMatching(said));
  const fraction = await linesThatRepeat('certificateLimits.certificateRenewableFrom.0', 2);
  expect(fraction.filter((line) => /two thirds/.test(line))).toEqual([]);
  const deadline = await files('limits.deletionDeadline', 7 * 24 * 3_600_000);
  for (const file of ['docs/guides/deletions.md', 'server/domain/integration/profile/scopeRules.ts']) expect(deadline).toContain(file);
});

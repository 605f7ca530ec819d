import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';

const read = (file: string) => readFileSync(file, 'utf8');
/** The functions at the top of a file and their texts. */
const functionsOf = (text: string) => [...text.matchAll(/^(export )?(?:async )?function (\w+)[^]*?^}$/gm)];

/** What each function of the domain, by its file and name, and each operation of the portal executes, and the exported functions by their name. */
const bodies = new Map<string, string>();
const exported = new Map<string, string>();
for (const file of globSync('server/domain/**/*.ts')) {
  for (const [body, isExported, name = ''] of functionsOf(read(file))) {
    bodies.set(`${file} ${name}`, body);
    if (isExported) exported.set(name, `${file} ${name}`);
  }
}
for (const file of globSync('server/portal-api/**/*Resolver.ts')) {
  for (const [body, name = ''] of read(file).matchAll(/^ {2}(?:async )?(\w+)\([^]*?^ {2}}$/gm)) bodies.set(`operation ${name}`, body);
}

for (const file of globSync('workers/tasks/*.ts')) {
  const text = read(file);
  const names = [...text.matchAll(/(\w+) as (\w+)/g)];
  const name = basename(file, '.ts');
  bodies.set(
    `job ${name}`,
    names.reduce((body, [, original = '', alias = '']) => body.replaceAll(`${alias}(`, `${original}(`), text),
  );
}

/** Whether this, what it calls or a job that it begins mails the account that it is about. What staff are mailed is another matter. */
function mails(from: string, seen = new Set<string>()): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  const file = from.split(' ')[0];
  const body = bodies.get(from) ?? '';
  const jobs = [...body.matchAll(/\benqueue\(\w+, '(\w+)'/g)].map(([, name = '']) => `job ${name}`);
  if (jobs.some((job) => mails(job, seen))) return true;
  const called = [...body.matchAll(/\b(\w+)\(/g)].map(([, name = '']) => name);
  return called.some((name) => {
    if (name === 'notify') return true;
    const here = `${file} ${name}`;
    const next = here !== from && bodies.has(here) ? here : exported.get(name);
    return name !== 'notifyStaff' && next !== undefined && mails(next, seen);
  });
}

/** The operation that each document of the pages executes, by the document's constant. */
const operationOf = new Map(
  globSync('portal-web/src/**/*.{ts,tsx}').flatMap((file) =>
    [...read(file).matchAll(/^(?:export )?const (\w+) = graphql\(`\s*mutation [^{]*\{\s*(?:\w+: )?(\w+)/gm)].map(
      ([, constant = '', operation = '']) => [constant, operation] as const,
    ),
  ),
);

/** The dialogs of the administration that ask for a reason, each with the operations of its component. */
const dialogs = globSync('portal-web/src/**/*.tsx').flatMap((file) =>
  functionsOf(read(file)).flatMap(([text, , name = '']) => {
    const [, , field] = /\breason=\{(\{ \.\.\.)?(\w*[rR]easonField)\b/.exec(text) ?? [];
    const operations = [...text.matchAll(/useMutation\((\w+)\)/g)].map(([, constant = '']) => operationOf.get(constant) ?? constant);
    return field === undefined ? [] : [{ where: `${name} (${file})`, field, operations }];
  }),
);

test('what is mailed by a job counts, and what a job does without a mail does not', () => {
  expect(['publishTerms', 'openProductionGate', 'requestCertificate'].map((operation) => mails(`operation ${operation}`))).toEqual([
    true,
    true,
    false,
  ]);
});

test('a dialog says that the reason is mailed if one of its operations mails it, and only then', () => {
  expect(dialogs.length).toBeGreaterThan(8);
  expect(dialogs.flatMap(({ operations }) => operations).filter((operation) => !bodies.has(`operation ${operation}`))).toEqual([]);
  const wanted = (operations: readonly string[]) =>
    operations.some((operation) => mails(`operation ${operation}`)) ? 'mailedReasonField' : 'reasonField';
  expect(
    dialogs
      .filter(({ field, operations }) => field !== wanted(operations))
      .map(({ where, operations }) => `${where} has to use ${wanted(operations)}`),
  ).toEqual([]);
});

test('the table of terminal commands says of each that mails the owner that it does', () => {
  const rows = read('docs/operating/administration.md').matchAll(/^\| (`[^|]*(?:\\\|[^|]*)*) \| (.*) \|$/gm);
  const silent = [...rows].flatMap(([, names = '', says = '']) =>
    [...names.matchAll(/`([a-z]+(?:-[a-z]+)+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => {
        const command = exported.get(name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
        return command !== undefined && mails(command) && !/email/.test(says);
      }),
  );
  expect(silent).toEqual([]);
});

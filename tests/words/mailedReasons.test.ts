import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { usage } from '../../server/adminCommands.ts';

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
    if (name === 'notify' || name === 'queue_mail') return true;
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

/** The components and hooks of the pages, each with its operations and the field for a reason that it shows. Nobody reads their comments. */
const components = globSync('portal-web/src/**/*.{ts,tsx}').flatMap((file) =>
  functionsOf(read(file).replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, '')).map(([text, , name = '']) => {
    const [, , field] = /\breason=\{(\{ \.\.\.)?(\w*[rR]easonField)\b/.exec(text) ?? [];
    const operations = [...text.matchAll(/useMutation\((\w+)\)/g)].map(([, constant = '']) => operationOf.get(constant) ?? constant);
    return { where: `${name} (${file})`, text, field, operations };
  }),
);
/** The dialogs of the administration that ask for a reason. */
const dialogs = components.filter(({ field }) => field !== undefined);
/** What staff do on their pages without a reason, or with one of its own. */
const reasonless = components.filter(({ where, field }) => field === undefined && /src\/pages\/(admin|review)\//.test(where));

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

test('what mails an owner without such a reason says so in words', () => {
  const mailing = reasonless.filter(({ operations }) => operations.some((operation) => mails(`operation ${operation}`)));
  expect(mailing.length).toBeGreaterThan(3);
  const silent = mailing.filter(({ text }) => !/\bWe email |\bby email\b|\.\.\.mailedReasonField/.test(text));
  expect(silent.map(({ where }) => `${where} has to say that we email the owner`)).toEqual([]);
});

/** What each command of the terminal names of the domain, whether it calls that or hands it on. */
const commands = globSync('server/*Commands.ts').flatMap((file) =>
  [...read(file).matchAll(/^ {2}'([a-z-]+)': \([^]*?(?=^ {2}'[a-z-]+': \(|^};)/gm)].map(([body, name = '']) => ({
    name,
    runs: [...new Set(body.match(/\b\w+\b/g))].flatMap((each) => exported.get(each) ?? []),
  })),
);

/** What the table of commands says of one: the cell beside its name, or the part about it of another's. */
function saidOf(command: string): string {
  const rows = [...read('docs/operating/administration.md').matchAll(/^\| (`[^|]*(?:\\\|[^|]*)*) \| (.*) \|$/gm)];
  const named = new RegExp(`\`${command}[ \`]`);
  const [, , own] = rows.find(([, names = '']) => named.test(names)) ?? [];
  return own ?? rows.flatMap(([, , says = '']) => says.split('; ')).find((part) => named.test(part)) ?? '';
}

test('the table of terminal commands says of each that mails the owner that it does', () => {
  const listed = [...usage.matchAll(/(?<=^ {2}(?:[a-z-]+, )?)[a-z]+(?:-[a-z]+)+/gm)].map(([name]) => name);
  expect(commands.map(({ name }) => name).toSorted()).toEqual(listed.toSorted());
  const silent = commands.filter(({ name, runs }) => runs.some((each) => mails(each)) && !/email/.test(saidOf(name)));
  expect(silent.map(({ name }) => `docs/operating/administration.md has to say that ${name} emails the owner`)).toEqual([]);
});

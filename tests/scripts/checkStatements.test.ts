import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const passing = [
  `const open = (row: string) => \`\${row}.deleted_at is null\`;`,
  `const byId = \`select o.id, o.email, o.created_at as "createdAt", o.roles from operator o where o.id = $1 and \${open('o')}\`;`,
  `type Row = { id: string; email: string | null; createdAt: Date; roles: ('reviewer' | 'administrator')[] };`,
  `export const one = (id: string) => sql<Row>(em, byId, [id]);`,
  `export const many = (after: Date | null) => sql<{ id: string }>(em, \`select id from operator \${after ? 'where created_at > $1' : ''}\`, after ? [after] : []);`,
  `const lock = locking('operator', 'no key update', (clause) => \`select id from operator where id = $1 \${clause}\`);`,
  `export const locked = (id: string) => takeLock<{ id: string }>(em, lock, [id]);`,
  `const counted = async (text: string) => (await sql<{ count: number }>(em, \`select count(*)::int as count from \${text}\`))[0]?.count;`,
  `export const counts = () => [counted('operator'), counted('client')];`,
];
const faulty = [
  [
    'an alias',
    `sql<{ name: string }>(em, 'select slug as "nam" from integration')`,
    'no column is called “name”\nthe row does not have the column “nam”',
  ],
  ['a column', `sql<{ slug: string }>(em, 'select slugs as slug from integration')`, 'column "slugs" does not exist'],
  [
    'a column that nobody declares',
    `sql<{ id: string }>(em, 'select id, slug from integration')`,
    'the row does not have the column “slug”',
  ],
  ['a column in a condition', `sql(em, 'delete from integration where idd = $1', ['x'])`, 'column "idd" does not exist'],
  ['a number', `sql<{ id: number }>(em, 'select id from integration')`, '“id” is text, which is string, not number'],
  [
    'an instant as text',
    `sql<{ at: string }>(em, 'select created_at as at from integration')`,
    '“at” is timestamp with time zone, which is Date, not string',
  ],
  ['a bigint as number', `sql<{ head: number }>(em, 'select head from client_feed')`, '“head” is bigint, which is string, not number'],
  ['an array', `sql<{ roles: string }>(em, 'select roles from operator')`, '“roles” is text[], which is an array of string, not string'],
  ['a column that can be null', `sql<{ email: string }>(em, 'select email from operator')`, '“email” can be null'],
  ['what a function makes of one', `sql<{ email: string }>(em, 'select lower(email) as email from operator')`, '“email” can be null'],
  [
    'an outer join',
    `sql<{ slug: string }>(em, 'select i.slug from operator o left join integration i on i.operator_id = o.id')`,
    '“slug” can be null',
  ],
  ['an aggregate of no rows', `sql<{ last: string }>(em, 'select max(id) as last from operator')`, '“last” can be null'],
  ['a parameter less', `sql(em, 'select 1 from integration where id = $1 and slug = $2', ['x'])`, 'it has 2 parameters, and is given 1'],
  ['a parameter more', `sql(em, 'select 1 from integration where id = $1', ['x', 'y'])`, 'it has 1 parameters, and is given 2'],
  ['a parameter’s type', `sql(em, 'select 1 from client where number = $1', ['x'])`, '$1 is integer, and is given "x"'],
  ['an array for one', `sql(em, 'select 1 from integration where id = $1', [['x']])`, '$1 is text, and is given string[]'],
  [
    'one branch of two',
    `((own: boolean) => sql(em, \`select 1 from integration \${own ? 'where operator = 1' : ''}\`))`,
    'column "operator" does not exist',
  ],
  [
    'a text that only a running process knows',
    `((slug: string) => sql(em, \`select 1 from \${slug}\`))`,
    'its text cannot be told: it depends on slug',
  ],
] as const;
const filled = [
  ['a condition', `'select email from operator where email is not null'`],
  ['a comparison', `'select email from operator where email = $1'`],
  ['an inner join', `'select o.email from operator o join verification_link l on l.email_key = o.email'`],
  ['a default', `\`select coalesce(email, '') as email from operator\``],
] as const;

/** One module with everything, since each run of the check reads the types of the whole project. */
const module = [
  `import { sql } from '${root}server/domain/shared/sql.ts';`,
  `import { locking, takeLock } from '${root}server/domain/shared/locks.ts';`,
  'declare const em: Parameters<typeof sql>[0];',
  ...passing,
  ...faulty.map(([, call], index) => `export const faulty${index} = () => ${call};`),
  ...filled.map(([, text], index) => {
    const parameters = text.includes('$1') ? `['x']` : '[]';
    return `export const filled${index} = () => sql<{ email: string }>(em, ${text}, ${parameters});`;
  }),
];
const faults = new Map<number, string[]>();
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'svc-statements-'));
  const file = join(folder, 'module.ts');
  writeFileSync(file, module.join('\n'));
  const args = ['scripts/checkStatements.ts', '--database', database.url, file];
  const { stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stdout + stderr).toMatch(/\d+ calls, .* faults/);
  for (const [, line, message = ''] of stderr.matchAll(/module\.ts:(\d+): (.+)/g)) {
    faults.set(Number(line), [...(faults.get(Number(line)) ?? []), message]);
  }
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

/** What the check says of the line that begins so. */
const messagesOf = (start: string): string[] => faults.get(module.findIndex((line) => line.startsWith(start)) + 1) ?? [];

test('a statement passes whose rows and parameters are what its call says, wherever its text comes from', () => {
  expect(passing.flatMap((line) => messagesOf(line))).toEqual([]);
});

test.each(faulty.map(([name, , message], index) => [name, index, message] as const))(
  '%s is found where a call and its statement disagree',
  (_, index, message) => {
    expect(messagesOf(`export const faulty${index} =`).join('\n')).toBe(message);
  },
);

test.each(filled.map(([name], index) => [name, index] as const))('a column that %s fills is not null', (_, index) => {
  expect(messagesOf(`export const filled${index} =`)).toEqual([]);
});

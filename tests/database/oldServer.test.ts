import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkServer } from '../../server/database/connection/checkServer.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let database: TestDatabase;
let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>;
let oldUrl: string;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy({ answers: asVersion14 });
  oldUrl = proxy.through(database.url);
  folder = await mkdtemp(join(tmpdir(), 'svc-old-server-'));
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** What the server answers, as PostgreSQL 14.20 does: its version as a number is another. */
function asVersion14(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/(?<!\d)1\d00\d\d(?!\d)/, '140020'), 'latin1');
}

test('an older server than the oldest that is supported is refused with both versions', async () => {
  await expect(checkServer(oldUrl)).rejects.toThrow(
    /^The database’s server is PostgreSQL 14\.20\. The service needs PostgreSQL 15 or later/,
  );
  await expect(checkServer(database.url)).resolves.toBeGreaterThan(0);
});

/** Runs a program until it ends; what it said, and its exit code. */
async function run(program: string, args: readonly string[], variable: string) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, program), ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      [variable]: oldUrl,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (text) => (words += String(text)));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, words };
}

test.each([
  ['the machine API', 'rest-api/main.ts', [], 'DATABASE_URL'],
  ['the workers', 'workers/main.ts', [], 'DATABASE_URL'],
  ['the migration', 'server/migrate.ts', [], 'MIGRATION_DATABASE_URL'],
  ['a command of the terminal', 'server/admin.ts', ['reset-feeds'], 'DATABASE_URL'],
])('%s does not start on an older server, and says which it needs', async (_who, program, args, variable) => {
  expect(await run(program, args, variable)).toEqual({
    exitCode: 1,
    words: expect.stringMatching(/^The database’s server is PostgreSQL 14\.20\. The service needs PostgreSQL 15 or later .*\n$/),
  });
});

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { readConfig, type Config } from '../../server/config/config.ts';
import { prepareDatabase } from '../../server/database/openDatabase.ts';
import { checkRole } from '../../server/database/roles/checkRole.ts';
import { roleNames } from '../../server/database/roles/roleNames.ts';
import { examineDatabase } from '../../server/doctor/database.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createTestDatabase, runOnServer, type TestDatabase } from '../support/run/testDatabase.ts';

const logger = createLogger('test', 'silent');
const prefix = `alone_${randomBytes(4).toString('hex')}`;
const owner = `${prefix}_somebody`;
const names = roleNames(prefix);

let database: TestDatabase;
let config: Config;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  const url = new URL(database.url);
  await runOnServer(database.url, `create role ${owner} login createrole password 'the password'`);
  await runOnServer(database.url, `alter database ${url.pathname.slice(1)} owner to ${owner}`);
  [url.username, url.password] = [owner, 'the password'];
  config = readConfig('service', {
    NODE_ENV: 'production',
    DATABASE_URL: url.href,
    DATABASE_ROLE_PREFIX: prefix,
    MASTER_KEY: 'ab'.repeat(32),
    SIGNING_KEY: 'cd'.repeat(32),
    SMTP_URL: 'smtp://127.0.0.1',
    MAIL_FROM: 'a@example.com',
    PORTAL_URL: 'https://portal.example.com',
    MACHINE_API_URL: 'https://api.example.com',
    APP_URL: 'https://app.example.com',
    SUPPORT_CONTACT: 'a@example.com',
    TRUSTED_PROXIES: 'none',
    TRUSTED_BALANCERS: 'none',
    ALLOW_GENERATED_KEYS: 'true',
  });
});
afterAll(async () => {
  await database.drop();
  for (const role of [names.portal, names.machine_api, names.workers, owner])
    await runOnServer(database.url, `drop role if exists ${role}`);
});

test('with the owner of an empty database, one process makes its schema, and each of its parts connects with a role of its own', async () => {
  expect(await examineDatabase({ config, role: 'service', clock: systemClock })).toEqual([]);
  // A second start finds everything there.
  for (let starts = 0; starts < 2; starts += 1) {
    const urls = await prepareDatabase(config, logger, () => undefined, { alone: true });
    for (const [role, url] of [
      ['portal', urls.portal],
      ['machine_api', urls.machineApi],
      ['workers', urls.workers],
    ] as const) {
      expect(url).not.toContain('password@');
      await checkRole(url, role, { config, logger });
    }
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ kept: string }>(
    `select left(rolpassword, 18) as kept from pg_authid where rolname like '${prefix}%' order by rolname`,
  );
  await client.end();
  expect(rows.map(({ kept }) => kept)).toEqual(Array.from({ length: 4 }, () => 'SCRAM-SHA-256$4096'));
});

test('a process of its own still takes its role from DATABASE_URL, and does not migrate', async () => {
  await expect(prepareDatabase(config, logger, () => undefined)).resolves.toMatchObject({ portal: config.databaseUrl });
});

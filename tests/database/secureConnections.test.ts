import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabaseClients, openUsageClient } from '../../rest-api/database/databaseClients.ts';
import { checkServer } from '../../server/database/connection/checkServer.ts';
import { type ConnectionName, connectionUses } from '../../server/database/connection/connectionUses.ts';
import { openClient, openPool } from '../../server/database/connection/openPool.ts';
import { createOrm } from '../../server/database/orm.ts';
import { createRootAuthority, newSerial } from '../../server/domain/certificate/certificateAuthority.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { generateSigningKey, softwareKey, softwareSigner } from '../../server/platform/keyStore.ts';
import { openLeaderConnection, openWriteConnections } from '../../workers/webhooks/connections.ts';
import { serveTls, settingOf, writeOnServer } from '../support/database/serveTls.ts';
import { createRunFolder } from '../support/run/runFolders.ts';
import { createTestDatabase, databaseOf, type TestDatabase } from '../support/run/testDatabase.ts';
import { issueTestCertificate } from '../support/world/Fixtures.ts';

let database: TestDatabase;
let folder: string;
let server: pg.Client;
let hbaFile: string;
let rules: string;

/** The database's URL with these parameters, in which `@x` is the file x. */
const url = (parameters: string, host = 'localhost') => {
  const changed = new URL(database.url);
  changed.hostname = host;
  return `${changed.href}?${parameters.replaceAll('@', `${folder}/`)}`;
};
const ownCertificate = 'sslcert=@client.pem&sslkey=@client.key';
const proven = `sslmode=verify-full&sslrootcert=@ca.pem&${ownCertificate}`;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await createRunFolder();
  server = new pg.Client({ connectionString: database.url });
  await server.connect();
  const tls = await ensureDevelopmentTls(folder, ['localhost']);
  await ensureDevelopmentTls(join(folder, 'other'), ['localhost']);
  const key = generateSigningKey('P-256');
  const lifetime = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };
  const clients = await createRootAuthority({ commonName: 'Processes', serial: newSerial(), ...lifetime, key: softwareKey(key) });
  const { pem, keyPem } = await issueTestCertificate({ signer: softwareSigner(clients.pem, key) }, 'portal', lifetime);
  await writeFile(join(folder, 'client.pem'), pem);
  await writeFile(join(folder, 'client.key'), keyPem);

  hbaFile = await settingOf(server, 'hba_file');
  rules = (await server.query<{ rules: string }>('select pg_read_file($1) as rules', [hbaFile])).rows[0]?.rules ?? '';
  const name = databaseOf(database.url);
  const only = [`hostnossl ${name} all all reject`, `hostssl ${name} all all scram-sha-256 clientcert=verify-ca`];
  await writeOnServer(server, hbaFile, `${only.join('\n')}\n${rules}`);
  await serveTls(server, { ssl_cert_file: tls.certPem, ssl_key_file: tls.keyPem, ssl_ca_file: clients.pem });
  // The server reads its files a moment later.
  for (;;) {
    const tried = await openClient(url(proven), 'admin').catch(() => undefined);
    await tried?.end();
    if (tried) break;
  }
}, 60_000);
afterAll(async () => {
  await writeOnServer(server, hbaFile, rules);
  for (const setting of ['ssl', 'ssl_cert_file', 'ssl_key_file', 'ssl_ca_file']) await server.query(`alter system reset ${setting}`);
  await server.query('select pg_reload_conf()');
  await server.end();
  await database.drop();
});

/** How each process opens the connections of a use: each resolves once PostgreSQL has answered, and to what closes them. */
const opened: Readonly<Record<ConnectionName, (at: string) => Promise<() => Promise<unknown>>>> = {
  ...inPool('portal-checks'),
  ...inPool('workers-checks'),
  ...inPool('workers-queue'),
  ...alone('portal-keys'),
  ...alone('machine-api-keys'),
  ...alone('workers-keys'),
  ...alone('workers-presence'),
  ...alone('start-check'),
  ...inOrm('portal'),
  ...inOrm('portal-standby'),
  ...inOrm('workers'),
  ...inOrm('machine-api-commands'),
  ...inOrm('admin'),
  ...alone('backup'),
  ...alone('migrate'),
  ...alone('migrate-watch'),
  ...inPool('migrate-queue'),
  'machine-api-admission': (at) => ofMachine(at, ({ admission }) => admission('select 1', [])),
  'machine-api-read': (at) => ofMachine(at, ({ read }) => read('select 1', [])),
  'machine-api-pages': (at) => ofMachine(at, ({ readRows }) => readRows('select 1', [], () => undefined)),
  'machine-api-usage': async (at) => {
    const usage = openUsageClient(at);
    await usage.query('select 1', []);
    return () => usage.close();
  },
  'webhook-pump': async (at) => {
    const leader = await openLeaderConnection(at);
    return () => leader.end();
  },
  'webhook-results': async (at) => {
    const write = openWriteConnections(at);
    await write.query('select 1', []);
    return () => write.end();
  },
};

function inPool<Name extends ConnectionName>(name: Name) {
  const open = async (at: string) => {
    const pool = openPool(at, name);
    await pool.query('select 1');
    return () => pool.end();
  };
  return { [name]: open } as Record<Name, typeof open>;
}

function alone<Name extends ConnectionName>(name: Name) {
  const open = async (at: string) => {
    const client = await openClient(at, name);
    return () => client.end();
  };
  return { [name]: open } as Record<Name, typeof open>;
}

function inOrm<Name extends ConnectionName>(name: Name) {
  const open = async (at: string) => {
    const orm = await createOrm(at, { name });
    await sql(orm.em.fork(), 'select 1');
    return () => orm.close(true);
  };
  return { [name]: open } as Record<Name, typeof open>;
}

async function ofMachine(at: string, ask: (clients: ReturnType<typeof openDatabaseClients>) => Promise<unknown>) {
  const clients = openDatabaseClients(at);
  await ask(clients);
  return () => clients.close();
}

test('with verify-full, every connection of every process is encrypted and shows the process’s own certificate', async () => {
  const closers: (() => Promise<unknown>)[] = [];
  // One after the other, so that none has to wait for the handshakes of all.
  for (const open of Object.values(opened)) closers.push(await open(url(proven)));
  const { rows } = await server.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity join pg_stat_ssl using (pid)
      where datname = current_database() and pid <> pg_backend_pid() and ssl and client_dn = '/CN=portal'`,
  );
  const { rows: plain } = await server.query(
    `select from pg_stat_activity join pg_stat_ssl using (pid) where datname = current_database() and pid <> pg_backend_pid() and not ssl`,
  );
  await Promise.all(closers.map((close) => close()));
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(connectionUses).toSorted());
  expect(plain).toEqual([]);
});

test.each([
  [
    'whose certificate another authority has issued',
    `sslmode=verify-full&sslrootcert=@other/ca.pem&${ownCertificate}`,
    'localhost',
    'sslrootcert',
  ],
  ['whose certificate is for another name', proven, '127.0.0.1', 'another name'],
])('a server %s gets no connection of any library, and the start says why', async (_which, parameters, host, words) => {
  const outcomes = await Promise.allSettled(Object.values(opened).map((open) => open(url(parameters, host))));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  await expect(checkServer(url(parameters, host))).rejects.toThrow(words);
});

test('verify-ca proves the authority and not the name, and require neither; without its own certificate a process is refused', async () => {
  await expect(checkServer(url(`sslmode=verify-ca&sslrootcert=@ca.pem&${ownCertificate}`, '127.0.0.1'))).resolves.toBeGreaterThan(0);
  await expect(checkServer(url(`sslmode=require&${ownCertificate}`, '127.0.0.1'))).resolves.toBeGreaterThan(0);
  await expect(checkServer(url(`sslmode=require&sslrootcert=@other/ca.pem&${ownCertificate}`))).rejects.toThrow('sslrootcert');
  await expect(checkServer(url('sslmode=verify-full&sslrootcert=@ca.pem'))).rejects.toMatchObject({ code: '28000' });
});

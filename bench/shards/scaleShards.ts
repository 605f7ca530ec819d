import { randomBytes } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { type DatabaseClients, openDatabaseClients } from '../../rest-api/database/databaseClients.ts';
import { createOrm, type Orm } from '../../server/database/orm.ts';
import { roleUrl } from '../../server/database/roles/loginRoles.ts';
import { admit, releaseLeases } from '../../server/domain/client/admission/admit.ts';
import { FinishedLeases } from '../../server/domain/client/admission/FinishedLeases.ts';
import { commonNameOf } from '../../server/domain/client/commonName.ts';
import { overridableQuotas } from '../../server/domain/client/quotas.ts';
import type { CleanUps } from '../CleanUps.ts';
import { createDatabase } from '../createDatabase.ts';
import { alternate, type Contender, type Effort, median, ratioOf, table } from '../measure.ts';
import { clientsPerResource, fillScale, layouts, type Size, sizeOf } from '../scaleData.ts';
import { orderChanges, ordersSql } from '../scaleIngest.ts';
import { pages, readIntoMemory } from '../scalePages.ts';
import { partitionByClient } from './partitionByClient.ts';

const callers = 4;
const full = { shares: 10_000_000, effort: { rounds: 5, milliseconds: 4_000 } satisfies Effort };
const quick = { shares: 1_000_000, effort: { rounds: 3, milliseconds: 2_000 } satisfies Effort };

type Side = { readonly clients: DatabaseClients; readonly orm: Orm };

/** Measures the same rows in one table and in 64 partitions by client: admission, pages, and changes of orders with three shares each. */
export async function scaleShards(serverUrl: string, options: ReadonlySet<string>, cleanUps: CleanUps): Promise<void> {
  const { shares, effort } = options.has('--quick') ? quick : full;
  const size = sizeOf(shares);
  const key = randomBytes(32);
  const orders = Math.floor(shares / clientsPerResource);
  const startedAt = performance.now();
  const whole = await createDatabase(serverUrl, 'shards_whole');
  await fillScale(whole, size, ordersSql(key));
  await run(whole, admissionSql);
  const parted = new URL(whole);
  parted.pathname = '/shards_parted';
  await run(serverUrl, 'create database shards_parted template shards_whole strategy file_copy');
  await divide(parted.href);
  for (const url of [whole, parted.href]) await readIntoMemory(url);
  console.log(`${shares.toLocaleString('en')} shares made twice in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);

  const open = async (url: string): Promise<Side> => {
    const clients = openDatabaseClients(roleUrl(url, 'machine_api'));
    const orm = await createOrm(url, { poolMax: callers });
    cleanUps.add(() => Promise.all([clients.close(), orm.close(true)]));
    return { clients, orm };
  };
  const [one, many] = [await open(whole), await open(parted.href)];
  console.log(
    `\nMedians of ${effort.rounds} alternating runs of ${effort.milliseconds / 1000} s; Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'CPU'}\n`,
  );
  const measures: readonly (readonly [string, (side: Side) => Contender])[] = [
    ['admission', ({ clients }) => admissions(clients, size)],
    ['pages of 500', ({ clients }) => pages(clients, size, layouts.connectionsScattered)],
    // One batch at a time: with several, one waits longer for another's resources in partitions than a lock may take.
    ['changed orders, three shares each', ({ orm }) => inParallel(orderChanges(orm, key, orders), 1)],
  ];
  for (const [name, contender] of measures) {
    const rates = await alternate({ one: contender(one), many: contender(many) }, effort);
    const figures = `${median(rates.many).toFixed(0)}/s and ${median(rates.one).toFixed(0)}/s`;
    const ratio = ratioOf(rates.many, rates.one);
    console.log(table([{ section: 'shards', name: `${name}: 64 partitions / one table`, ratio, target: null, figures }]));
  }
}

/** What admission reads besides, for each client; its limits are out of the way. */
const admissionSql = `
set session_replication_role = replica;
insert into integration (id, operator_id, slug, status, profile_version, reviewed_profile_version, created_at)
  select integration_id, 'opr', 'board-' || number, 'active', 1, 1, now() from client;
update client set override_values = array_fill(1000000000, array[${overridableQuotas.length}]), override_ends = array_fill('infinity'::timestamptz, array[${overridableQuotas.length}]);
insert into client_quota (client_number) select number from client;
insert into certificate (id, client_number, source, status, key_type, issuer_id, serial, fingerprint_sha256, pem, requested_at, requested_by, usable_until)
  select 'crt_' || number, number, 'csr', 'issued', 'EC P-256', 'issuing', number::text, number::text, repeat('x', 1000), now(), 'opr', now() + interval '90 days' from client`;

async function run(url: string, text: string): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(text);
  await db.query('vacuum (analyze)');
  await db.end();
}

async function divide(url: string): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(`set maintenance_work_mem = '512MB'`);
  await partitionByClient(db);
  await db.query('vacuum (analyze, freeze)');
  await db.end();
}

/** Admits and releases for random clients, as the machine API does. */
function admissions({ admission }: DatabaseClients, { clients }: Size): Contender {
  const leases = new FinishedLeases((finished) => releaseLeases(admission, finished));
  return inParallel(async () => {
    const clientNumber = 1 + Math.floor(Math.random() * clients);
    const fingerprintSha256 = String(clientNumber);
    const finished = leases.carriedBy(fingerprintSha256);
    const { client, lease, verdict } = await admit(admission, {
      fingerprintSha256,
      serial: fingerprintSha256,
      commonName: commonNameOf({ environment: 'production', id: `cli_${fingerprintSha256.padStart(26, '0')}` }),
      clientNumber,
      costClass: 'pull',
      source: '127.0.0.1',
      now: new Date(),
      finished,
    });
    if (client === undefined || lease === undefined) throw new Error(verdict);
    leases.cleared(fingerprintSha256, clientNumber, finished);
    leases.add(clientNumber, lease);
    return 1;
  });
}

/** The rate at which so many callers together do this, each again as soon as it is done. */
function inParallel(work: () => Promise<number>, most = callers): Contender {
  return async (milliseconds) => {
    const startedAt = performance.now();
    let done = 0;
    await Promise.all(
      Array.from({ length: most }, async () => {
        while (performance.now() - startedAt < milliseconds) done += await work();
      }),
    );
    return (done / (performance.now() - startedAt)) * 1000;
  };
}

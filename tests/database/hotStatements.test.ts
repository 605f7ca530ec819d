import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { divided, partitionByClient } from '../../bench/shards/partitionByClient.ts';
import { asksAllClients } from '../../migrations/placement.ts';
import { admit, releaseLeases } from '../../server/domain/client/admission/admit.ts';
import type { CostClass } from '../../server/domain/client/quotas.ts';
import { changesSinceSql } from '../../server/domain/feed/changesSince.sql.ts';
import { findHistorySql } from '../../server/domain/feed/findHistory.sql.ts';
import { findSharedResourceSql } from '../../server/domain/feed/findSharedResource.sql.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { day } from '../../server/domain/shared/limits.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { acknowledgeRevocation } from '../../server/domain/sharing/deletion/acknowledgeRevocation.ts';
import { latestGenerationSql } from '../../server/domain/statistics/latestGeneration.sql.ts';
import { Sharing } from '../support/feed/sharing.ts';
import { createTestDatabase, runOn } from '../support/run/testDatabase.ts';
import type { TestAuthority, TestClient } from '../support/world/Fixtures.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

/*
 * The hot statements on a database whose tables of clients have 64 partitions by client: each plan, also of statements in functions, reads one
 * partition. PostgreSQL tells the plans of all sessions (auto_explain).
 */

let world: World;
let sharing: Sharing;
let authority: TestAuthority;
let client: pg.Client;
let drop: () => Promise<void>;
let plans: Plan[] = [];

type PlanNode = { readonly 'Node Type': string; readonly 'Relation Name'?: string; readonly Plans?: readonly PlanNode[] };
type Plan = { readonly 'Query Text': string; readonly Plan: PlanNode };

const explained = [
  `session_preload_libraries = 'auto_explain'`,
  `auto_explain.log_min_duration = 0`,
  `auto_explain.log_nested_statements = on`,
  `auto_explain.log_format = 'json'`,
  `auto_explain.log_level = 'notice'`,
  // What is read from end to end all the same has no index that serves it.
  'enable_seqscan = off',
];

const listening = new WeakSet<pg.Client>();
type Run = (this: pg.Client, ...parameters: unknown[]) => unknown;
const { query: original } = pg.Client.prototype as unknown as { query: Run };

/** Hears the plans of every session that runs a statement from now on. */
function hearPlans(): void {
  const heard: Run = function query(...parameters) {
    if (!listening.has(this)) {
      listening.add(this);
      this.on('notice', ({ message }) => {
        const plan = /^duration: .*? plan:\s*([^]*)$/.exec(message ?? '')?.[1];
        if (plan !== undefined) plans.push(JSON.parse(plan) as Plan);
      });
    }
    return original.apply(this, parameters);
  };
  Object.assign(pg.Client.prototype, { query: heard });
}

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = () => database.drop();
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await partitionByClient(db);
  await db.end();
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of explained) await runOn(database.url, `alter database ${name} set ${setting}`);
  hearPlans();
  world = await openWorld({ databaseUrl: database.url });
  sharing = new Sharing(world);
  authority = await world.fixtures.authorities();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  Object.assign(pg.Client.prototype, { query: original });
  await client.end();
  await world.close();
  await drop();
});

const query: Query = async <Row>(text: string, values: readonly unknown[]) => (await client.query(text, [...values])).rows as Row[];

/** The partitions that a plan names, whichever tables they are of: a client has the same one in each. */
function partitionsOf(plan: PlanNode): Set<string> {
  const [, table, partition] = /^(\w+)_of_(\d+)$/.exec(plan['Relation Name'] ?? '') ?? [];
  const own = partition !== undefined && divided.some((each) => each === table) ? [partition] : [];
  return new Set([...own, ...(plan.Plans ?? []).flatMap((each) => [...partitionsOf(each)])]);
}

/** The service's gate is one row. */
function readWhole({ 'Node Type': type, 'Relation Name': table = '', Plans: parts = [] }: PlanNode): string[] {
  const own = type === 'Seq Scan' && table !== 'service_gate' ? [table] : [];
  return [...own, ...parts.flatMap(readWhole)];
}

const asksAll = (text: string) => Object.keys(asksAllClients).some((part) => text.includes(part));

type Read = { readonly text: string; readonly partitions: number; readonly whole: readonly string[] };

/** Runs something hot; the statements with how many partitions of clients their plans read, and which tables from end to end. */
async function readBy(work: () => Promise<unknown>): Promise<readonly Read[]> {
  plans = [];
  await work();
  return plans.map((plan) => ({ text: plan['Query Text'], partitions: partitionsOf(plan.Plan).size, whole: readWhole(plan.Plan) }));
}

const classes: readonly CostClass[] = ['pull', 'statistics', 'redeem', 'est'];

async function clientWithCertificate(): Promise<{ mine: TestClient; ask: (costClass: CostClass) => Promise<unknown> }> {
  const mine = await world.fixtures.client();
  const certificate = await world.fixtures.certificate(authority, mine);
  const request = { ...certificate, commonName: mine.commonName, clientNumber: mine.number, source: '192.0.2.7', finished: [] };
  return { mine, ask: (costClass) => admit(query, { ...request, costClass, now: world.clock.now() }) };
}

/** Two clients to whom one user's order is shared, and what changes it. */
async function sharedTwice() {
  const [first, second] = [await world.fixtures.client(), await world.fixtures.client()];
  const [user, key] = [newId('key'), newId('key')];
  const order = (status: string, version: string) =>
    sharing.upsert('sandbox', [
      {
        type: 'order',
        key,
        user,
        version,
        historyComplete: true,
        data: { status, model: 'Kestrel', market: 'DE', option_codes: ['MKE'], ordered_on: '2026-05-01' },
      },
    ]);
  await order('placed', '1');
  const shares = [];
  for (const each of [first, second]) {
    const { code } = await sharing.codeFor(each, { user, orders: [key] });
    shares.push({ client: each, ...(await sharing.redeem(each, code))! });
  }
  return { shares, change: () => order('in_production', '2') };
}

const hot: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'admission, of each class': async () => {
    const { ask } = await clientWithCertificate();
    return async () => {
      for (const costClass of classes) await ask(costClass);
    };
  },
  'a refused admission': async () => {
    const { mine, ask } = await clientWithCertificate();
    await world.rows("update certificate set status = 'revoked', revoked_at = now() where client_number = $1", [mine.number]);
    return async () => {
      for (const costClass of classes) await ask(costClass);
    };
  },
  'the release of leases of several clients': async () => {
    const subjects = [await clientWithCertificate(), await clientWithCertificate(), await clientWithCertificate()];
    const finished = subjects.map(({ mine }) => ({ clientNumber: mine.number, lease: '2026-11-20T12:00:00.000001Z' }));
    return () => releaseLeases(query, finished);
  },
  'a page, a resource, its history and the statistics': async () => {
    const { shares } = await sharedTwice();
    const [{ client: mine, orders }] = shares as [(typeof shares)[number]];
    return async () => {
      await query(changesSinceSql, [mine.number, 0, 501]);
      await query(findSharedResourceSql, [mine.number, orders[0]!, 'order']);
      await query(findHistorySql, [mine.number, orders[0]!, 'order', 0, 101]);
      await query(latestGenerationSql, [mine.number]);
    };
  },
  'a redemption': async () => {
    const mine = await world.fixtures.client();
    const { code } = await sharing.code(mine, { orders: 2, vehicles: 1 });
    return () => sharing.redeem(mine, code);
  },
  'a change that two clients see': async () => (await sharedTwice()).change,
  'the revocation of a resource and of a connection': async () => {
    const { shares } = await sharedTwice();
    const [one, other] = shares as [(typeof shares)[number], (typeof shares)[number]];
    return async () => {
      await sharing.revokeResource(one.client, one.orders[0]!);
      await sharing.revokeConnection(other.client, other.connectionId);
    };
  },
  'an acknowledgement': async () => {
    const mine = await world.fixtures.client();
    const { connectionId } = await sharing.share(mine);
    const revocationId = await sharing.revokeConnection(mine, connectionId);
    const actor = { type: 'client', clientId: mine.id, certificateId: newId('crt'), ip: '127.0.0.1', requestId: newId('req') } as const;
    return () =>
      acknowledgeRevocation(world.em(), {
        actor,
        client: mine,
        revocationId,
        idempotencyKey: 'key',
        deletionCompleted: true,
        now: world.clock.now(),
      });
  },
};

test('a request for a renewal reads no table from end to end', async () => {
  const mine = await world.fixtures.client();
  const { id } = await world.fixtures.certificate(authority, mine, { notBefore: new Date(world.clock.now().getTime() - 61 * day) });
  await world.rows('update client set renewal_by_est = true where number = $1', [mine.number]);
  const request = ['\\x01', '\\x02', 'EC P-256', newId('req'), '192.0.2.7', world.clock.now().toISOString()];
  const read = await readBy(async () => {
    const [made] = await query<{ id: string | null }>('select request_renewal($1, $2, $3, $4, $5, $6, $7, $8) as id', [
      mine.id,
      id,
      ...request,
    ]);
    expect(made?.id).not.toBeNull();
  });
  expect(read.filter(({ whole }) => whole.length > 0)).toEqual([]);
});

test.each(Object.keys(hot))('%s reads one client’s partition with each statement, and no table from end to end', async (name) => {
  const work = await hot[name]!();
  const read = await readBy(work);
  expect(read.some(({ partitions }) => partitions > 0)).toBe(true);
  expect(read.filter(({ text, partitions, whole }) => (partitions > 1 && !asksAll(text)) || whole.length > 0)).toEqual([]);
});

test('what asks all clients does so', async () => {
  const { shares, change } = await sharedTwice();
  const read = await readBy(change);
  expect(shares).toHaveLength(2);
  for (const part of Object.keys(asksAllClients)) {
    expect(read.filter(({ text }) => text.includes(part)).map(({ partitions }) => partitions)).toEqual([64]);
  }
});

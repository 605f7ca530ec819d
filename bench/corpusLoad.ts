import { performance } from 'node:perf_hooks';
import { IsolationLevel } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createOrm } from '../server/database/orm.ts';
import { allScopes } from '../server/domain/shared/scopes.ts';
import { sql } from '../server/domain/shared/sql.ts';
import { storeCorpus } from '../server/domain/sandbox/corpus/storeCorpus.ts';
import { generateCorpus } from '../server/domain/sandbox/generator/generateCorpus.ts';
import { createBenchClient } from './corpus.ts';
import { createDatabase } from './createDatabase.ts';
import { type Effort, median, ratioOf, type Result } from './measure.ts';
import type { World } from './world.ts';

const target = 1.5;
const warmUps = 2;
/**
 * A round takes half a second and may take half as much again, as the speed of the machine's cores varies. So there are eight times as many
 * rounds as elsewhere.
 */
const roundsPerEffort = 8;
/** In the order of their foreign keys. */
const tables = ['tracked_resource', 'tracked_change', 'connection', 'revocation', 'statistics_generation', 'shared_resource'] as const;

type Rows = { readonly bytes: ReadonlyMap<string, Buffer>; readonly head: string };

/**
 * Compares the transaction that stores the whole data of a sandbox with COPY of the very same rows into the same tables. Two databases with
 * the same clients grow side by side: whatever is stored in one is copied into the other.
 */
export async function measureCorpusLoad(world: World, { rounds: effort }: Effort): Promise<Result[]> {
  const rounds = roundsPerEffort * effort;
  const [storeUrl, copyUrl] = [
    await createDatabase(world.databaseUrl, 'bench_store'),
    await createDatabase(world.databaseUrl, 'bench_copy'),
  ];
  const clients = await createClients(storeUrl, rounds + warmUps);
  await createClients(copyUrl, rounds + warmUps);
  const orm = await createOrm(storeUrl);
  const source = new pg.Client({ connectionString: storeUrl });
  const copy = new pg.Client({ connectionString: copyUrl });
  await Promise.all([source.connect(), copy.connect()]);
  try {
    const times: { stored: number[]; copied: number[] } = { stored: [], copied: [] };
    let shares = 0;
    for (const [round, client] of clients.entries()) {
      const now = new Date();
      const corpus = generateCorpus({ seed: `bench/${client.number}`, now, scopes: allScopes });
      let xid = '';
      const beganStoring = performance.now();
      await orm.em.fork().transactional(
        async (tx) => {
          await storeCorpus(tx, { clientNumber: client.number, clientId: client.id, generation: 1, scopes: allScopes, now }, corpus);
          xid = (await sql<{ xid: string }>(tx, 'select pg_current_xact_id()::xid::text as xid'))[0]?.xid ?? '';
        },
        { isolationLevel: IsolationLevel.READ_COMMITTED },
      );
      const stored = performance.now() - beganStoring;
      const written = await readRows(source, xid, client.number);
      const beganCopying = performance.now();
      await copyRows(copy, written, client.number);
      const copied = performance.now() - beganCopying;
      if (round < warmUps) continue;
      times.stored.push(stored);
      times.copied.push(copied);
      shares = await countShares(source, copy, client.number);
    }
    return [
      {
        section: 'corpus',
        name: 'time of a corpus / COPY of its rows',
        ratio: ratioOf(times.stored, times.copied),
        target: { atMost: target },
        figures: `${median(times.stored).toFixed(0)} ms, COPY ${median(times.copied).toFixed(0)} ms, ${shares} shares`,
      },
    ];
  } finally {
    await Promise.all([orm.close(true), source.end(), copy.end()]);
  }
}

async function createClients(databaseUrl: string, count: number): Promise<{ number: number; id: string }[]> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const clients: { number: number; id: string }[] = [];
  for (let index = 0; index < count; index += 1) clients.push(await createBenchClient(db, index));
  await db.end();
  return clients;
}

/** What one transaction has written, table by table, in COPY's format. */
async function readRows(db: pg.Client, xid: string, clientNumber: number): Promise<Rows> {
  const bytes = new Map<string, Buffer>();
  for (const table of tables) bytes.set(table, await copyOut(db, `select * from ${table} where xmin::text = '${xid}' order by ctid`));
  const { rows } = await db.query<{ head: string }>('select head::text from client_feed where client_number = $1', [clientNumber]);
  return { bytes, head: rows[0]?.head ?? '0' };
}

function copyOut(db: pg.Client, query: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const copying = {
      submit: (connection: Copying) => connection.query(`copy (${query}) to stdout`),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => void chunks.push(Buffer.from(chunk)),
      handleCommandComplete: () => {},
      handleReadyForQuery: () => resolve(Buffer.concat(chunks)),
      handleError: reject,
    };
    db.query(copying as unknown as pg.Submittable);
  });
}

async function copyRows(db: pg.Client, { bytes, head }: Rows, clientNumber: number): Promise<void> {
  await db.query('begin');
  for (const [table, text] of bytes) await copyIn(db, table, text);
  await db.query('update client_feed set head = $1 where client_number = $2', [head, clientNumber]);
  await db.query('commit');
}

/**
 * COPY in one chunk, through the library pg: postgres.js writes the end separately, and waits 40 ms for the previous part to be confirmed.
 */
function copyIn(db: pg.Client, table: string, text: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const copying = {
      submit: (connection: Copying) => connection.query(`copy ${table} from stdin`),
      handleCopyInResponse: (connection: Copying) => {
        connection.sendCopyFromChunk(text);
        connection.endCopyFrom();
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    };
    db.query(copying as unknown as pg.Submittable);
  });
}

type Copying = { query(text: string): void; sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

/** How many shares there are, all of which have the same bytes on both sides. */
async function countShares(one: pg.Client, other: pg.Client, clientNumber: number): Promise<number> {
  const text = `select md5(string_agg(s::text || t::text, '' order by s.position)) as digest, count(*)::int as shares
    from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id where s.client_number = $1`;
  const [stored] = (await one.query<{ digest: string; shares: number }>(text, [clientNumber])).rows;
  const copied = await other.query<{ digest: string }>(text, [clientNumber]);
  if (!stored || stored.digest !== copied.rows[0]?.digest) throw new Error('COPY wrote other rows.');
  return stored.shares;
}

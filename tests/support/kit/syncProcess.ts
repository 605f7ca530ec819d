import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type Feed, OperatorClient, pemFiles, Problem } from '../../../kit/src/index.ts';
import { acknowledgeDeletions } from '../../../kit/src/sync/acknowledgeDeletions.ts';
import { sync } from '../../../kit/src/sync/sync.ts';
import { postgresFeed } from '../../../kit/src/postgres.ts';
import { sqliteFeed } from '../../../kit/src/sqlite.ts';

/**
 * An operator’s back end as a process of its own: syncs, deletes what is due (which it notes in a file, as if it were deleted elsewhere) and
 * acknowledges. With `dieAt`, it ends like a lost machine right before or after so many steps, each of which is a statement or a request.
 * Each page is noted in a file before anything is done with it.
 */
export type SyncSettings = {
  readonly baseUrl: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly deletedFile: string;
  readonly pagesFile: string;
  readonly pageSize: number;
  readonly dieAt: number | null;
} & ({ readonly sqliteFile: string } | { readonly postgresUrl: string });

const settings = JSON.parse(process.argv[2] ?? '') as SyncSettings;
let steps = 0;
function step(): void {
  steps += 1;
  if (steps === settings.dieAt) process.kill(process.pid, 'SIGKILL');
}

/** Counts the calls of these methods, before and after each. */
function counted<T extends object>(target: T, methods: readonly string[]): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(object) as (...args: unknown[]) => unknown;
      if (!methods.includes(String(name))) return method;
      return (...args: unknown[]) => {
        step();
        const result = method(...args);
        if (result instanceof Promise) return result.then((settled: unknown) => (step(), made(settled)));
        step();
        return made(result);
      };
    },
  });
}
/** Statements and connections are counted like the database that they come from. */
const made = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && ('run' in value || 'query' in value) ? counted(value, ['run', 'all', 'query']) : value;

const { baseUrl, ca } = settings;
const operator = new OperatorClient({ baseUrl, ca, credentials: pemFiles(settings), expect: { environment: 'sandbox' } });
const client = counted(
  {
    assertCapabilities: () => operator.assertCapabilities(),
    acknowledge: (id: string, key: string) => operator.acknowledge(id, key),
    async page(asked: Parameters<OperatorClient['page']>[0]) {
      const page = await operator.page(asked);
      if (page.value) appendFileSync(settings.pagesFile, `${JSON.stringify(page.value)}\n`);
      return page;
    },
  },
  ['page', 'acknowledge'],
);

let close: () => unknown;
let feed: Feed;
if ('sqliteFile' in settings) {
  const database = new DatabaseSync(settings.sqliteFile);
  database.exec('create table if not exists derived (id text primary key, revision integer not null)');
  const put = database.prepare('insert into derived values (?, ?) on conflict do update set revision = excluded.revision');
  const drop = database.prepare('delete from derived where id = ?');
  feed = sqliteFeed(counted(database, ['exec', 'prepare']), {
    upserted: (_tx, { id, revision }) => put.run(id, revision),
    ended: (_tx, { id }) => drop.run(id),
  });
  close = () => database.close();
} else {
  const pool = new pg.Pool({ connectionString: settings.postgresUrl, max: 2 });
  await pool.query('create table if not exists derived (id text primary key, revision bigint not null)');
  feed = postgresFeed(counted(pool, ['connect']), {
    upserted: (tx, { id, revision }) =>
      tx.query('insert into derived values ($1, $2) on conflict (id) do update set revision = excluded.revision', [id, revision]),
    ended: (tx, { id }) => tx.query('delete from derived where id = $1', [id]),
  });
  close = () => pool.end();
}

await sync(client, feed, { pageSize: settings.pageSize });
for (const deletion of await feed.dueDeletions()) {
  appendFileSync(settings.deletedFile, `${deletion.revocationId}\n`);
  step();
  await feed.markDeleted(deletion);
}
await acknowledgeDeletions(client, feed, {}).catch((error: unknown) => {
  // The client may have lost the scope for it, and gets it back before the end.
  if (!(error instanceof Problem && error.code === 'scope_required')) throw error;
});
await close();
operator.close();
process.stdout.write(`${steps}\n`);

import pg from 'pg';
import { allScopes, scopeBits } from '../server/domain/shared/scopes.ts';

/** How much a database contains: clients with 1,000 shares each, and every tracked resource shared with three clients. */
export type Size = { readonly clients: number; readonly shares: number };

export const sharesPerClient = 1_000;
export const clientsPerResource = 3;
const sharesPerConnection = 5;
/** One in this many shares is revoked. */
const revokedEvery = 50;
/** Coprime to every number of resources that is used. */
const scatter = 7_368_787;

/**
 * How a client's resources are placed in the table, by the client's number. Odd numbers: each connection's resources lie together, because
 * a user's orders and vehicles were taken in together, and the connections are scattered over the whole table. Even numbers: every resource
 * is scattered, which is the worst case.
 */
export const layouts = { connectionsScattered: 1, resourcesScattered: 0 } as const;

export function sizeOf(shares: number): Size {
  return { clients: shares / sharesPerClient, shares };
}

/** SQL: the tracked resource of share `n`. */
function resourceOf(resources: number): string {
  const connections = Math.floor(resources / sharesPerConnection);
  return `case (n / ${sharesPerClient} + 1) % 2 when ${layouts.resourcesScattered} then (n::bigint * ${scatter}) % ${resources} + 1
                else ((n / ${sharesPerConnection})::bigint * ${scatter}) % ${connections} * ${sharesPerConnection} + n % ${sharesPerConnection} + 1 end`;
}

/** SQL: an id with its prefix, in its real length. */
function id(prefix: string, expression: string): string {
  return `'${prefix}_' || lpad((${expression})::text, 26, '0')`;
}

/**
 * Fills a migrated, empty database by SQL, the tables side by side, without the triggers of foreign keys; further indexes are made
 * afterwards. A snapshot has 1,600 bytes, core and shipping together, which is below PostgreSQL's threshold, so nothing is compressed or
 * stored elsewhere. `orders` makes other tracked resources instead, without a history.
 */
export async function fillScale(databaseUrl: string, { clients, shares }: Size, orders?: (count: number) => string): Promise<void> {
  const resources = Math.floor(shares / clientsPerResource);
  const scopes = `'{${allScopes.join(',')}}'`;
  const connectionOf = (index: string) => id('con', `${index} / ${sharesPerConnection}`);
  const fill = (table: string, ...statements: string[]) => fillTable(databaseUrl, table, statements);
  await Promise.all([
    fill(
      'client',
      `insert into client (id, integration_id, environment, scopes, created_at)
         select ${id('cli', 'n')}, ${id('int', 'n')}, 'production', ${scopes}, '2026-01-01' from generate_series(1, ${clients}) n`,
      `insert into client_feed (client_number, head) select number, ${sharesPerClient} from client`,
    ),
    ...(orders
      ? [fill('tracked_resource', orders(resources))]
      : [
          fill(
            'tracked_resource',
            `insert into tracked_resource (environment, type, source_key, source_version, core, shipping, history_complete, last_sequence)
         select 'production', 'order', int8send(n), 1, '{"status":"in_transit","model":"' || repeat(md5(n::text), 32) || '"}',
                '{"vessel":"' || repeat(md5((-n)::text), 16) || '"}', true, 2 from generate_series(1, ${resources}) n`,
          ),
          fill(
            'tracked_change',
            `insert into tracked_change (tracked_resource_id, sequence, section, occurred_at, changes)
         select n, s, 'core', '2026-02-01', '[{"path":"status","before":"ordered","after":"in_production"}]'
           from generate_series(1, ${resources}) n, generate_series(1, 2) s`,
          ),
        ]),
    fill(
      'connection',
      `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
         select n / ${sharesPerClient} + 1, ${connectionOf('n')}, sha256(int8send(n)), 1, ${scopes}, true, '2026-03-01'
           from generate_series(0, ${shares - 1}, ${sharesPerConnection}) n`,
    ),
    fill(
      'revocation',
      `insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
         select n / ${sharesPerClient} + 1, ${id('rev', 'n')}, 'resource', ${id('ord', 'n')}, ${connectionOf('n')}, '2026-04-01', '2026-04-08'
           from generate_series(0, ${shares - 1}, ${revokedEvery}) n`,
    ),
    fill(
      'shared_resource',
      `insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, revision, position, updated_at, revocation_id)
         select n / ${sharesPerClient} + 1, ${id('ord', 'n')}, ${connectionOf('n')}, ${resourceOf(resources)}, 'order',
                ${scopeBits(...allScopes)}, 1, n % ${sharesPerClient} + 1, timestamptz '2026-03-01' + n * interval '1 millisecond',
                case when n % ${revokedEvery} = 0 then ${id('rev', 'n')} end
           from generate_series(0, ${shares - 1}) n`,
    ),
  ]);
}

/** Works on a connection of its own: first the rows, then the indexes, then what autovacuum would do in time. */
async function fillTable(databaseUrl: string, table: string, statements: readonly string[]): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    await db.query(`set session_replication_role = replica; set maintenance_work_mem = '512MB'`);
    const indexes = await dropIndexes(db, table);
    for (const statement of [...statements, ...indexes]) await db.query(statement);
    await db.query(`vacuum (analyze, freeze) ${table}`);
    if (table === 'client') await db.query('vacuum (analyze) client_feed');
  } finally {
    await db.end();
  }
}

/** Drops the indexes that no constraint needs, and returns their definitions. */
async function dropIndexes(db: pg.Client, table: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  return rows.map((row) => row.definition);
}

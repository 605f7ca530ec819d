import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { changesSinceSql } from '../server/domain/feed/changesSince.sql.ts';
import { findHistory } from '../server/domain/feed/findHistory.ts';
import { findSharedResource } from '../server/domain/feed/findSharedResource.ts';
import { publish } from '../server/domain/feed/publish.ts';
import type { Query } from '../server/domain/shared/query.ts';
import { revokeConnection } from '../server/domain/sharing/revocation/revokeConnection.ts';
import { revokeResource } from '../server/domain/sharing/revocation/revokeResource.ts';
import { sharesPerClient } from './scaleData.ts';

/** What one call asked of PostgreSQL: each statement with its plan as it was run. */
export type Plans = { readonly name: string; readonly statements: readonly string[] };

/** As rest-api/database/databaseClients.ts sets them for reading. */
const readSession = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'];
const batch = 1_000;

/**
 * The statements of the product's own functions with what they did, by auto_explain (analyze, buffers): a page, a recovery sync, a
 * detail, a history; the publication of a batch of changes with its locks; revocations. Writers are rolled back.
 */
export async function explainStatements(databaseUrl: string, clients: number): Promise<Plans[]> {
  const db = new pg.Client({ connectionString: databaseUrl });
  const heard: string[] = [];
  db.on('notice', (notice) => heard.push(notice.message ?? ''));
  await db.connect();
  try {
    await db.query(`load 'auto_explain'`);
    await db.query('set auto_explain.log_analyze = on; set auto_explain.log_buffers = on; set auto_explain.log_level = notice');
    const clientNo = Math.ceil(clients / 2);
    const { rows } = await db.query<{ id: string; connection_id: string }>(
      'select id, connection_id from shared_resource where client_no = $1 and position = 500',
      [clientNo],
    );
    const { id = '', connection_id: connectionId = '' } = rows[0] ?? {};
    const { rows: changed } = await db.query<{ id: string }>('select id::text from tracked_resource order by md5(id::text) limit $1', [
      batch,
    ]);
    const query: Query = async <Row>(text: string, parameters: readonly (string | number | null)[]) =>
      (await db.query(text, [...parameters])).rows as Row[];
    const now = new Date();
    const tx = transactionOf(db);

    const explain = async (name: string, work: () => Promise<unknown>): Promise<Plans> => {
      await db.query('begin');
      // Once unheard: a plan with everything read from disk says more about the disk.
      await work();
      await db.query('rollback; begin');
      await db.query('set auto_explain.log_min_duration = 0');
      heard.length = 0;
      await work();
      // A statement that was read to its end tells its plan only when the next one begins.
      await db.query('set auto_explain.log_min_duration = -1');
      const statements = heard.map(readPlan).filter((plan) => !plan.includes('\nResult '));
      await db.query('rollback');
      return { name, statements };
    };
    const writers = [
      await explain(`publish ${batch} changes`, () =>
        publish(
          tx,
          changed.map((row) => ({ trackedResourceId: row.id, core: true, shipping: true })),
          now,
        ),
      ),
      await explain('revokeResource', () => revokeResource(tx, { clientNo, resourceId: id, now })),
      await explain('revokeConnection', () => revokeConnection(tx, { clientNo, connectionId, now })),
    ];
    for (const setting of readSession) await db.query(`set ${setting} = off`);
    await db.query('set plan_cache_mode = force_generic_plan');
    const readers = [
      await explain('page of 500 after position 500', () => query(changesSinceSql, [clientNo, sharesPerClient / 2, 501])),
      await explain('recovery sync (first page of 500)', () => query(changesSinceSql, [clientNo, 0, 501])),
      await explain('detail', () => findSharedResource(query, { clientNo, id, type: 'order' })),
      await explain('history', () => findHistory(query, { clientNo, id, type: 'order', after: 0, limit: 100 })),
    ];
    return [...readers, ...writers];
  } finally {
    await db.end();
  }
}

/** Just as much of a manager as domain functions need for their statements. */
function transactionOf(db: pg.Client): EntityManager {
  const executeQuery = async ({ sql, parameters }: { sql: string; parameters: unknown[] }) => ({
    rows: (await db.query(sql, parameters)).rows as unknown[],
  });
  return { getTransactionContext: () => ({ executeQuery }) } as unknown as EntityManager;
}

/** Lines of a plan that say nothing about the way it takes. */
const trifles = /^ *(Storage|Index Searches|Sort Method|Buckets|Batches|Window): /;

function readPlan(message: string): string {
  const [, plan = ''] = /\n([A-Z][^\n]* \(cost[\s\S]*)$/.exec(message) ?? [];
  const lines = plan.split('\n').filter((line) => !trifles.test(line));
  return `${/duration: [\d.]+ ms/.exec(message)?.[0] ?? ''}\n${lines.join('\n').trim()}`;
}

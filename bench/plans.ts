import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { changesSinceSql } from '../server/domain/feed/changesSince.sql.ts';
import { findHistory } from '../server/domain/feed/findHistory.ts';
import { findSharedResource } from '../server/domain/feed/findSharedResource.ts';
import { publish } from '../server/domain/feed/publish.ts';
import type { Query } from '../server/domain/shared/query.ts';
import { revokeConnection } from '../server/domain/sharing/revocation/revokeConnection.ts';
import { revokeResource } from '../server/domain/sharing/revocation/revokeResource.ts';
import { sharesPerClient, type Size } from './scaleData.ts';

/** The statements of one call, each with the plan that was run. */
type Plans = { readonly name: string; readonly statements: readonly string[] };

/** A database of one size. */
type Stage = { readonly size: Size; readonly url: string };

/** Writes one file for each call into the folder: every statement of it with its plan at each size. */
export async function writePlans(folder: string, stages: readonly Stage[]): Promise<void> {
  const bySize = await Promise.all(stages.map(({ url, size }) => explainStatements(url, size.clients)));
  await mkdir(folder, { recursive: true });
  for (const [call, { name, statements }] of (bySize[0] ?? []).entries()) {
    const parts = [...statements.keys()].flatMap((statement) =>
      stages.map(({ size }, index) => {
        const plan = bySize[index]?.[call]?.statements[statement] ?? '';
        return `At ${size.shares.toLocaleString('en')}:\n\n\`\`\`\n${plan}\n\`\`\`\n`;
      }),
    );
    const file = `${name.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '')}.md`;
    await writeFile(path.join(folder, file), [`# ${name}\n`, ...parts].join('\n'));
  }
}

/** The settings that rest-api/database/databaseClients.ts uses for reading. */
const readSession = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'];
const batch = 1_000;

/**
 * Runs the product's own functions and gathers the plans of their statements from auto_explain (analyze, buffers): a page, a recovery sync,
 * a detail, a history; the publication of a batch of changes with its locks; revocations. What they write is rolled back.
 */
async function explainStatements(databaseUrl: string, clients: number): Promise<Plans[]> {
  const db = new pg.Client({ connectionString: databaseUrl });
  const heard: string[] = [];
  db.on('notice', (notice) => heard.push(notice.message ?? ''));
  await db.connect();
  try {
    await db.query(`load 'auto_explain'`);
    await db.query('set auto_explain.log_analyze = on; set auto_explain.log_buffers = on; set auto_explain.log_level = notice');
    const clientNumber = Math.ceil(clients / 2);
    const { rows } = await db.query<{ id: string; connection_id: string }>(
      'select id, connection_id from shared_resource where client_number = $1 and position = 500',
      [clientNumber],
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
      // The first time is not recorded, because a plan that reads everything from disk says more about the disk.
      await work();
      await db.query('rollback; begin');
      await db.query('set auto_explain.log_min_duration = 0');
      heard.length = 0;
      await work();
      // A statement whose rows have all been read reports its plan only when the next statement begins.
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
      await explain('revokeResource', () => revokeResource(tx, { clientNumber, resourceId: id, now })),
      await explain('revokeConnection', () => revokeConnection(tx, { clientNumber, connectionId, now })),
    ];
    for (const setting of readSession) await db.query(`set ${setting} = off`);
    await db.query('set plan_cache_mode = force_generic_plan');
    const readers = [
      await explain('page of 500 after position 500', () => query(changesSinceSql, [clientNumber, sharesPerClient / 2, 501])),
      await explain('recovery sync (first page of 500)', () => query(changesSinceSql, [clientNumber, 0, 501])),
      await explain('detail', () => findSharedResource(query, { clientNumber, id, type: 'order' })),
      await explain('history', () => findHistory(query, { clientNumber, id, type: 'order', after: 0, limit: 100 })),
    ];
    return [...readers, ...writers];
  } finally {
    await db.end();
  }
}

/** Only as much of an entity manager as domain functions need for their statements. */
function transactionOf(db: pg.Client): EntityManager {
  const executeQuery = async ({ sql, parameters }: { sql: string; parameters: unknown[] }) => ({
    rows: (await db.query(sql, parameters)).rows as unknown[],
  });
  return { getTransactionContext: () => ({ executeQuery }) } as unknown as EntityManager;
}

/** The lines of a plan that say nothing about how it is carried out. */
const trifles = /^ *(Storage|Index Searches|Sort Method|Buckets|Batches|Window): /;

function readPlan(message: string): string {
  const [, plan = ''] = /\n([A-Z][^\n]* \(cost[\s\S]*)$/.exec(message) ?? [];
  const lines = plan.split('\n').filter((line) => !trifles.test(line));
  return `${/duration: [\d.]+ ms/.exec(message)?.[0] ?? ''}\n${lines.join('\n').trim()}`;
}

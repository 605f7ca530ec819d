import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { isOverSql } from '../../integration/integrationStatus.ts';
import { record } from '../../audit/record.ts';
import type { Clock } from '../../shared/clock.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import type { Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';
import { discardWaiting } from '../../outbox/discardDeliveries.ts';
import { corpusLifecycle } from '../corpusStatus.ts';
import { generateCorpus } from '../generator/generateCorpus.ts';
import { clearSandbox } from './clearSandbox.ts';
import { storeCorpus } from './storeCorpus.ts';

type Order = { readonly clientNumber: number; readonly generation: number; readonly clock: Clock };
type StartedCorpus = { readonly client_id: string; readonly integration_id: string; readonly scopes: Scope[]; readonly requested_at: Date };

/**
 * The job that fills a client's sandbox with exactly what its scopes allow: up to 500 orders, 50 stock vehicles, their users, one
 * revocation and one statistics generation (docs/specification.md, “Test data”). However often and wherever it runs, the corpus becomes
 * visible once and as a whole. At the same moment, a later generation replaces everything that was shared before. A generation that is
 * unknown, finished or superseded is left alone. Rejects if the database does; then nothing of the corpus has been stored, and the job may
 * be tried again.
 */
export async function buildSandboxCorpus(em: EntityManager, { clientNumber, generation, clock }: Order): Promise<void> {
  const started = await markStarted(em, clientNumber, generation, clock.now());
  if (!started) return;
  // Generated from the time of the request, so that every attempt gives the same corpus, and outside any transaction, because it only needs
  // the CPU.
  const corpus = generateCorpus({
    seed: `${started.client_id}/${generation}`,
    now: started.requested_at,
    scopes: started.scopes,
  });
  const stored = em.transactional(
    async (tx) => {
      if (!(await lockUnfinished(tx, clientNumber, generation)) || (await isRetired(tx, clientNumber))) return;
      const now = clock.now();
      await record(tx, { type: 'system', name: 'buildSandboxCorpus' }, now, {
        action: 'sandbox_corpus.activated',
        subject: { type: 'client', id: started.client_id },
        integrationId: started.integration_id,
        details: { generation },
      });
      await sql(tx, activateSql, [clientNumber, generation, now]);
      const untold = generation > 1 ? await clearSandbox(tx, clientNumber) : [];
      await storeCorpus(tx, { clientNumber, clientId: started.client_id, generation, scopes: started.scopes, now }, corpus);
      await discardWaiting(tx, { numbers: untold, reason: 'sandbox_replaced', now });
      // A retirement locks the corpora that exist when it starts. One that was requested since is not among them, but the feed is locked by
      // both.
      if (await isRetired(tx, clientNumber)) throw new RetiredMeanwhile();
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
  await stored.catch((error: unknown) => {
    if (!(error instanceof RetiredMeanwhile)) throw error;
  });
}

const { mayStart, sets } = corpusLifecycle;

/** Its caller holds the lock of `lockUnfinished`. */
const activateSql = `
update sandbox_corpus set ${sets('activateSandboxCorpus', { readyAt: '$3', failedAt: 'null' })}
 where client_number = $1 and generation = $2 and ${mayStart('activateSandboxCorpus')}`;

const startSql = `
update sandbox_corpus s set ${sets('startSandboxCorpus', { startedAt: 'coalesce(s.started_at, $3)', failedAt: 'null' })} from client c
 where c.number = s.client_number and s.client_number = $1 and s.generation = $2 and ${mayStart('startSandboxCorpus', { row: 's' })} and c.environment = 'sandbox'
   and not exists (select 1 from sandbox_corpus later where later.client_number = $1 and later.generation > $2)
returning c.id as client_id, c.integration_id, c.scopes, s.requested_at`;

/** Rolls back what was stored for an integration that nobody will use any more. */
class RetiredMeanwhile extends Error {}

/** Commits at once, so that the portal shows “building”. Null if there is nothing to build. */
async function markStarted(em: EntityManager, clientNumber: number, generation: number, now: Date): Promise<StartedCorpus | null> {
  const rows = await em.transactional((tx) => sql<StartedCorpus>(tx, startSql, [clientNumber, generation, now]));
  return rows[0] ?? null;
}

const lockUnfinishedSql = locking(
  'corpus',
  'no key update of s',
  (clause) => `
select 1 from sandbox_corpus s where client_number = $1 and generation = $2 and ${mayStart('activateSandboxCorpus', { row: 's' })}
   and not exists (select 1 from sandbox_corpus later where later.client_number = $1 and later.generation > $2) ${clause}`,
);

/**
 * Two runs of the job wait for each other here, and the second finds the corpus ready. A corpus that a later request has superseded is not
 * built.
 */
async function lockUnfinished(tx: EntityManager, clientNumber: number, generation: number): Promise<boolean> {
  const rows = await takeLock(tx, lockUnfinishedSql, [clientNumber, generation]);
  return rows.length === 1;
}

/**
 * Read in a statement of its own, after the corpus's lock, which a retirement takes as well, because nobody would later revoke what is
 * stored after the retirement.
 */
async function isRetired(tx: EntityManager, clientNumber: number): Promise<boolean> {
  const rows = await sql(
    tx,
    `select 1 from client c join integration i on i.id = c.integration_id where c.number = $1 and ${isOverSql('i')}`,
    [clientNumber],
  );
  return rows.length > 0;
}

import { EventEmitter } from 'node:events';
import type { Worker, WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { openClient } from '../server/database/connection/openPool.ts';
import type { Logger } from '../server/platform/logger.ts';

const sweepEvery = 5_000;
/** A pool may take a job without learning of it, because the answer was lost. The job is given back after this many seconds. */
const unnoticedAfter = 10;

/** Finds other pools that hold jobs. A pool is dead if its presence lock can be taken. */
const deadPoolsSql = `
  select locked_by from (select distinct locked_by from graphile_worker.jobs where locked_by is not null and locked_by <> $1) j
   where pg_try_advisory_xact_lock(hashtext('svc.workers'), hashtext(locked_by))`;
const unnoticedSql = `select 1 from graphile_worker.jobs where locked_by = $1 and locked_at < clock_timestamp() - $2 * interval '1 second' limit 1`;
const presenceSql = `select pg_advisory_lock(hashtext('svc.workers'), hashtext($1))`;
const unlockSql = 'select graphile_worker.force_unlock_workers($1::text[])';

/**
 * Gives back jobs that nobody is working on; the queue itself would wait four hours for a worker that was killed. A living pool shows its
 * presence by an advisory lock that ends with its connection. Doing a job twice does no harm, because each effect is guarded.
 */
export class AbandonedJobs {
  /** Pass this to graphile-worker, which announces its pool here. */
  readonly events: WorkerEvents = new EventEmitter();
  readonly #databaseUrl: string;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  readonly #workers = new Set<Worker>();
  #poolId: string | undefined;
  #client: pg.Client | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(databaseUrl: string, logger: Logger) {
    this.#databaseUrl = databaseUrl;
    this.#logger = logger;
    this.events.on('pool:create', ({ workerPool }) => {
      this.#poolId = workerPool.id;
      this.#sweepSoon();
    });
    this.events.on('worker:create', ({ worker }) => this.#workers.add(worker));
    this.events.on('worker:stop', ({ worker }) => this.#workers.delete(worker));
    this.#timer = setInterval(() => this.#sweepSoon(), sweepEvery);
    this.#timer.unref();
  }

  /** Ends the sweeps and the pool's presence. Call it after the pool has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
    await this.#client?.end();
  }

  #sweepSoon(): void {
    this.#sweeping = this.#sweeping
      .then(() => this.#sweep())
      .catch(() => {
        // The database is out of reach. Presence and sweeps begin again with the next connection.
        const lost = this.#client;
        this.#client = undefined;
        void lost?.end();
      });
  }

  async #sweep(): Promise<void> {
    const poolId = this.#poolId;
    if (poolId === undefined) return;
    const client = (this.#client ??= await this.#connect(poolId));
    const { rows } = await client.query<{ locked_by: string }>(deadPoolsSql, [poolId]);
    const abandoned = rows.map((row) => row.locked_by);
    const idle = [...this.#workers].every((worker) => worker.getActiveJob() === null);
    if (idle && (await client.query(unnoticedSql, [poolId, unnoticedAfter])).rowCount) abandoned.push(poolId);
    if (abandoned.length === 0) return;
    await client.query(unlockSql, [abandoned]);
    this.#logger.warn({ pools: abandoned.length }, 'workers.jobsGivenBack');
  }

  async #connect(poolId: string): Promise<pg.Client> {
    const client = await openClient(this.#databaseUrl, 'workers-presence', { query_timeout: 5_000 });
    await client.query(presenceSql, [poolId]);
    return client;
  }
}

import type { Runner, TaskList } from 'graphile-worker';
import { Logger as WorkerLogger, run } from '../server/database/migration/queueLibrary.ts';
import type pg from 'pg';
import { ConnectionBudget } from '../server/database/connection/ConnectionBudget.ts';
import { openPool } from '../server/database/connection/openPool.ts';
import { QueuePool } from '../server/database/connection/QueuePool.ts';
import { withinTime } from '../server/database/unavailable.ts';
import type { Logger } from '../server/platform/logger.ts';
import { AbandonedJobs } from './abandonedJobs.ts';
import { keepListening, type ListeningLimits } from './keepListening.ts';

type Pool = {
  readonly name: string;
  /** How many jobs it works on at once. */
  readonly concurrency: number;
  readonly tasks: TaskList;
  readonly crontab: string;
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** How often to look for jobs that no notification announced, in milliseconds. */
  readonly pollInterval: number;
  /** When a server that says nothing is taken for lost, if not as usual. */
  readonly silence?: ListeningLimits;
};

/** A pool that has been started. `stop` gives the jobs in progress 5 s to end. */
export type RunningPool = {
  /** Whether it looks for jobs; not while it starts again after losing the database. */
  running(): boolean;
  stop(): Promise<void>;
};

const restartDelay = 1_000;
const connectWithin = 10_000;
const closeWithin = 2_000;
/**
 * The queue shuts down when it cannot record how a job ended. It gives the jobs in progress 5 s, but can wait for ever, because it
 * miscounts what is left to record once two attempts have failed in this way.
 */
const shutdownLimit = 10_000;
/**
 * How often a worker asks for a job in vain, one time after the other, before its pool starts again. A queue that has never been answered starts
 * again at once: it reads which tasks it knows with its first question alone, and would refuse to look for jobs for ever if that answer was lost.
 */
const refusalsOfOneWorker = 5;

/** Works off the jobs of these tasks until `stop`. If the database is lost, it waits for it. */
export async function startPool(pool: Pool): Promise<RunningPool> {
  // One hears of new jobs. The others are needed for a moment when a job begins or ends. What a queue that has ended still holds counts for
  // the next one.
  const budget = new ConnectionBudget('workers-queue', pool.concurrency + 1);
  let stopping = false;
  let running = true;
  let restart: NodeJS.Timeout | undefined;
  let starting = startRunner(pool, budget);
  watch(await starting);

  function watch({ runner, abandonedJobs, closeConnections }: Running): void {
    running = true;
    let ended = false;
    let reason: Error | undefined;
    const end = async (error?: unknown): Promise<void> => {
      if (ended) return;
      ended = true;
      await abandonedJobs.stop();
      void closeConnections();
      again(error ?? reason);
    };
    runner.promise.then(() => end(), end).catch(again);
    // Besides its workers, the queue ends its timetable, which would otherwise go on for ever.
    const stopQueue = (): void => void runner.stop().catch(() => {});
    const { events } = abandonedJobs;
    events.on('pool:gracefulShutdown', () =>
      setTimeout(() => {
        stopQueue();
        end(new Error('The queue did not end.')).catch(again);
      }, shutdownLimit).unref(),
    );
    let refusals = 0;
    let allowed = 1;
    const answered = () => {
      refusals = 0;
      allowed = refusalsOfOneWorker * pool.concurrency;
    };
    events.on('job:start', answered).on('worker:getJob:empty', answered);
    events.on('worker:getJob:error', () => {
      refusals += 1;
      if (refusals !== allowed) return;
      // The pool shows its presence until its last jobs have ended.
      reason = new Error('The queue could not look for jobs.');
      stopQueue();
    });
  }
  function again(error?: unknown): void {
    running = false;
    if (stopping) return;
    pool.logger.warn({ err: error, pool: pool.name }, 'workers.restarting');
    restart = setTimeout(() => {
      starting = startRunner(pool, budget);
      starting.then(watch, again);
    }, restartDelay);
  }
  return {
    running: () => running,
    async stop() {
      stopping = true;
      clearTimeout(restart);
      // What is only starting is stopped as soon as it has started.
      const last = await starting.catch(() => undefined);
      await last?.runner.stop().catch(() => {});
      await last?.abandonedJobs.stop();
      await last?.closeConnections();
    },
  };
}

type Running = { readonly runner: Runner; readonly abandonedJobs: AbandonedJobs; readonly closeConnections: () => Promise<void> };

async function startRunner(
  { name, concurrency, tasks, crontab, databaseUrl, logger, pollInterval, silence }: Pool,
  budget: ConnectionBudget,
): Promise<Running> {
  const abandonedJobs = new AbandonedJobs(databaseUrl, logger);
  const pgPool = openPool(databaseUrl, 'workers-queue', {
    Pool: QueuePool,
    max: budget,
    connectionTimeoutMillis: connectWithin,
    ...(silence && { query_timeout: silence.answeredWithin }),
  });
  const held = new Set<pg.PoolClient>();
  pgPool.on('connect', (client) => void held.add(client)).on('remove', (client) => void held.delete(client));
  keepListening(abandonedJobs.events, silence);
  let closed: Promise<void> | undefined;
  // A queue that did not end would keep a connection for ever.
  const closeConnections = () =>
    (closed ??= withinTime(pgPool.end(), closeWithin).catch(() => {
      for (const { connection } of held) connection.stream.destroy();
    }));
  // On this channel the queue is told that its tables have changed, and ends. Anyone who may connect may notify, and processes look at the
  // schema themselves when they start.
  abandonedJobs.events.on('pool:listen:notification', ({ message }) => {
    if (message.channel === 'worker:migrate') delete message.payload;
  });
  try {
    const runner = await run({
      pgPool,
      taskList: tasks,
      crontab,
      concurrency,
      pollInterval,
      noHandleSignals: true,
      events: abandonedJobs.events,
      // A batch that meets a lost database ends the queue, and `watch` starts it again. A single completion would end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: new WorkerLogger(() => (level, message) => {
        // Each job has its own wide line, so the queue adds only its own warnings and errors.
        if (level === 'error' || level === 'warning')
          logger.warn({ pool: name, detail: message.split('\n')[0]?.slice(0, 200) }, 'workers.queue');
      }),
    });
    return { runner, abandonedJobs, closeConnections };
  } catch (error) {
    await abandonedJobs.stop();
    void closeConnections();
    throw error;
  }
}

import { Logger as WorkerLogger, run, type Runner, type TaskList } from 'graphile-worker';
import type { KeyRing } from '../server/database/keyRing.ts';
import type { Orm } from '../server/database/orm.ts';
import { ensureAuthorities, openIssuer } from '../server/domain/certificate/authorities.ts';
import type { Mailer } from '../server/domain/notification/mailer.ts';
import type { Clock } from '../server/domain/shared/clock.ts';
import type { SupportContact } from '../server/domain/shared/supportContact.ts';
import { authorityKeys } from '../server/platform/authorityKeys.ts';
import type { Logger } from '../server/platform/logger.ts';
import { jobs } from '../server/platform/metrics.ts';
import { AbandonedJobs } from './abandonedJobs.ts';
import { crontab } from './crontab.ts';
import { taskList } from './taskList.ts';
import type { WorkerContext, WorkerTask } from './workerContext.ts';

export type WorkerDependencies = {
  readonly databaseUrl: string;
  readonly orm: Orm;
  readonly keyRing: KeyRing;
  readonly signingKey: Buffer;
  readonly mailer: Mailer;
  readonly portalUrl: string;
  readonly supportContact: SupportContact;
  readonly logger: Logger;
  readonly clock: Clock;
  /** How often to look for jobs that a notification did not announce, in milliseconds. */
  readonly pollInterval?: number;
};

const restartDelay = 1_000;
/**
 * The queue shuts down when it cannot write down how a job ended. It gives jobs under way 5 s to end, and can wait for ever, because it
 * miscounts what is left to write down once two have failed so.
 */
const shutdownLimit = 10_000;

/** Makes the certificate authority when there is none, then works off jobs until `stop`. A lost database is waited for. */
export async function startWorkers(dependencies: WorkerDependencies): Promise<{ stop(): Promise<void> }> {
  const { orm, signingKey, portalUrl, clock, logger } = dependencies;
  const keys = authorityKeys(signingKey);
  await ensureAuthorities(orm.em.fork(), { keys, portalUrl, now: clock.now() });
  const issuer = await openIssuer(orm.em.fork(), { keys, portalUrl });
  const tasks = bindTasks({ ...dependencies, issuer });
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;
  let running = await startRunner(dependencies, tasks);
  watch(running);

  function watch({ runner, abandonedJobs }: Running): void {
    let ended = false;
    const end = async (error?: unknown): Promise<void> => {
      if (ended) return;
      ended = true;
      await abandonedJobs.stop();
      again(error);
    };
    runner.promise.then(() => end(), end).catch(again);
    abandonedJobs.events.on('pool:gracefulShutdown', () => {
      const giveUp = () => {
        runner.stop().catch(() => {});
        end(new Error('The queue did not end.')).catch(again);
      };
      setTimeout(giveUp, shutdownLimit).unref();
    });
  }
  function again(error?: unknown): void {
    if (stopping) return;
    logger.warn({ err: error }, 'workers.restarting');
    restart = setTimeout(() => {
      startRunner(dependencies, tasks).then((started) => {
        running = started;
        watch(started);
      }, again);
    }, restartDelay);
  }
  return {
    async stop() {
      stopping = true;
      clearTimeout(restart);
      await running.runner.stop().catch(() => {});
      await running.abandonedJobs.stop();
    },
  };
}

type Running = { readonly runner: Runner; readonly abandonedJobs: AbandonedJobs };

async function startRunner({ databaseUrl, logger, pollInterval }: WorkerDependencies, tasks: TaskList): Promise<Running> {
  const abandonedJobs = new AbandonedJobs(databaseUrl, logger);
  try {
    const runner = await run({
      connectionString: databaseUrl,
      taskList: tasks,
      crontab,
      concurrency: 4,
      maxPoolSize: 6,
      pollInterval: pollInterval ?? 2_000,
      noHandleSignals: true,
      events: abandonedJobs.events,
      // A batch that meets a lost database ends the queue, and `watch` starts it again; a single completion would end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: new WorkerLogger(() => (level, message) => {
        // Each job has its own wide line below; only trouble of the queue itself is worth another.
        if (level === 'error' || level === 'warning') logger.warn({ detail: message.split('\n')[0]?.slice(0, 200) }, 'workers.queue');
      }),
    });
    return { runner, abandonedJobs };
  } catch (error) {
    await abandonedJobs.stop();
    throw error;
  }
}

type Bound = WorkerDependencies & Pick<WorkerContext, 'issuer'>;

/** Gives every task its context, one log line and one count per attempt. */
function bindTasks(dependencies: Bound): TaskList {
  return Object.fromEntries(
    Object.entries(taskList).map(([name, task]) => [
      name,
      async (payload: unknown, { job }: { job: { id: string; attempts: number; max_attempts: number } }) => {
        const { orm, logger, clock, keyRing, issuer, mailer, portalUrl, supportContact } = dependencies;
        const started = performance.now();
        const line = () => ({ job: name, jobId: job.id, attempt: job.attempts, durationMs: Math.round(performance.now() - started) });
        const context: WorkerContext = {
          em: orm.em.fork(),
          clock,
          keyRing,
          issuer,
          mailer,
          portalUrl,
          supportContact,
          lastAttempt: job.attempts >= job.max_attempts,
        };
        try {
          // The queue holds JSON that `enqueue` wrote with the type of this very name.
          await (task as WorkerTask<unknown>)(payload, context);
          jobs.inc({ job: name, outcome: 'done' });
          logger.info(line(), 'job.done');
        } catch (error) {
          jobs.inc({ job: name, outcome: 'failed' });
          logger.warn({ ...line(), err: error }, 'job.failed');
          // The queue keeps the message; a driver's could carry data.
          throw new Error(`${name} failed${codeOf(error)}; the log has the reason`, { cause: error });
        }
      },
    ]),
  );
}

/** The code that Node, PostgreSQL and mail servers' errors carry, such as ECONNREFUSED: it says where to look and holds no data. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Za-z0-9_]{1,40}$/.test(code) ? ` (${code})` : '';
}

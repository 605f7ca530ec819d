import type { TaskList } from 'graphile-worker';
import type { Orm } from '../server/database/orm.ts';
import type { Logger } from '../server/platform/logger.ts';
import { jobs } from '../server/platform/metrics.ts';
import { taskList } from './taskList.ts';
import type { WorkerContext, WorkerTask } from './workerContext.ts';

type Bound = Omit<WorkerContext, 'em' | 'lastAttempt'> & { readonly orm: Orm; readonly logger: Logger };

/** Gives every task its context, one log line and one count per attempt. */
export function bindTasks(dependencies: Bound): TaskList {
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

import type { TaskList } from 'graphile-worker';
import { LintRefused } from '../server/domain/certificate/lintCertificate.ts';
import { splitTrace } from '../server/domain/shared/traces.ts';
import type { Orm } from '../server/database/orm.ts';
import type { Logger } from '../server/platform/logger.ts';
import { jobs } from '../server/platform/metrics.ts';
import { traceJob } from '../server/platform/tracing/tracing.ts';
import { taskList } from './taskList.ts';
import type { WorkerContext, WorkerTask } from './workerContext.ts';

type Bound = Omit<WorkerContext, 'em' | 'lastAttempt'> & { readonly orm: Orm; readonly logger: Logger };

/** Gives every task its context, and writes one log line and one count for each attempt. */
export function bindTasks(dependencies: Bound): TaskList {
  return Object.fromEntries(
    Object.entries(taskList).map(([name, task]) => [
      name,
      async (payload: unknown, { job }: { job: { id: string; attempts: number; max_attempts: number } }) => {
        const {
          orm,
          logger,
          clock,
          keyRing,
          issuer,
          authorityKeys,
          mailer,
          transport,
          deliveryKey,
          machineApiOrigin,
          portalUrl,
          supportContact,
        } = dependencies;
        const started = performance.now();
        const line = () => ({ job: name, jobId: job.id, attempt: job.attempts, durationMs: Math.round(performance.now() - started) });
        const context: WorkerContext = {
          em: orm.em.fork(),
          clock,
          keyRing,
          issuer,
          authorityKeys,
          mailer,
          transport,
          deliveryKey,
          machineApiOrigin,
          portalUrl,
          supportContact,
          lastAttempt: job.attempts >= job.max_attempts,
        };
        try {
          // The queue holds the JSON that `enqueue` wrote, which has the type of this name.
          const { trace, rest } = splitTrace(payload);
          await traceJob(name, trace, () => (task as WorkerTask<unknown>)(rest, context));
          jobs.inc({ task: name, outcome: 'done' });
          logger.info(line(), 'job.done');
        } catch (error) {
          jobs.inc({ task: name, outcome: error instanceof LintRefused ? 'lint_refused' : 'failed' });
          logger.warn({ ...line(), err: error }, 'job.failed');
          // The queue stores the message of an error, and a driver's message could contain data.
          throw new Error(`${name} failed${codeOf(error)}; the log has the reason`, { cause: error });
        }
      },
    ]),
  );
}

/** The code of an error from Node, PostgreSQL or a mail server, such as ECONNREFUSED. It says where to look and contains no data. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Za-z0-9_]{1,40}$/.test(code) ? ` (${code})` : '';
}

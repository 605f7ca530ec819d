import { performance } from 'node:perf_hooks';
import { newId } from '../../server/domain/shared/ids.ts';
import type { Logger } from '../../server/platform/logger.ts';
import { watchAnswer } from '../../server/platform/loopWatch.ts';
import { httpDuration, httpRequests, statusClass } from '../../server/platform/metrics.ts';
import { commonHeaders } from '../answer/commonHeaders.ts';
import { type RequestFacts, traceRequest } from '../../server/platform/tracing/tracing.ts';
import type { MachineContext, MachineMiddleware } from '../MachineContext.ts';
import { matchOperation } from '../matchOperation.ts';

/**
 * Gives each request its identifier, its operation and the headers of every answer. When it is over, writes one wide log line and the metrics.
 */
export function observeRequests(logger: Logger): MachineMiddleware {
  return (context, next) => {
    const startedAt = performance.now();
    const { state } = context;
    state.requestId = newId('req');
    state.match = matchOperation(context.method, context.path);
    state.costClass = state.match.found === 'operation' ? state.match.operation.costClass : 'pull';
    context.set(commonHeaders(state.requestId, state.costClass));
    context.res.once('close', () => conclude(context, performance.now() - startedAt, logger));
    const facts = () => factsOf(context);
    watchAnswer(context.res, facts);
    return traceRequest(context.req, facts, next);
  };
}

/** What became of a request: its operation (`path` or `nothing` if there is none) and its status (499 if the caller hung up). */
export function outcomeOf({ state: { match }, res, status }: MachineContext): { operation: string; status: number } {
  return { operation: match.found === 'operation' ? match.operation.name : match.found, status: res.writableFinished ? status : 499 };
}

function factsOf(context: MachineContext): RequestFacts {
  const { requestId, problem } = context.state;
  return { requestId, route: outcomeOf(context).operation, ...(problem !== undefined && { code: problem }) };
}

function conclude(context: MachineContext, durationMs: number, logger: Logger): void {
  const { requestId, problem, admission } = context.state;
  const { operation, status } = outcomeOf(context);
  httpRequests.inc({ server: 'rest-api', route: operation, status: String(status), code: problem ?? '' });
  httpDuration.observe({ server: 'rest-api', route: operation, status_class: statusClass(status) }, durationMs / 1000);
  logger.info(
    {
      requestId,
      method: context.method,
      route: operation,
      status,
      problem,
      clientId: admission?.client?.id,
      certificateId: admission?.client?.certificateId,
      durationMs: Math.round(durationMs * 10) / 10,
      bytes: context.method === 'HEAD' ? 0 : (context.length ?? 0),
    },
    'request',
  );
}

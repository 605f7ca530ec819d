import { unavailable } from '../../server/database/unavailable.ts';
import type { Logger } from '../../server/platform/logger.ts';
import type { MachineMiddleware } from '../MachineContext.ts';
import { instanceOf } from '../matchOperation.ts';
import { problemDetails, problemHeaders, problemOf } from '../answer/problemDetails.ts';

/**
 * Turns whatever is thrown into problem details (RFC 9457). Anything that is not one of our refusals is logged and answered without
 * particulars.
 */
export function answerProblems({ portalUrl, logger }: { portalUrl: string; logger: Logger }): MachineMiddleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const problem = problemOf(unavailable(error));
      const { requestId } = context.state;
      context.state.problem = problem.code;
      if (problem.code === 'internal_error') logger.error({ requestId, err: error }, 'request failed');
      if (problem.code === 'temporarily_unavailable') logger.warn({ requestId, cause: problem.cause }, 'database out of reach');
      if (context.headerSent) {
        context.res.destroy();
        return;
      }
      const details = problemDetails(problem, { portalUrl, instance: instanceOf(context.state.match, context.path), requestId });
      context.status = details.status;
      context.set(problemHeaders(problem));
      context.body = Buffer.from(JSON.stringify(details));
    }
  };
}

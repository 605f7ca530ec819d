import type { BlockList } from 'node:net';
import type { Middleware } from 'koa';
import type { AuthenticatedServiceToken } from '../domain/access/authenticateServiceToken.ts';
import type { AuthenticatedSession } from '../domain/account/session/authenticateSession.ts';
import type { Visitor } from '../domain/account/visitor.ts';
import { newId } from '../domain/shared/ids.ts';
import { callerAddress } from '../platform/callerAddress.ts';
import { clientAddress } from '../platform/clientAddress.ts';
import type { Logger } from '../platform/logger.ts';
import { watchAnswer } from '../platform/loopWatch.ts';
import { httpDuration, httpRequests, oneOperation, operationDuration, statusClass } from '../platform/metrics.ts';
import { type RequestFacts, traceRequest } from '../platform/tracing/tracing.ts';
import { sourceAddress } from '../platform/sourceAddress.ts';

/** What the portal's middleware passes on in `ctx.state`. */
export type PortalState = {
  requestId: string;
  visitor: Visitor;
  /** Set before anything else if the request carries a good service token. */
  serviceToken?: AuthenticatedServiceToken;
  /** Set on /graphql before the body is read; null for a stranger. */
  session?: AuthenticatedSession | null;
  route?: string;
  /** What a GraphQL document asked for. */
  operations?: string;
  errorCode?: string;
  /** Why the service was not available. */
  cause?: string | undefined;
  /** Whether nothing is at this path. It is then neither repeated nor logged, because it may contain a code or a token by mistake. */
  unknownPath?: boolean;
};

/**
 * Gives the request an identifier, and writes one wide log line and its metrics when the answer is finished. A path is logged without its
 * query, and only if there is something at it.
 */
export function requestContext(logger: Logger, trustedProxies: BlockList): Middleware<PortalState> {
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = newId('req');
    const { method, path } = ctx;
    ctx.state.requestId = requestId;
    const ip = clientAddress(callerAddress(ctx.req.socket), ctx.get('x-forwarded-for'), trustedProxies);
    ctx.state.visitor = {
      ip,
      source: sourceAddress(ip),
      userAgent: ctx.get('user-agent'),
      requestId,
    };
    ctx.set('X-Request-Id', requestId);
    // Ours, Koa's and those of a compressed stream are eleven. Node takes more than ten for a leak, and warns in the log.
    ctx.res.setMaxListeners(20);
    ctx.res.once('close', () => {
      const durationMs = Math.round((performance.now() - started) * 10) / 10;
      const route = ctx.state.route ?? 'static';
      const status = ctx.res.statusCode;
      httpRequests.inc({ server: 'portal', route, status, code: ctx.state.errorCode ?? '' });
      httpDuration.observe({ server: 'portal', route, status_class: statusClass(status) }, durationMs / 1000);
      observeOperation(ctx.state, durationMs / 1000);
      const line = {
        requestId,
        method,
        route,
        operations: ctx.state.operations,
        path: ctx.state.unknownPath ? undefined : path,
        status,
        errorCode: ctx.state.errorCode,
        cause: ctx.state.cause,
        serviceTokenId: ctx.state.serviceToken?.id,
        durationMs,
        aborted: !ctx.res.writableFinished,
      };
      logger.info(line, 'portal.request');
    });
    const facts = () => factsOf(ctx.state);
    watchAnswer(ctx.res, facts);
    await traceRequest(ctx.req, facts, next);
  };
}

function factsOf({ requestId, route = 'static', errorCode, operations }: PortalState): RequestFacts {
  return { requestId, route, ...(errorCode !== undefined && { code: errorCode }), ...(operations !== undefined && { operations }) };
}

function observeOperation({ operations, errorCode }: PortalState, seconds: number): void {
  if (operations === undefined) return;
  operationDuration.observe({ operation: oneOperation(operations), outcome: outcomeOf(errorCode) }, seconds);
}

function outcomeOf(errorCode: string | undefined): string {
  switch (errorCode) {
    case undefined:
      return 'done';
    case 'internal_error':
      return 'failed';
    // No fault of the operation, and all of them at once.
    case 'temporarily_unavailable':
      return 'unavailable';
    default:
      return 'refused';
  }
}

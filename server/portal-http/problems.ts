import type { ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import { unavailable } from '../database/unavailable.ts';
import { DomainError, type LastingCode } from '../domain/shared/DomainError.ts';
import { errorCatalogue, type ErrorCode } from '../domain/shared/errorCatalogue.ts';
import type { Logger } from '../platform/logger.ts';
import type { PortalState } from './requestContext.ts';
import { commonHeaders } from './securityHeaders.ts';

/** Turns whatever is thrown below into problem details (RFC 9457); only the log learns of the unexpected. */
export function problems(portalUrl: string, logger: Logger): Middleware<PortalState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new DomainError('not_found', { detail: 'There is nothing at this address.' });
    } catch (thrown) {
      const error = asDomainError(unavailable(thrown));
      if (error.code === 'internal_error') logger.error({ err: thrown, requestId: ctx.state.requestId }, 'portal.internalError');
      answerProblem(ctx, portalUrl, error, ctx.state.requestId);
      ctx.state.errorCode = error.code;
    }
  };
}

/** A problem for a request that is refused before it becomes one of the framework's; the connection ends. */
export function answerBare(response: ServerResponse, portalUrl: string, code: ErrorCode, detail: string): void {
  const { status, title } = errorCatalogue[code];
  const body = JSON.stringify({ type: `${portalUrl}/problems/${code}`, title, status, detail, code });
  const headers = { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', Connection: 'close' };
  response.writeHead(status, { ...commonHeaders, ...headers }).end(body);
}

function answerProblem(ctx: Context, portalUrl: string, error: DomainError, requestId: string): void {
  const { status, title } = errorCatalogue[error.code];
  ctx.status = status;
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
  ctx.set('Cache-Control', 'no-store');
  ctx.body = JSON.stringify({
    type: `${portalUrl}/problems/${error.code}`,
    title,
    status,
    detail: error.message,
    instance: ctx.path,
    code: error.code,
    request_id: requestId,
    ...(error.retryAfterSeconds !== undefined && { retry_after_seconds: error.retryAfterSeconds }),
  });
  ctx.type = 'application/problem+json';
}

const httpCodes: Readonly<Record<number, LastingCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  413: 'content_too_large',
  415: 'unsupported_media_type',
};

/** The refusal that something thrown below stands for; `internal_error` for what nobody foresaw. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  // Koa's own and the body parser's errors say by status what was wrong with the request.
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
  const code = httpCodes[status] ?? (status >= 400 && status < 500 ? 'not_found' : undefined);
  return code
    ? new DomainError(code, { detail: errorCatalogue[code].advice })
    : new DomainError('internal_error', { detail: errorCatalogue.internal_error.advice });
}

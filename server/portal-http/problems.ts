import type { Middleware, ParameterizedContext } from 'koa';
import { causeOf, unavailable } from '../database/unavailable.ts';
import { DomainError, type LastingCode } from '../domain/shared/DomainError.ts';
import { errorCatalogue } from '../domain/shared/errorCatalogue.ts';
import { newId } from '../domain/shared/ids.ts';
import type { BareAnswer } from '../platform/http/bareAnswer.ts';
import type { Logger } from '../platform/logger.ts';
import { httpRequests } from '../platform/metrics.ts';
import type { PortalState } from './requestContext.ts';
import { commonHeaders } from './securityHeaders.ts';

/** Turns whatever is thrown below into problem details (RFC 9457). Unexpected errors are described only in the log. */
export function problems(portalUrl: string, logger: Logger): Middleware<PortalState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        ctx.state.unknownPath = true;
        throw new DomainError('not_found', { detail: 'There is nothing at this address.' });
      }
    } catch (thrown) {
      const error = asDomainError(unavailable(thrown));
      if (error.code === 'internal_error') logger.error({ err: thrown, requestId: ctx.state.requestId }, 'portal.internalError');
      answerProblem(ctx, portalUrl, error);
      ctx.state.errorCode = error.code;
      ctx.state.cause = causeOf(error);
    }
  };
}

function answerProblem(ctx: ParameterizedContext<PortalState>, portalUrl: string, error: DomainError): void {
  ctx.status = errorCatalogue[error.code].status;
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
  ctx.set('Cache-Control', 'no-store');
  const { unknownPath, requestId } = ctx.state;
  ctx.body = problemBody(error, { portalUrl, instance: unknownPath ? '/' : ctx.path, requestId });
  ctx.type = 'application/problem+json';
}

function problemBody(
  error: DomainError,
  { portalUrl, instance, requestId }: { portalUrl: string; instance: string; requestId: string },
): string {
  const { status, title } = errorCatalogue[error.code];
  return JSON.stringify({
    type: `${portalUrl}/problems/${error.code}`,
    title,
    status,
    detail: error.message === title ? errorCatalogue[error.code].advice : error.message,
    instance,
    code: error.code,
    request_id: requestId,
    ...(error.retryAfterSeconds !== undefined && { retry_after_seconds: error.retryAfterSeconds }),
  });
}

/**
 * The problem for a request that never reached the framework, or never can: unreadable bytes, an unreadable target, a time-out, a transfer
 * coding.
 */
export function bareProblem(error: DomainError, { portalUrl, logger }: { portalUrl: string; logger: Logger }): BareAnswer {
  const { status } = errorCatalogue[error.code];
  const requestId = newId('req');
  httpRequests.inc({ server: 'portal', route: 'broken', status, code: error.code });
  logger.info({ requestId, route: 'broken', status, errorCode: error.code }, 'portal.request');
  return {
    status,
    headers: { ...commonHeaders, 'X-Request-Id': requestId, 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
    body: problemBody(error, { portalUrl, instance: '/', requestId }),
  };
}

const httpCodes: Readonly<Record<number, LastingCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  413: 'content_too_large',
  415: 'unsupported_media_type',
};

/** The refusal that a thrown value stands for, which is `internal_error` for anything unforeseen. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  // The errors of Koa and of the body parser say by their status what was wrong with the request.
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
  const code = httpCodes[status] ?? (status >= 400 && status < 500 ? 'not_found' : undefined);
  return code
    ? new DomainError(code, { detail: errorCatalogue[code].advice })
    : new DomainError('internal_error', { detail: errorCatalogue.internal_error.advice });
}

import type { Context } from 'koa';
import { causeOf } from '../../database/unavailable.ts';
import type { DomainError } from '../../domain/shared/DomainError.ts';
import { errorCatalogue } from '../../domain/shared/errorCatalogue.ts';
import { formatRefusal } from '../../portal-api/formatError.ts';

/** Answers a refusal that precedes the document in GraphQL's own form, which is the form that its sender reads. */
export function answerAsGraphql(ctx: Context, error: DomainError): void {
  ctx.status = errorCatalogue[error.code].status;
  ctx.set('Cache-Control', 'no-store');
  if (ctx.status === 401) ctx.set('WWW-Authenticate', 'Bearer realm="svc"');
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
  ctx.body = { errors: [formatRefusal(error)] };
  ctx.state['errorCode'] = error.code;
  ctx.state['cause'] = causeOf(error);
}

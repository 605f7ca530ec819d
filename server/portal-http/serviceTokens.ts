import type { Context, Middleware } from 'koa';
import { unavailable } from '../database/unavailable.ts';
import {
  authenticateServiceToken,
  noteServiceTokenUse,
  type AuthenticatedServiceToken,
} from '../domain/access/authenticateServiceToken.ts';
import { tokenHash } from '../domain/access/ServiceToken.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { errorCatalogue } from '../domain/shared/errorCatalogue.ts';
import { limits } from '../domain/shared/limits.ts';
import { FailureLimit } from '../platform/FailureLimit.ts';
import { formatRefusal } from '../portal-api/formatError.ts';
import type { PortalDependencies } from './portalDependencies.ts';
import { asDomainError } from './problems.ts';
import type { PortalState } from './requestContext.ts';
import type { Sessions } from './sessions.ts';

/**
 * Authenticates `Authorization: Bearer svct_…` on POST /graphql before the body is read and before the session's rules. Whatever is
 * wrong with such a request is answered as GraphQL does, because that is what its sender reads. Elsewhere the header means nothing.
 */
export function serviceTokens({ orm, clock, logger }: PortalDependencies, sessions: Sessions): Middleware<PortalState> {
  const failures = new FailureLimit(limits.failedServiceTokensPerMinute);
  // Behind a proxy all callers have one address: strangers' failures must not shut out a token that has been good here.
  const goodBefore = new Set<string>();

  async function authenticate(ctx: Context): Promise<AuthenticatedServiceToken> {
    const text = bearerToken(ctx);
    const hash = tokenHash(text)?.toString('hex') ?? '';
    if (sessions.claimed(ctx)) throw new DomainError('forbidden', { detail: 'Send a service token or a session cookie, not both.' });
    const source = ctx.req.socket.remoteAddress;
    const retryAfterSeconds = goodBefore.has(hash) ? null : await failures.waitingTime(source);
    if (retryAfterSeconds !== null) throw tooManyFailures(retryAfterSeconds);
    const now = clock.now();
    const token = await authenticateServiceToken(orm.em.fork(), text, now);
    if (!token) {
      goodBefore.delete(hash);
      await failures.count(source);
      throw unauthenticated('The service token is not good. It may be mistyped, expired or revoked.');
    }
    goodBefore.add(hash);
    if (token.useToBeNoted)
      void noteServiceTokenUse(orm.em.fork(), token.id, now).catch((err) => logger.warn({ err }, 'serviceToken.useNotNoted'));
    return token;
  }

  return async (ctx, next) => {
    if (ctx.method !== 'POST' || ctx.path !== '/graphql' || ctx.get('authorization') === '') return next();
    ctx.state.route = 'graphql';
    try {
      ctx.state.serviceToken = await authenticate(ctx);
      await next();
    } catch (thrown) {
      const error = asDomainError(unavailable(thrown));
      if (error.code === 'internal_error') throw thrown;
      answerAsGraphql(ctx, error);
      ctx.state.errorCode = error.code;
    }
  };
}

function bearerToken(ctx: Context): string {
  const [, token] = /^Bearer +([^ ]+) *$/i.exec(ctx.get('authorization')) ?? [];
  if (token === undefined) throw unauthenticated('The Authorization header takes a service token: Bearer svct_…');
  return token;
}

function unauthenticated(detail: string): DomainError {
  return new DomainError('unauthenticated', { detail });
}

function tooManyFailures(retryAfterSeconds: number): DomainError {
  return new DomainError('rate_limit_exceeded', {
    detail: 'Too many requests with a token that is not good from this address.',
    retryAfterSeconds,
  });
}

function answerAsGraphql(ctx: Context, error: DomainError): void {
  ctx.status = errorCatalogue[error.code].status;
  ctx.set('Cache-Control', 'no-store');
  if (ctx.status === 401) ctx.set('WWW-Authenticate', 'Bearer realm="svc"');
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
  ctx.body = { errors: [formatRefusal(error)] };
}

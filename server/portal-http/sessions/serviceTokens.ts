import type { Context, Middleware } from 'koa';
import { unavailable } from '../../database/unavailable.ts';
import {
  authenticateServiceToken,
  noteServiceTokenUse,
  type AuthenticatedServiceToken,
} from '../../domain/access/authenticateServiceToken.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { limits } from '../../domain/shared/limits.ts';
import { FailureLimit } from '../../platform/FailureLimit.ts';
import { answerAsGraphql } from '../graphql/answerAsGraphql.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import { asDomainError } from '../problems.ts';
import type { PortalState } from '../requestContext.ts';
import type { Sessions } from './sessions.ts';

/**
 * Authenticates `Authorization: Bearer svct_…` on POST /graphql, before the body is read and before the rules for sessions. Whatever is
 * wrong with such a request is answered in GraphQL's form, which its sender reads. Elsewhere the header has no meaning.
 */
export function serviceTokens({ orm, clock, logger }: PortalDependencies, sessions: Sessions): Middleware<PortalState> {
  const failures = new FailureLimit(limits.failedServiceTokensPerMinute);

  async function authenticate(ctx: Context): Promise<AuthenticatedServiceToken> {
    const text = bearerToken(ctx);
    if (sessions.claimed(ctx)) throw new DomainError('forbidden', { detail: 'Send a service token or a session cookie, not both.' });
    const now = clock.now();
    const token = await authenticateServiceToken(orm.em.fork(), text, now);
    if (!token) throw await refusal(ctx);
    if (token.useToBeNoted)
      void noteServiceTokenUse(orm.em.fork(), token.id, now).catch((err) => logger.warn({ err }, 'serviceToken.useNotNoted'));
    return token;
  }

  /** Behind a proxy, all callers have one address. Failures by strangers therefore limit only further failures, never a good token. */
  async function refusal(ctx: Context): Promise<DomainError> {
    const retryAfterSeconds = await failures.count((ctx.state as PortalState).visitor.ip);
    if (retryAfterSeconds !== null) return tooManyFailures(retryAfterSeconds);
    return unauthenticated('The service token is not valid. It may be mistyped, expired or revoked.');
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
    detail: 'Too many requests with an invalid token from this address.',
    retryAfterSeconds,
  });
}

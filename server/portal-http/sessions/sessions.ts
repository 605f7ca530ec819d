import type { Context, Middleware } from 'koa';
import type { MikroORM } from '@mikro-orm/postgresql';
import { authenticateSession, awaitsCookie, type AuthenticatedSession } from '../../domain/account/session/authenticateSession.ts';
import { parseSessionCookie, sessionCookie } from '../../domain/account/session/sessionCookie.ts';
import type { Clock } from '../../domain/shared/clock.ts';
import type { KeySet } from '../../domain/shared/keySet.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { unavailable } from '../../database/unavailable.ts';
import type { Logger } from '../../platform/logger.ts';
import { answerAsGraphql } from '../graphql/answerAsGraphql.ts';
import { asDomainError } from '../problems.ts';
import type { PortalState } from '../requestContext.ts';
import { hostCookieName, readCookie, setCookie } from './cookies.ts';

/** Reads, writes and removes the session cookie of one portal. */
export type Sessions = {
  /** The session of the request, or null. `sendNext` sends the browser its next cookie while nobody has used that yet. */
  authenticate(ctx: Context): Promise<AuthenticatedSession | null>;
  /** Must go around everything that authenticates, because what to send is decided when the answer is complete. */
  readonly sendNext: Middleware<PortalState>;
  /** Whether the request carries a cookie, good or bad. */
  claimed(ctx: Context): boolean;
  give(ctx: Context, session: { id: string; generation: number }): void;
  take(ctx: Context): void;
};

/** Requests that poll in the background say so with this header. They do not count as use. */
const backgroundHeader = 'x-svc-background';

/** The name of the cookie with a session. */
const cookieName = (portalUrl: string): string => hostCookieName('session', portalUrl);

/** The session cookie: HttpOnly, Secure, SameSite=Strict, for this host only, removed when the browser closes. */
export function createSessions({
  orm,
  sessionKeys,
  portalUrl,
  clock,
}: {
  orm: MikroORM;
  sessionKeys: KeySet;
  portalUrl: string;
  clock: Clock;
}): Sessions {
  const name = cookieName(portalUrl);
  const due = new WeakMap<object, AuthenticatedSession>();
  const give: Sessions['give'] = (ctx, { id, generation }) => {
    due.delete(ctx.req);
    setCookie(ctx, name, sessionCookie(sessionKeys, { sessionId: id, generation }));
  };
  return {
    async authenticate(ctx) {
      const claim = parseSessionCookie(sessionKeys, readCookie(ctx, name) ?? '');
      if (!claim) return null;
      const session = await authenticateSession(orm.em.fork(), claim, { background: ctx.get(backgroundHeader) !== '', now: clock.now() });
      if (session && session.generation !== claim.generation) due.set(ctx.req, session);
      return session;
    },
    async sendNext(ctx, next) {
      try {
        await next();
      } finally {
        const session = due.get(ctx.req);
        // Without the database, the browser's present cookie stays good and is exchanged later.
        if (session && (await awaitsCookie(orm.em.fork(), session).catch(() => false))) give(ctx, session);
      }
    },
    claimed: (ctx) => readCookie(ctx, name) !== undefined,
    give,
    take(ctx) {
      due.delete(ctx.req);
      setCookie(ctx, name, '', '; Max-Age=0');
    },
  };
}

/**
 * Unsafe requests must come from the portal's own pages; a page on another port of localhost is another origin. A browser never sends a
 * service token on its own, so a request with one needs no Origin.
 */
export function requireSameOrigin(portalUrl: string): Middleware<PortalState> {
  return async (ctx, next) => {
    const safe = ctx.method === 'GET' || ctx.method === 'HEAD' || ctx.method === 'OPTIONS' || ctx.state.serviceToken !== undefined;
    if (!safe && ctx.get('origin') !== portalUrl) {
      throw new DomainError('forbidden', { detail: `Requests that change something need the header Origin: ${portalUrl}.` });
    }
    await next();
  };
}

/**
 * Finds the session of a GraphQL request before its body is read, so that a stranger's body is kept small. Comes after `serviceTokens`.
 * Failures are answered in GraphQL's form.
 */
export function identifySession(sessions: Sessions, logger: Logger): Middleware<PortalState> {
  return async (ctx, next) => {
    try {
      ctx.state.session = ctx.state.serviceToken ? null : await sessions.authenticate(ctx);
    } catch (thrown) {
      const error = asDomainError(unavailable(thrown));
      if (error.code === 'internal_error') logger.error({ err: thrown, requestId: ctx.state.requestId }, 'portal.internalError');
      return answerAsGraphql(ctx, error);
    }
    return next();
  };
}

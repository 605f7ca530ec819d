import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import Koa from 'koa';
import { DomainError } from '../domain/shared/DomainError.ts';
import { listen } from '../platform/listen.ts';
import { acceptTarget } from '../platform/requestTarget.ts';
import { auditExport } from './auditExport.ts';
import { developmentMailboxPages } from './developmentMailboxPages.ts';
import { documents } from './documents.ts';
import { downloads } from './downloads.ts';
import { graphql } from './graphql.ts';
import { health } from './health.ts';
import { kit } from './kit.ts';
import { logos } from './logos.ts';
import { pages } from './pages.ts';
import type { PortalDependencies } from './portalDependencies.ts';
import { answerBare, problems } from './problems.ts';
import { readDocument } from './readDocument.ts';
import { requestContext, type PortalState } from './requestContext.ts';
import { commonHeaders, securityHeaders } from './securityHeaders.ts';
import { serviceTokens } from './serviceTokens.ts';
import { createSessions, identifySession, requireSameOrigin } from './sessions.ts';

/** Where `vite build` puts the app, seen from the sources (in tests) and from the compiled program. */
const appRoot = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/portal-web/' : '../../portal-web/', import.meta.url));

export type Portal = { readonly url: string; readonly port: number; close(): Promise<void> };

/** Starts the portal's HTTP server. `portalUrl` is derived from the bound port when the configuration names none. */
export async function startPortal(dependencies: PortalDependencies): Promise<Portal> {
  const { config, logger, orm, keyRing, clock } = dependencies;
  const httpServer = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 30_000, headersTimeout: 15_000 });
  const port = await listen(httpServer, { host: config.host, port: config.portalPort, variable: 'PORTAL_PORT' });
  const portalUrl = config.portalUrl ?? `http://localhost:${port}`;
  httpServer.on('request', notYet);

  const sessions = createSessions({ orm, sessionKey: keyRing.session, portalUrl, clock });
  const api = await graphql(dependencies, { sessions, httpServer, portalUrl });
  const app = new Koa<PortalState>();
  app.silent = true;
  app.use(requestContext(logger, config.trustedProxies)).use(securityHeaders).use(problems(portalUrl, logger));
  app.use(serviceTokens(dependencies, sessions)).use(requireSameOrigin(portalUrl));

  const router = new Router();
  router.post('/graphql', named('graphql'), noStore, identifySession(sessions, logger), readDocument, api.middleware);
  router.all('/graphql', (ctx) => {
    // Apollo's middleware hands on after it has answered.
    if (ctx.method === 'POST') return;
    ctx.set('Allow', 'POST');
    throw new DomainError('method_not_allowed', { detail: 'GraphQL takes POST only.' });
  });
  app.use(router.routes());
  for (const routes of [
    health(dependencies),
    documents(dependencies),
    downloads(dependencies, sessions),
    kit(dependencies),
    logos(dependencies, sessions),
    auditExport(dependencies, sessions),
  ])
    app.use(routes.routes());
  if (dependencies.mailbox) app.use(developmentMailboxPages(dependencies.mailbox).routes());
  app.use(pages(appRoot));
  const handle = app.callback();
  httpServer.off('request', notYet);
  httpServer.on('request', (request, response) => {
    if (acceptTarget(request)) void handle(request, response);
    else answerBare(response, portalUrl, 'invalid_request', 'The request target is not a path in visible ASCII characters.');
  });

  return {
    url: portalUrl,
    port,
    async close() {
      httpServer.closeIdleConnections();
      await api.stop();
      await new Promise<void>((resolve) => httpServer.close(() => resolve()));
    },
  };
}

/** Requests that arrive while the schema is still being built. */
function notYet(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { ...commonHeaders, 'Retry-After': '1' }).end();
}

function named(route: string): Koa.Middleware {
  return (ctx, next) => {
    ctx.state['route'] = route;
    return next();
  };
}

const noStore: Koa.Middleware = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  return next();
};

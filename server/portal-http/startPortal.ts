import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import Koa from 'koa';
import { termsExist } from '../domain/integration/terms/listTerms.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { serverLimits } from '../platform/http/serverLimits.ts';
import { answerBare } from '../platform/http/bareAnswer.ts';
import { boundHeads } from '../platform/http/boundHeads.ts';
import { headRefusal } from '../platform/http/headRefusal.ts';
import { connectionShare } from '../platform/http/openFiles.ts';
import { boundUnreadBody } from '../platform/http/receiveBody.ts';
import { superviseConnections } from '../platform/http/superviseConnections.ts';
import { takeRequestsInTurn } from '../platform/http/takeRequestsInTurn.ts';
import type { KeptPair } from '../platform/tls/keepServerPair.ts';
import { listen } from '../platform/listen.ts';
import { acceptTarget, unreadableTarget } from '../platform/requestTarget.ts';
import { serverContext } from '../platform/tls/serverContext.ts';
import { auditExport } from './files/auditExport.ts';
import { developmentMailboxPages } from './pages/developmentMailboxPages.ts';
import { documentation } from './pages/documentation.ts';
import { documentParts } from './pages/documentParts.ts';
import { documents as publicDocuments } from './pages/documents.ts';
import { downloads } from './files/downloads.ts';
import { graphql } from './graphql/graphql.ts';
import { health } from './health.ts';
import { kit } from './files/kit.ts';
import { logos } from './files/logos.ts';
import { operatorKit } from './files/operatorKit.ts';
import { receivers } from './files/receivers.ts';
import { revocationLists } from './files/revocationLists.ts';
import { signingKeys } from './files/signingKeys.ts';
import { pages } from './pages/pages.ts';
import { documentsReader } from './pages/readDocuments.ts';
import type { PortalDependencies } from './portalDependencies.ts';
import { bareProblem, problems } from './problems.ts';
import { readDocument } from './graphql/readDocument.ts';
import { requestContext, type PortalState } from './requestContext.ts';
import { commonHeaders, securityHeaders } from './securityHeaders.ts';
import { serviceTokens } from './sessions/serviceTokens.ts';
import { createSessions, identifySession, requireSameOrigin } from './sessions/sessions.ts';

/** Where `vite build` puts the app, as seen from the sources (in tests) and from the compiled program. */
const appRoot = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/portal-web/' : '../../portal-web/', import.meta.url));

export type Portal = {
  readonly url: string;
  readonly port: number;
  /** Stops listening and answers the requests that have arrived (within 10 s). */
  close(): Promise<void>;
  /** Ends what answers needed. Anyone who calls it earlier gets errors instead of answers. */
  end(): Promise<void>;
};

/** Starts the portal's HTTP server. If the configuration names no `portalUrl`, it is derived from the bound port. */
export async function startPortal(dependencies: PortalDependencies): Promise<Portal> {
  const { config, logger, orm, keyRing, clock } = dependencies;
  let portalUrl = config.portalUrl ?? '';
  let answer: (request: IncomingMessage, response: ServerResponse) => void = notYet;
  const { requestTimeoutMs = serverLimits.requestTimeout } = dependencies;
  const options = {
    maxHeaderSize: serverLimits.requestHeadBytes,
    requireHostHeader: false,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(serverLimits.portalHeadersTimeout, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    keepAliveTimeout: serverLimits.keepAlive,
  };
  const { tls } = dependencies;
  const httpServer = tls ? tlsServer(tls, options) : createServer(options);
  boundHeads(httpServer);
  const { connections = connectionShare(1) } = dependencies;
  const supervision = superviseConnections(httpServer, {
    name: 'portal',
    connections,
    trustedProxies: config.trustedProxies,
    stopping: dependencies.stopping,
  });
  const refuse = (refusal: DomainError) => bareProblem(refusal, { portalUrl, logger });
  takeRequestsInTurn(httpServer, {
    refuse,
    handle(request, response) {
      boundUnreadBody(request, response);
      const refusal = headRefusal(request)?.refusal ?? (acceptTarget(request) ? null : unreadableTarget());
      if (refusal) answerBare(response, refuse(refusal));
      else answer(request, response);
    },
  });
  const port = await listen(httpServer, {
    host: config.host,
    port: config.portalPort,
    held: config.portalSocket,
    variables: { host: 'HOST', port: 'PORTAL_PORT' },
  });
  portalUrl ||= `${tls ? 'https' : 'http'}://localhost:${port}`;

  const sessions = createSessions({ orm, sessionKeys: keyRing.session, portalUrl, clock });
  const api = await graphql(dependencies, { sessions, portalUrl });
  const app = new Koa<PortalState>();
  app.silent = true;
  app.use(requestContext(logger, config.trustedProxies)).use(securityHeaders).use(problems(portalUrl, logger)).use(sessions.sendNext);
  app.use(serviceTokens(dependencies, sessions)).use(requireSameOrigin(portalUrl));

  const documents = documentsReader(appRoot);
  const documentAt = async (path: string) => documentParts(await documents(), path, dependencies.facts());
  const router = new Router();
  router.post('/graphql', named('graphql'), noStore, identifySession(sessions, logger), readDocument, api.middleware);
  router.all('/graphql', (ctx) => {
    // Apollo's middleware calls the next one even after it has answered.
    if (ctx.method === 'POST') return;
    ctx.set('Allow', 'POST');
    throw new DomainError('method_not_allowed', { detail: 'GraphQL takes POST only.' });
  });
  app.use(router.routes());
  for (const routes of [
    health(dependencies),
    publicDocuments(dependencies),
    downloads(dependencies, sessions),
    kit(dependencies),
    operatorKit(),
    logos(dependencies, sessions),
    revocationLists(dependencies),
    signingKeys(dependencies),
    receivers(),
    auditExport(dependencies, sessions),
  ])
    app.use(routes.routes());
  if (dependencies.mailbox) app.use(developmentMailboxPages(dependencies.mailbox).routes());
  app.use(documentation(documents, dependencies).routes());
  app.use(pages(appRoot, { termsExist: (version) => termsExist(orm.em.fork(), version), documentAt }));
  const handle = app.callback();
  answer = (request, response) => void handle(request, response);

  return {
    url: portalUrl,
    port,
    close: () => supervision.stop(),
    end: () => api.stop(),
  };
}

/** New connections get a new certificate as soon as there is one. */
function tlsServer(tls: KeptPair, options: ServerOptions): Server {
  const server = createTlsServer({ ...options, ...serverContext(tls) });
  tls.onChange(() => server.setSecureContext(serverContext(tls)));
  return server;
}

/** Answers requests that arrive while the schema is still being built. */
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

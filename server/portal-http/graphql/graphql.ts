import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { koaMiddleware } from '@as-integrations/koa';
import type { Middleware } from 'koa';
import { withKeptConnection } from '../../database/connection/keptConnection.ts';
import { graphqlLimits } from '../../portal-api/graphqlLimits.ts';
import { portalSchema } from '../../portal-api/portalSchema.ts';
import type { PortalContext } from '../../portal-api/context.ts';
import { createFormatError } from '../../portal-api/formatError.ts';
import { createLoaders } from '../../portal-api/loaders.ts';
import { depthLimitRule, operationLimitsPlugin } from '../../portal-api/queryLimits.ts';
import { rootTypeRule } from '../../portal-api/rootTypeRule.ts';
import { noteOutcome } from './noteOutcome.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import { createBrowsers } from '../sessions/browsers.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** Apollo Server as Koa middleware: POST only, CSRF prevention on, documents bounded in size, depth and cost. */
export async function graphql(
  dependencies: PortalDependencies,
  { sessions, portalUrl }: { sessions: Sessions; portalUrl: string },
): Promise<{ middleware: Middleware; stop(): Promise<void> }> {
  const { orm, standby, clock, keyRing, logger, config } = dependencies;
  const server = new ApolloServer<PortalContext>({
    schema: await portalSchema(),
    csrfPrevention: true,
    introspection: !config.production,
    hideSchemaDetailsFromClientErrors: config.production,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: createFormatError(logger),
    validationRules: [depthLimitRule, rootTypeRule],
    // Nobody refers to documents by their hash, and there is no cache to fill.
    persistedQueries: false,
    parseOptions: { maxTokens: graphqlLimits.graphqlTokens },
    validationOptions: { maxErrors: graphqlLimits.graphqlErrors },
    executionOptions: { maxCoercionErrors: 1 },
    plugins: [noteOutcome, operationLimitsPlugin, ApolloServerPluginLandingPageDisabled()],
    logger: {
      debug: () => {},
      info: () => {},
      warn: (message) => logger.warn({ detail: String(message).slice(0, 200) }, 'graphql'),
      error: (message) => logger.error({ detail: String(message).slice(0, 200) }, 'graphql'),
    },
  });
  await server.start();
  const rp = { id: new URL(portalUrl).hostname, origin: portalUrl, name: 'Operator Integration Service' };
  const browserOf = createBrowsers(portalUrl);
  const middleware = koaMiddleware(server, {
    async context({ ctx }): Promise<PortalContext> {
      const em = orm.em.fork();
      return {
        em,
        readBehind: (read) => (standby ? standby.read(em, read) : read(em)),
        clock,
        keyRing,
        rp,
        facts: dependencies.facts(),
        catalogue: config.catalogue,
        visitor: ctx.state['visitor'],
        browser: browserOf(ctx),
        loaders: createLoaders(em),
        session: ctx.state['session'] ?? null,
        serviceToken: ctx.state['serviceToken'] ?? null,
        asOwner: asOwnerIn(ctx.request),
        setSession: (session) => (session ? sessions.give(ctx, session) : sessions.take(ctx)),
        note: (outcome) => void Object.assign(ctx.state, outcome),
      };
    },
  });
  return {
    middleware: (ctx, next) => {
      // From this time the pages count, whatever their readers' clocks say.
      ctx.set('Date', clock.now().toUTCString());
      return withKeptConnection(() => middleware(ctx, next));
    },
    stop: () => server.stop(),
  };
}

/** The extension `asOwner` of a GraphQL request. Whatever is no text is an empty slug, which no integration has. */
function asOwnerIn(request: object): string | null {
  const { body } = request as { body?: { extensions?: { asOwner?: unknown } | null } };
  const asOwner = body?.extensions?.asOwner;
  return asOwner === undefined ? null : typeof asOwner === 'string' ? asOwner : '';
}

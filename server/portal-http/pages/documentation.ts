import Router from '@koa/router';
import type { Context } from 'koa';
import type { PortalDependencies } from '../portalDependencies.ts';
import { sendDocument } from '../sendDocument.ts';
import { apiCatalog, changelogFeed, llmsText } from './documentLists.ts';
import { type Documents, withAddresses } from './readDocuments.ts';

/** The documentation for programs: each page as Markdown, the lists of what there is, and the feed of changes. */
export function documentation(documents: () => Promise<Documents>, { facts }: Pick<PortalDependencies, 'facts'>): Router {
  const router = new Router();
  router.get(['/docs.md', '/docs/*page', '/problems.md', '/problems/*page'], async (ctx, next) => {
    const [, path] = /^(.*)\.md$/.exec(ctx.path) ?? [];
    const found = (await documents()).pages.find((page) => page.path === path);
    if (!found) return next();
    return sendText(ctx, 'text/markdown; charset=utf-8', withAddresses(found.markdown, facts()));
  });
  router.get('/llms.txt', async (ctx) => sendText(ctx, 'text/plain; charset=utf-8', llmsText(await documents(), facts())));
  router.get('/changelog.atom', async (ctx) =>
    sendText(ctx, 'application/atom+xml; charset=utf-8', changelogFeed(await documents(), facts())),
  );
  router.get('/.well-known/api-catalog', (ctx) => {
    ctx.set('Link', '</.well-known/api-catalog>; rel="api-catalog"');
    return sendText(
      ctx,
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      JSON.stringify(apiCatalog(facts()), null, 2),
    );
  });
  return router;
}

/** Sends what anybody may read, revalidate and keep for a few minutes. */
function sendText(ctx: Context, type: string, body: string): Promise<void> {
  ctx.state['route'] = 'documentation';
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=300',
  });
  return sendDocument(ctx, { type, body });
}

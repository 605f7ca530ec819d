import Router from '@koa/router';
import type { PortalDependencies } from '../portalDependencies.ts';
import type { PortalState } from '../requestContext.ts';
import { sendDocument } from '../sendDocument.ts';

/** What operators' pages load and link to: the badge, and the app that the credit leads to. */
export function kit(dependencies: PortalDependencies): Router<PortalState> {
  const { config, creditBadge } = dependencies;
  const router = new Router<PortalState>();
  router.get('/assets/svc-data-credit-v1.js', (ctx) => {
    ctx.state.route = 'credit-badge';
    ctx.set({
      // A page that checks the script's integrity must be allowed to read it.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    return sendDocument(ctx, { type: 'text/javascript; charset=utf-8', body: creditBadge.script });
  });
  // The badge never changes, so the address that its link leads to must be able to.
  router.get('/app', (ctx) => {
    ctx.state.route = 'app-link';
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.redirect(config.appUrl ?? `${dependencies.facts().portalUrl}/`);
  });
  return router;
}

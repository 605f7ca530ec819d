import Router from '@koa/router';
import type { PortalDependencies } from './portalDependencies.ts';

/** `/healthz`: the process is running. `/readyz`: it can do its work; load balancers send requests only then. */
export function health({ ready }: PortalDependencies): Router {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.state['route'] = 'healthz';
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    ctx.state['route'] = 'readyz';
    ctx.set('Cache-Control', 'no-store');
    const isReady = await ready();
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? 'ready' : 'not ready' };
  });
  return router;
}

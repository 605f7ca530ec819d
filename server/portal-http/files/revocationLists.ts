import Router from '@koa/router';
import { currentCrl, currentCrlBytes } from '../../domain/certificate/crl/publication/currentCrl.ts';
import { certificateLimits } from '../../domain/certificate/certificateLimits.ts';
import { limits } from '../../domain/shared/limits.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import type { PortalState } from '../requestContext.ts';
import { sendDocument } from '../sendDocument.ts';

/**
 * The authorities’ revocation lists, at the addresses that certificates name (docs/specification.md, “Revocation lists”). Each request asks
 * the database which list is the current one; only its bytes are kept, since a long list takes a while to read.
 */
export function revocationLists({ orm, clock }: PortalDependencies): Router<PortalState> {
  const router = new Router<PortalState>();
  const kept = new Map<string, Awaited<ReturnType<typeof currentCrlBytes>>>();
  router.get('/crl/:id.crl', async (ctx) => {
    ctx.state.route = 'crl';
    const id = ctx.params['id'] ?? '';
    const em = orm.em.fork();
    const { etag } = await currentCrl(em, id);
    const known = kept.get(id);
    const list = known?.etag === etag ? known : await currentCrlBytes(em, id);
    kept.set(id, list);
    const left = Math.max(0, Math.min(certificateLimits.crlCached, list.nextUpdate.getTime() - clock.now().getTime()));
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': `public, max-age=${Math.floor(left / 1000)}`,
    });
    // Told, but If-Modified-Since is not looked at: two lists may be of one time, and an imported one is older than its import.
    ctx.lastModified = new Date(list.thisUpdate.getTime() + limits.clockTolerance);
    await sendDocument(ctx, { type: 'application/pkix-crl', body: list.der, etag: list.etag });
  });
  return router;
}

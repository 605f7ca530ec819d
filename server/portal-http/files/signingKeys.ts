import Router from '@koa/router';
import { webhookLimits } from '../../domain/outbox/webhookLimits.ts';
import { publishedKeys } from '../../domain/webhook/signing/jwks.ts';
import { etagOf } from '../../platform/http/validators.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import type { PortalState } from '../requestContext.ts';
import { sendDocument } from '../sendDocument.ts';

type KeySet = { readonly body: string; readonly etag: string; readonly empty: boolean; readonly readAt: number };

/**
 * The public keys of signed deliveries, as a JWKS (docs/specification.md, “Signing keys”). Each request asks the database, because a revoked
 * key goes at once. While the database is away, what was read in the last hour is answered, as any cache would do; it says how long it
 * may still be kept.
 */
export function signingKeys({ orm, clock, logger }: PortalDependencies): Router<PortalState> {
  const router = new Router<PortalState>();
  let known: KeySet | undefined;
  let reading: Promise<KeySet> | undefined;
  const read = async (): Promise<KeySet> => {
    const now = clock.now();
    const keys = await publishedKeys(orm.em.fork(), { now });
    const body = JSON.stringify({ keys });
    return { body, etag: etagOf(body), empty: keys.length === 0, readAt: now.getTime() };
  };
  const current = async (): Promise<KeySet> => {
    try {
      // Requests that come meanwhile wait for the same answer.
      reading ??= read().finally(() => (reading = undefined));
      return (known = await reading);
    } catch (error) {
      if (!known || known.empty || clock.now().getTime() - known.readAt >= webhookLimits.signingKeysCached) throw error;
      logger.warn({ err: error }, 'portal.signingKeysFromMemory');
      return known;
    }
  };
  router.get('/.well-known/svc-integration-webhook-jwks.json', async (ctx) => {
    ctx.state.route = 'signing_keys';
    const { body, etag, empty, readAt } = await current();
    const left = Math.min(webhookLimits.signingKeysCached, webhookLimits.signingKeysCached - (clock.now().getTime() - readAt));
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // The first key of all signs at once, so nobody may remember that there was none.
      'Cache-Control': empty ? 'no-store' : `public, max-age=${Math.ceil(left / 1000)}`,
    });
    await sendDocument(ctx, { type: 'application/jwk-set+json', body, etag });
  });
  return router;
}

import Router from '@koa/router';
import { certificateBundle } from '../../domain/certificate/certificateBundle.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** The files that an operator downloads with the session's cookie. */
export function downloads({ orm }: PortalDependencies, sessions: Sessions): Router {
  const router = new Router();
  router.get('/certificates/:id/bundle.pem', async (ctx) => {
    const session = await sessions.authenticate(ctx);
    if (session?.kind !== 'full' || !session.operatorId)
      throw new DomainError('unauthenticated', { detail: 'Sign in with a passkey to continue.' });
    const bundle = await certificateBundle(orm.em.fork(), { operatorId: session.operatorId, certificateId: ctx.params['id'] ?? '' });
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/pem-certificate-chain';
    ctx.attachment(bundle.fileName);
    ctx.body = bundle.pem;
  });
  return router;
}

import Router from '@koa/router';
import { takeAttempt } from '../../domain/account/attempts.ts';
import { logoRendition } from '../../domain/logo/logoRendition.ts';
import { logoTarget } from '../../domain/logo/logoChange.ts';
import { Turnstile } from '../../domain/logo/Turnstile.ts';
import { uploadLogo } from '../../domain/logo/uploadLogo.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { logoLimits } from '../../domain/logo/image/logoLimits.ts';
import { receiveBody } from '../../platform/http/receiveBody.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import { refuseEncoded } from '../refuseEncoded.ts';
import type { PortalState } from '../requestContext.ts';
import { sendDocument } from '../sendDocument.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { operatorOf, requireOperator } from '../sessions/signedInOperator.ts';

const tooManyBytes = 'The file is larger than 2 MiB (2,097,152 bytes). Reduce its dimensions or compress it more.';
const onlyTheFile = 'Send the file itself as the body: no form, no Content-Encoding.';

/** Logos. The owner uploads one as a bare file; each is served at an address whose content never changes. */
export function logos({ orm, clock }: PortalDependencies, sessions: Sessions): Router {
  const router = new Router<PortalState>();
  const turnstile = new Turnstile(logoLimits.logosWaiting);

  router.post('/integrations/:slugOrId/logo', async (ctx) => {
    ctx.state.route = 'logo-upload';
    const actor = await requireOperator(ctx, sessions);
    const em = orm.em.fork();
    // Anybody who may not upload is told so before the file is read.
    const { id: integrationId } = await logoTarget(em, actor, ctx.params['slugOrId'] ?? '');
    if (ctx.is('multipart/*')) throw new DomainError('unsupported_media_type', { detail: onlyTheFile });
    refuseEncoded(ctx, onlyTheFile);
    await takeAttempt(em, { kind: 'logo_operator', source: actor.operatorId }, clock.now());
    const hungUp = new AbortController();
    ctx.res.once('close', () => hungUp.abort());
    const bytes = await receiveBody(ctx.req, logoLimits.logoBytes, tooManyBytes);
    const logo = await uploadLogo(orm.em.fork(), {
      actor,
      integrationId,
      bytes,
      turnstile,
      hungUp: hungUp.signal,
      now: () => clock.now(),
    });
    ctx.status = 201;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { id: logo.id, format: logo.sourceFormat, width: logo.width, height: logo.height };
  });

  router.get('/logos/:id/:size', async (ctx) => {
    ctx.state.route = 'logo';
    const { png, reviewed } = await logoRendition(orm.em.fork(), {
      id: ctx.params['id'] ?? '',
      size: ctx.params['size'] ?? '',
      viewer: () => operatorOf(ctx, sessions),
    });
    ctx.set('Cache-Control', `${reviewed ? 'public' : 'private'}, max-age=31536000, immutable`);
    // The pages of the order-tracking service also show reviewed logos.
    if (reviewed) ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    await sendDocument(ctx, { type: 'image/png', body: png });
  });
  return router;
}

import type { Clock } from '../../server/domain/shared/clock.ts';
import { callerAddress } from '../../server/platform/callerAddress.ts';
import { headRefusal } from '../../server/platform/http/headRefusal.ts';
import { securityTxt, securityTxtPath, type SecurityTxtFacts } from '../../server/platform/http/securityTxt.ts';
import { etagOf, isUnchanged } from '../../server/platform/http/validators.ts';
import { type MachineMiddleware, tlsSocket } from '../MachineContext.ts';
import { Problem } from '../answer/problemDetails.ts';
import type { UnauthenticatedLimit } from '../answer/UnauthenticatedLimit.ts';

type Dependencies = { facts: SecurityTxtFacts; unauthenticated: UnauthenticatedLimit; clock: Clock };

/**
 * Tells anybody, even without a certificate, whom to write to about a vulnerability (RFC 9116). Counts against the limit of the caller's
 * address.
 */
export function answerSecurityTxt({ facts, unauthenticated, clock }: Dependencies): MachineMiddleware {
  return async (context, next) => {
    if (context.path !== securityTxtPath || headRefusal(context.req)) {
      await next();
      return;
    }
    const exceeded = await unauthenticated.count(callerAddress(tlsSocket(context)));
    if (exceeded) throw exceeded;
    if (context.method !== 'GET' && context.method !== 'HEAD') throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
    const text = securityTxt(facts, clock.now());
    const etag = etagOf(text);
    context.set({ 'Cache-Control': 'public, max-age=300', 'Content-Type': 'text/plain; charset=utf-8', ETag: etag });
    if (isUnchanged(context.req.headers, { etag })) context.status = 304;
    else context.body = Buffer.from(text);
  };
}

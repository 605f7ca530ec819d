import { callerAddress } from '../../server/platform/callerAddress.ts';
import { headRefusal } from '../../server/platform/http/headRefusal.ts';
import type { UnauthenticatedLimit } from '../answer/UnauthenticatedLimit.ts';
import { Problem } from '../answer/problemDetails.ts';
import { sendDocument } from '../answer/sendDocument.ts';
import { getCaCertificates } from '../est/getCaCertificates.ts';
import { type MachineMiddleware, tlsSocket } from '../MachineContext.ts';
import { readQuery } from '../request/queryParameters.ts';
import { refuseBody } from '../request/requestBody.ts';
import type { ClientAuthorities } from '../tls/clientAuthorities.ts';

type Dependencies = { authorities: ClientAuthorities; unauthenticated: UnauthenticatedLimit };

/**
 * Tells the authorities to callers who present no certificate, because they are public (RFC 7030, 4.1.1). Counts against the limit of the
 * caller’s address. Anyone who presents a certificate gets them like every other operation.
 */
export function answerCaCertificates({ authorities, unauthenticated }: Dependencies): MachineMiddleware {
  return async (context, next) => {
    const { match } = context.state;
    const socket = tlsSocket(context);
    const asked = match.found === 'operation' && match.operation.name === 'getCaCertificates';
    if (!asked || socket.getPeerX509Certificate() || headRefusal(context.req)) {
      await next();
      return;
    }
    const exceeded = await unauthenticated.count(callerAddress(socket));
    if (exceeded) throw exceeded;
    if (!authorities.loaded) throw new Problem('temporarily_unavailable', { retryAfterSeconds: 5 });
    readQuery(context.querystring, match.operation.query);
    refuseBody(context.req);
    sendDocument(context, getCaCertificates(null, { authorities }));
  };
}

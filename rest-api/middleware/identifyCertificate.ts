import type { Clock } from '../../server/domain/shared/clock.ts';
import { callerAddress } from '../../server/platform/callerAddress.ts';
import type { HeadRefusal } from '../../server/platform/http/boundHeads.ts';
import { headRefusal } from '../../server/platform/http/headRefusal.ts';
import { untrustedCertificates } from '../../server/platform/metrics.ts';
import { certificateOf } from '../tls/certificateFacts.ts';
import type { ClientAuthorities } from '../tls/clientAuthorities.ts';
import { type MachineMiddleware, tlsSocket } from '../MachineContext.ts';
import { Problem, problemOf } from '../answer/problemDetails.ts';
import type { UnauthenticatedLimit } from '../answer/UnauthenticatedLimit.ts';

type Dependencies = { authorities: ClientAuthorities; unauthenticated: UnauthenticatedLimit; clock: Clock };

/**
 * Checks whether the head can be used at all, then the chain and purpose of the client certificate (once per socket), then its validity
 * (for each request). Throws the 401 problems.
 */
export function identifyCertificate({ authorities, unauthenticated, clock }: Dependencies): MachineMiddleware {
  return async (context, next) => {
    const socket = tlsSocket(context);
    const malformed = headRefusal(context.req);
    if (malformed) {
      // The sender may look for this request in the request log.
      const verdict = authorities.loaded ? certificateOf(socket, authorities) : undefined;
      if (verdict && 'facts' in verdict) context.state.certificate = verdict.facts;
      // It counts against no client's quota, so it counts against its address.
      throw await unauthenticated.refuse(callerAddress(socket), problemOfHead(malformed));
    }
    if (!authorities.loaded) throw unjudged();
    const verdict = certificateOf(socket, authorities);
    if ('refusal' in verdict) {
      if (verdict.refusal === 'client_certificate_invalid') {
        if (!authorities.judged(socket)) throw unjudged();
        untrustedCertificates.inc();
        // The verdict belongs to the handshake: an authority that was loaded later needs a new one.
        context.set('Connection', 'close');
      }
      throw await unauthenticated.refuse(callerAddress(socket), new Problem(verdict.refusal, verdict));
    }
    // Usage is also recorded for an expired certificate, because its chain is ours.
    context.state.certificate = verdict.facts;
    const { notBefore, notAfter } = verdict.facts;
    const now = clock.now().getTime();
    if (now < notBefore || now > notAfter) {
      const refusal = new Problem('client_certificate_expired', now < notBefore ? { detail: tooEarly(notBefore, now) } : {});
      throw await unauthenticated.refuse(callerAddress(socket), refusal);
    }
    await next();
  };
}

function tooEarly(notBefore: number, now: number): string {
  const [from, present] = [notBefore, now].map((time) => new Date(time).toISOString());
  return `This certificate is not valid before ${from}, and our clock says ${present}. Wait until then.`;
}

function problemOfHead({ refusal, header }: HeadRefusal): Problem {
  if (header === undefined) return problemOf(refusal);
  const detail = refusal.message;
  return new Problem(refusal.code, { detail, extensions: { errors: [{ header, detail }] } });
}

/** Nobody's certificate can be judged without authorities. The connection ends, because its handshake took place without them. */
function unjudged(): Problem {
  return new Problem('temporarily_unavailable', { retryAfterSeconds: 5, headers: { Connection: 'close' } });
}

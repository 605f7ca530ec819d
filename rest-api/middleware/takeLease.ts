import { setTimeout as delay } from 'node:timers/promises';
import {
  admit,
  type Admission,
  type AdmissionRequest,
  giveBackRedemption,
  type QuotaState,
} from '../../server/domain/client/admission/admit.ts';
import type { FinishedLeases } from '../../server/domain/client/admission/FinishedLeases.ts';
import { type Refusal, refusesCertificate } from '../../server/domain/client/admission/verdicts.ts';
import type { CostClass } from '../../server/domain/client/quotas.ts';
import type { Clock } from '../../server/domain/shared/clock.ts';
import { DomainError } from '../../server/domain/shared/DomainError.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { callerAddress } from '../../server/platform/callerAddress.ts';
import { heldLeases } from '../../server/platform/metrics.ts';
import { sourceAddress } from '../../server/platform/sourceAddress.ts';
import { type MachineMiddleware, tlsSocket } from '../MachineContext.ts';
import { Problem } from '../answer/problemDetails.ts';
import { rateLimitHeaders, rateLimitHeadersWithConcurrency } from '../answer/rateLimitHeaders.ts';
import type { UnauthenticatedLimit } from '../answer/UnauthenticatedLimit.ts';

type Dependencies = { query: Query; leases: FinishedLeases; unauthenticated: UnauthenticatedLimit; clock: Clock };

/**
 * Admission: the certificate on record, the integration's status, all quotas and a lease, in one statement. Nothing in this
 * process's memory takes part in the decision. The lease is released when the answer is finished or aborted. Throws 401, 403 and 429
 * problems.
 */
export function takeLease({ query, leases, unauthenticated, clock }: Dependencies): MachineMiddleware {
  return async (context, next) => {
    const { certificate, costClass } = context.state;
    if (!certificate) throw new Error('Admission comes after the certificate.');
    const socket = tlsSocket(context);
    const source = sourceAddress(callerAddress(socket));
    let now = clock.now();
    const ask = () =>
      admitCarrying(query, leases, {
        fingerprintSha256: certificate.fingerprintSha256,
        serial: certificate.serial,
        commonName: certificate.commonName,
        costClass,
        source,
        now,
      });
    let admission = await ask();
    if (admission.verdict === 'concurrency_limit_exceeded') {
      // A lease that has ended in another process may be about to be released.
      await delay(50);
      now = clock.now();
      admission = await ask();
    }
    context.state.admission = admission;
    const { verdict, client, quota, lease } = admission;
    if (verdict !== 'admitted') {
      if (refusesCertificate(verdict))
        throw await unauthenticated.refuse(callerAddress(socket), new Problem(verdict, particularsOf(admission)));
      if (quota) context.set(headersOf(costClass, quota, admission));
      throw refusal(verdict, admission);
    }
    if (!client || !quota || lease === undefined) throw new DomainError('internal_error');
    heldLeases.inc();
    const release = () => {
      heldLeases.dec();
      leases.add(client.number, lease);
    };
    if (context.res.closed) release();
    else context.res.once('close', release);
    context.set(rateLimitHeaders(costClass, quota));
    try {
      await next();
    } catch (error) {
      if (costClass === 'redeem' && isMalformed(error)) {
        // Without the database it stays counted, and the refusal is the same.
        const left = await giveBackRedemption(query, { source, now, quota }).catch(() => quota);
        context.set(rateLimitHeaders(costClass, left));
      }
      throw error;
    }
  };
}

/** Whether a redemption was refused before any code could be tried. */
function isMalformed(error: unknown): boolean {
  return error instanceof DomainError && [400, 413, 415].includes(errorCatalogue[error.code].status);
}

async function admitCarrying(
  query: Query,
  leases: FinishedLeases,
  request: Omit<AdmissionRequest, 'clientNumber' | 'finished' | 'lost'>,
): Promise<Admission> {
  const { fingerprintSha256 } = request;
  const clientNumber = leases.clientOf(fingerprintSha256);
  const finished = leases.carriedBy(fingerprintSha256);
  const admission = await admit(query, { ...request, clientNumber, finished, lost: (lease) => leases.addLost(fingerprintSha256, lease) });
  const { client, verdict } = admission;
  if (client && verdict === 'admitted') leases.cleared(fingerprintSha256, client.number, finished);
  else if (client) leases.remember(fingerprintSha256, client.number);
  return admission;
}

function headersOf(costClass: CostClass, quota: QuotaState, { verdict, client }: Admission): Record<string, string> {
  return verdict === 'concurrency_limit_exceeded' && client
    ? rateLimitHeadersWithConcurrency(costClass, quota, client.quotas.concurrent_requests)
    : rateLimitHeaders(costClass, quota);
}

/** That it is valid has been checked before, so if its time is over, that is because a newer one has replaced it. */
function particularsOf({ verdict, client }: Admission): { readonly detail?: string } {
  if (verdict !== 'client_certificate_expired' || !client) return {};
  return {
    detail: `A newer certificate has replaced this one, which could be used until ${client.certificateUsableUntil}. Install the newer one.`,
  };
}

function refusal(verdict: Refusal, { retryAfterSeconds, violated }: Admission): Problem {
  return new Problem(verdict, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(violated.length > 0 && { extensions: { violated_policies: violated } }),
  });
}

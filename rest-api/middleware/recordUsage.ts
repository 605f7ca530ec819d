import { performance } from 'node:perf_hooks';
import { refusesCertificate } from '../../server/domain/client/admission/verdicts.ts';
import type { Clock } from '../../server/domain/shared/clock.ts';
import type { SandboxFacts } from '../../server/domain/evidence/observeSandbox.ts';
import { usageLimits } from '../../server/domain/usage/usageLimits.ts';
import { namesTags } from '../../server/platform/http/validators.ts';
import type { FinishedRequest } from '../../server/domain/usage/FinishedRequest.ts';
import type { MachineContext, MachineMiddleware } from '../MachineContext.ts';
import { outcomeOf } from './observeRequests.ts';

type Dependencies = { recorder: { add(request: FinishedRequest): void }; clock: Clock };

/**
 * Records every finished request that came with a certificate of our own authorities, including refused ones. Records are kept in memory
 * first, so that no answer waits for them. An untrusted chain never gets here, because anyone can write any client's name into a
 * certificate of their own.
 */
export function recordUsage({ recorder, clock }: Dependencies): MachineMiddleware {
  const refusals = new LoggedRefusals();
  return (context, next) => {
    const occurredAt = clock.now();
    const startedAt = performance.now();
    context.res.once('close', () => {
      const { state, method } = context;
      const { certificate, admission } = state;
      if (!certificate) return;
      const { commonName, fingerprintSha256, serial } = certificate;
      recorder.add({
        occurredAt,
        requestId: state.requestId,
        method,
        ...outcomeOf(context),
        problem: state.problem ?? null,
        durationMs: performance.now() - startedAt,
        certificate: { commonName, fingerprintSha256, serial },
        certificateAccepted: admission !== undefined && !refusesCertificate(admission.verdict),
        client: admission?.client ? { number: admission.client.number, certificateId: admission.client.certificateId } : null,
        sandbox: sandboxFacts(context),
        logged: admission?.verdict === 'admitted' || (!isFlood(context) && refusals.takes(commonName, occurredAt)),
      });
    });
    return next();
  };
}

/** What a review will ask about. Nothing is kept about production clients. A page counts only if it was delivered in full. */
function sandboxFacts({ state, req, res, method, status }: MachineContext): SandboxFacts | null {
  if (state.admission?.client?.environment !== 'sandbox') return null;
  const retryAfter = status === 429 ? Number(res.getHeader('Retry-After')) : NaN;
  return {
    costClass: state.costClass,
    conditional: res.hasHeader('ETag') && namesTags(req.headers['if-none-match']),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    page: method === 'GET' && res.writableFinished ? (state.page ?? null) : null,
  };
}

/** Whether the address has had too many refusals. That 429 comes from neither admission nor an operation. */
function isFlood({ state: { problem, admission } }: MachineContext): boolean {
  return problem === 'rate_limit_exceeded' && admission?.verdict !== 'rate_limit_exceeded';
}

/** Limits, by client and minute, the log lines for requests that count against no quota, so that no one can fill the log. */
class LoggedRefusals {
  readonly #counts = new Map<string, number>();
  #minute = 0;

  takes(commonName: string, at: Date): boolean {
    const minute = Math.floor(at.getTime() / 60_000);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const count = (this.#counts.get(commonName) ?? 0) + 1;
    this.#counts.set(commonName, count);
    return count <= usageLimits.refusalsLoggedPerMinute;
  }
}

import type { Socket } from 'node:net';
import type { DomainError } from '../../server/domain/shared/DomainError.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import type { BareAnswer } from '../../server/platform/http/bareAnswer.ts';
import type { Logger } from '../../server/platform/logger.ts';
import { httpRequests } from '../../server/platform/metrics.ts';
import { commonHeaders } from './commonHeaders.ts';
import { problemDetails, problemHeaders, problemOf } from './problemDetails.ts';
import type { UnauthenticatedLimit } from './UnauthenticatedLimit.ts';

type Options = { portalUrl: string; logger: Logger; unauthenticated: UnauthenticatedLimit };

/**
 * The problem for what never became a request: bytes that the parser refuses, headers over 16 KiB, time-outs, CONNECT, an unreadable
 * target. It takes from no client's quota, so it counts for its address. Which client it was, and which policies are its own, is not known.
 */
export async function refuseBroken(
  refusal: DomainError,
  socket: Socket,
  { portalUrl, logger, unauthenticated }: Options,
): Promise<BareAnswer> {
  const problem = await unauthenticated.refuse(socket.remoteAddress, problemOf(refusal));
  const requestId = newId('req');
  const { status } = errorCatalogue[problem.code];
  httpRequests.inc({ server: 'rest-api', route: 'broken', status: String(status), code: problem.code });
  logger.info({ requestId, route: 'broken', status, problem: problem.code }, 'request');
  return {
    status,
    headers: { ...commonHeaders(requestId, 'pull'), ...problemHeaders(problem) },
    body: JSON.stringify(problemDetails(problem, { portalUrl, instance: '/', requestId })),
  };
}

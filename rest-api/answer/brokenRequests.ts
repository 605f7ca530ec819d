import type { Socket } from 'node:net';
import type { DomainError } from '../../server/domain/shared/DomainError.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { callerAddress } from '../../server/platform/callerAddress.ts';
import type { BareAnswer } from '../../server/platform/http/bareAnswer.ts';
import type { Logger } from '../../server/platform/logger.ts';
import { httpRequests } from '../../server/platform/metrics.ts';
import { commonHeaders } from './commonHeaders.ts';
import { problemDetails, problemHeaders, problemOf } from './problemDetails.ts';
import type { UnauthenticatedLimit } from './UnauthenticatedLimit.ts';

type Options = { portalUrl: string; logger: Logger; unauthenticated: UnauthenticatedLimit };

/**
 * The problem for something that never became a request: bytes that the parser refuses, headers over 16 KiB, a time-out, CONNECT, or an
 * unreadable target. It counts against no client's quota but against its address. It is not known which client sent it, so it shows none of
 * the client's own limits.
 */
export async function refuseBroken(
  refusal: DomainError,
  socket: Socket,
  { portalUrl, logger, unauthenticated }: Options,
): Promise<BareAnswer> {
  const problem = await unauthenticated.refuse(callerAddress(socket), problemOf(refusal));
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

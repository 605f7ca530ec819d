import type { TLSSocket } from 'node:tls';
import type { ParameterizedContext, Middleware } from 'koa';
import type { Admission } from '../server/domain/client/admission/admit.ts';
import type { CostClass } from '../server/domain/client/quotas.ts';
import type { FeedPage } from '../server/domain/evidence/observeSandbox.ts';
import type { ErrorCode } from '../server/domain/shared/errorCatalogue.ts';
import type { CertificateFacts } from './tls/certificateFacts.ts';
import type { Match } from './matchOperation.ts';

/** What each step of a request leaves for the steps after it and for the request's log line. */
export type MachineState = {
  requestId: string;
  match: Match;
  costClass: CostClass;
  certificate?: CertificateFacts;
  admission?: Admission;
  problem?: ErrorCode;
  page?: FeedPage;
};

export type MachineContext = ParameterizedContext<MachineState>;
export type MachineMiddleware = Middleware<MachineState>;

/** The connection that a request came on. This server speaks only TLS. */
export function tlsSocket(context: MachineContext): TLSSocket {
  return context.req.socket as TLSSocket;
}

import type { TLSSocket } from 'node:tls';
import type { ParameterizedContext, Middleware } from 'koa';
import type { Admission } from '../server/domain/client/admission/admit.ts';
import type { CostClass } from '../server/domain/client/quotas.ts';
import type { FeedPage } from '../server/domain/evidence/observeSandbox.ts';
import type { ErrorCode } from '../server/domain/shared/errorCatalogue.ts';
import type { CertificateFacts } from './tls/certificateFacts.ts';
import type { Match } from './matchRoute.ts';

/** What the steps of a request leave for the ones after them and for its log line. */
export type MachineState = {
  requestId: string;
  match: Match;
  costClass: CostClass;
  certificate?: CertificateFacts;
  admission?: Admission;
  problem?: ErrorCode;
  /** The page of the feed that the answer is. */
  page?: FeedPage;
};

export type MachineContext = ParameterizedContext<MachineState>;
export type MachineMiddleware = Middleware<MachineState>;

/** The connection under a request; this server speaks TLS only. */
export function tlsSocket(context: MachineContext): TLSSocket {
  return context.req.socket as TLSSocket;
}

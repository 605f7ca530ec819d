import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { serverContext } from '../../server/platform/tls/serverContext.ts';
import type { ServerPair } from '../../server/platform/tls/serverPair.ts';

/** What the machine API speaks, and whose client certificates it asks for. It is given in full at the start and at every change. */
export function secureContext(pair: ServerPair, authorities: readonly string[]) {
  return {
    ...serverContext(pair),
    ca: [...authorities],
    // A resumed session keeps the verdict of its first handshake, so a certificate that has expired since then would pass. Renegotiation
    // could replace the certificate, or remove it, under requests that were judged by the first one.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  } as const satisfies SecureContextOptions;
}

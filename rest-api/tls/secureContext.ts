import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { tlsGroups } from '../../server/platform/tlsGroups.ts';

/** TLS 1.3, and those suites of TLS 1.2 that have forward secrecy and authenticated encryption (RFC 9325, section 4.2). */
const suites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/**
 * What the machine API speaks, and whose client certificates it asks for. It is given in full at the start and at every change of the
 * authorities, because Node forgets whatever a new context does not name.
 */
export function secureContext({ certPem, keyPem }: { certPem: string; keyPem: string }, authorities: readonly string[]) {
  return {
    cert: certPem,
    key: keyPem,
    ca: [...authorities],
    minVersion: 'TLSv1.2',
    ciphers: suites.join(':'),
    ecdhCurve: tlsGroups,
    honorCipherOrder: true,
    // A resumed session keeps the verdict of its first handshake, so a certificate that has expired since then would pass. Renegotiation
    // could replace the certificate, or remove it, under requests that were judged by the first one.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  } as const satisfies SecureContextOptions & { honorCipherOrder: boolean };
}

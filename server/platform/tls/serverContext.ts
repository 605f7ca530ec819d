import type { SecureContextOptions } from 'node:tls';
import type { ServerPair } from './serverPair.ts';
import { tlsGroups } from '../tlsGroups.ts';

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

/** What our servers speak, with this certificate. It is given in full at each change, because Node forgets whatever a new context does not name. */
export function serverContext({ certPem, keyPem }: ServerPair) {
  return {
    cert: certPem,
    key: keyPem,
    minVersion: 'TLSv1.2',
    ciphers: suites.join(':'),
    ecdhCurve: tlsGroups,
    honorCipherOrder: true,
  } as const satisfies SecureContextOptions & { honorCipherOrder: boolean };
}

import { createSecureContext } from 'node:tls';

/**
 * How keys are agreed on in TLS, by servers and outgoing connections alike, in order of preference: the hybrid of ML-KEM-768 and X25519, which
 * keeps what is recorded today from computers that break curves one day, then curves. `*`: as a client, keys for these are sent along at once, so
 * that a server which knows only the second need not ask again. OpenSSL knows the hybrid and `*` from 3.5 on.
 */
export const tlsGroups = firstKnown(['*X25519MLKEM768:*X25519:P-256:P-384', 'X25519:P-256:P-384']);

function firstKnown(lists: readonly [string, string]): string {
  const [wanted, otherwise] = lists;
  try {
    createSecureContext({ ecdhCurve: wanted });
    return wanted;
  } catch {
    return otherwise;
  }
}

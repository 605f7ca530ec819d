import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { ClientAuthorities } from './clientAuthorities.ts';

/** What a connection's certificate says; only certificates of our own authorities get this far. */
export type CertificateFacts = {
  readonly fingerprintSha256: string;
  readonly serial: string;
  readonly commonName: string;
  readonly notBefore: number;
  readonly notAfter: number;
};

type Verdict = { readonly facts: CertificateFacts } | { readonly refusal: 'client_certificate_required' | 'client_certificate_invalid' };

const clientAuth = '1.3.6.1.5.5.7.3.2';
const cache = new WeakMap<TLSSocket, Verdict>();

/**
 * The verdict about a connection's certificate apart from time and database, read once per socket: reading it for every request
 * costs a third of the throughput. Validity is the caller's, on each request.
 */
export function certificateOf(socket: TLSSocket, authorities: ClientAuthorities): Verdict {
  const known = cache.get(socket);
  if (known) return known;
  const verdict = inspect(socket, authorities);
  cache.set(socket, verdict);
  return verdict;
}

function inspect(socket: TLSSocket, authorities: ClientAuthorities): Verdict {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return { refusal: 'client_certificate_required' };
  if (!isTrusted(socket, certificate, authorities)) return { refusal: 'client_certificate_invalid' };
  const commonName = /^CN=([^\n]+)$/.exec(certificate.subject)?.[1];
  if (commonName === undefined) return { refusal: 'client_certificate_invalid' };
  return {
    facts: {
      fingerprintSha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      serial: certificate.serialNumber.toLowerCase(),
      commonName,
      notBefore: certificate.validFromDate.getTime(),
      notAfter: certificate.validToDate.getTime(),
    },
  };
}

/**
 * TLS has judged chain, purpose and time. It reports only one error, the last; so "expired" may hide an untrusted chain, and the chain
 * is then checked here. Nothing of a certificate is read before it is trusted: anyone can write any name into one of his own.
 */
function isTrusted(socket: TLSSocket, certificate: X509Certificate, authorities: ClientAuthorities): boolean {
  if (certificate.ca || !certificate.keyUsage?.includes(clientAuth)) return false;
  if (socket.authorized) return true;
  const reason = String(socket.authorizationError);
  return (reason === 'CERT_HAS_EXPIRED' || reason === 'CERT_NOT_YET_VALID') && authorities.issued(certificate);
}

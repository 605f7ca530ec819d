import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { isAuthorityName } from '../../server/domain/certificate/authorityNames.ts';
import type { ClientAuthorities } from './clientAuthorities.ts';

/** What the certificate of a connection says. Only certificates of our own authorities get this far. */
export type CertificateFacts = {
  readonly fingerprintSha256: string;
  readonly serial: string;
  readonly commonName: string;
  readonly notBefore: number;
  readonly notAfter: number;
};

/** `detail` says more than the refusal's own words. */
type Refused = { readonly refusal: 'client_certificate_required' | 'client_certificate_invalid'; readonly detail?: string };
type Verdict = { readonly facts: CertificateFacts } | Refused;

const clientAuth = '1.3.6.1.5.5.7.3.2';
/** With the authorities by which each was judged. */
const cache = new WeakMap<TLSSocket, { readonly pems: readonly string[]; readonly verdict: Verdict }>();

/**
 * Judges the certificate of a connection apart from time and database. It is read once per socket and set of authorities, because reading
 * it for every request costs a third of the throughput. The caller checks validity for each request.
 */
export function certificateOf(socket: TLSSocket, authorities: ClientAuthorities): Verdict {
  const known = cache.get(socket);
  if (known?.pems === authorities.pems) return known.verdict;
  const verdict = inspect(socket, authorities);
  cache.set(socket, { pems: authorities.pems, verdict });
  return verdict;
}

function inspect(socket: TLSSocket, authorities: ClientAuthorities): Verdict {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return { refusal: 'client_certificate_required' };
  if (!isTrusted(socket, certificate, authorities))
    return { refusal: 'client_certificate_invalid', ...strangeOrigin(certificate, authorities) };
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
 * TLS judges chain, purpose and time but reports only one error, the last. "Expired" may therefore hide an untrusted chain, so the chain is
 * checked again here. Nothing in a certificate is believed before it is trusted, because anyone can write any name into their own.
 */
function isTrusted(socket: TLSSocket, certificate: X509Certificate, authorities: ClientAuthorities): boolean {
  if (certificate.ca || !certificate.keyUsage?.includes(clientAuth) || authorities.distrusts(certificate)) return false;
  if (socket.authorized) return true;
  const reason = String(socket.authorizationError);
  return (reason === 'CERT_HAS_EXPIRED' || reason === 'CERT_NOT_YET_VALID') && authorities.issued(certificate);
}

/**
 * Where an untrusted certificate says that it comes from, if that explains the refusal: usually it is that of another installation, such as
 * the one for tests. Its issuer's name is repeated only in the form that our authorities' names have.
 */
function strangeOrigin(certificate: X509Certificate, authorities: ClientAuthorities): { readonly detail?: string } {
  if (authorities.knows(certificate)) return {};
  if (authorities.names(certificate))
    return {
      detail:
        'The certificate names this installation’s authority as its issuer, but the signature does not fit: that authority has not signed it.',
    };
  const issuer = /^CN=([^\n]+)$/.exec(certificate.issuer)?.[1];
  if (issuer === undefined || !isAuthorityName(issuer)) return {};
  return {
    detail: `The certificate is of another installation of this service: its issuer, ${issuer}, is not an authority of this one. Present the certificate that this installation’s portal issued.`,
  };
}

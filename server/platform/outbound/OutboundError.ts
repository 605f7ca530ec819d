import type { OutboundErrorKind } from '../../domain/webhook/WebhookTransport.ts';

/** Ends an attempt with this kind. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;
  readonly about: readonly string[];

  constructor(kind: OutboundErrorKind, about: readonly string[] = []) {
    super(kind);
    this.kind = kind;
    this.about = about;
  }
}

/** Codes of Node, OpenSSL and undici. Everything else has the kind of the phase in which it happened. */
const kindOf: Readonly<Record<string, OutboundErrorKind>> = {
  ECONNREFUSED: 'connection_refused',
  ENETUNREACH: 'host_unreachable',
  EHOSTUNREACH: 'host_unreachable',
  EADDRNOTAVAIL: 'host_unreachable',
  EACCES: 'host_unreachable',
  EPERM: 'host_unreachable',
  ETIMEDOUT: 'connect_timeout',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_wrong_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
  CERT_UNTRUSTED: 'certificate_untrusted',
  CERT_REVOKED: 'certificate_untrusted',
  INVALID_CA: 'certificate_untrusted',
  INVALID_PURPOSE: 'certificate_untrusted',
  UND_ERR_HEADERS_OVERFLOW: 'response_headers_too_large',
  // This process, or this machine, can open no more, which is nobody’s fault on the other side.
  EMFILE: 'service_error',
  ENFILE: 'service_error',
  ENOBUFS: 'service_error',
  ENOMEM: 'service_error',
};

/** With TLS 1.3, a server refuses a caller without a certificate only after the handshake, so its alert comes in place of an answer. */
const isAlert = /^ERR_SSL_\w*ALERT/;

type SystemError = { readonly code?: string; readonly cert?: { readonly subjectaltname?: string } };

/** The kind of an error that a socket, TLS or undici gave; `otherwise` is that of the phase. */
export function outboundError(error: unknown, otherwise: OutboundErrorKind): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code = '', cert } = (error ?? {}) as SystemError;
  const kind = kindOf[code] ?? (isAlert.test(code) ? 'tls_failure' : otherwise);
  return new OutboundError(kind, kind === 'certificate_wrong_name' ? namesOf(cert?.subjectaltname) : []);
}

/** A server chooses what is in its certificate, so only some of its names are kept, and only if they look like names. */
function namesOf(subjectAltName = ''): string[] {
  const names = subjectAltName.split(', ').flatMap((entry) => /^DNS:([A-Za-z0-9.*_-]{1,253})$/.exec(entry)?.[1] ?? []);
  return names.slice(0, 10);
}

/**
 * What can keep a request to an operator’s server from ending with an answer (docs/specification.md, “One guarded way out”). The kinds are
 * stored and shown, so none is ever renamed.
 */
export type OutboundErrorKind =
  /** The address is none that a request may go to; it should not have been registered. */
  | 'url_not_allowed'
  /**
   * The name has no address, its servers gave no usable answer, or at least one of its addresses is not public. Nothing was connected. It is one
   * kind, so that nobody learns which names exist inside.
   */
  | 'no_public_address'
  | 'dns_timeout'
  | 'connection_refused'
  | 'host_unreachable'
  | 'connect_timeout'
  | 'tls_timeout'
  | 'tls_failure'
  /** The server sends more than 12 KiB in the handshake, nearly always certificates. */
  | 'tls_handshake_too_large'
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'certificate_wrong_name'
  | 'certificate_untrusted'
  /** The other side ended the connection before the answer was complete. */
  | 'connection_reset'
  /** The answer was not complete within the total time. For this and the next four, the service itself ends the connection. */
  | 'timeout'
  /** The answer is not correct HTTP/1.1. */
  | 'protocol_error'
  /** The answer switches to another protocol (101), which nobody asked for. */
  | 'unasked_upgrade'
  | 'response_headers_too_large'
  | 'response_too_large'
  /** The service itself ended the attempt, for instance because it stops, or did not begin it, because what it would send is out of date. */
  | 'interrupted'
  /** The service could not make the attempt, which says nothing about the other side: it has no file left to open, or cannot sign. */
  | 'service_error';

/** How long a request may take, in milliseconds, and what its answer may weigh on the wire, in bytes. */
export type OutboundLimits = {
  /** For finding the address, connecting and TLS together. */
  readonly connectMs: number;
  readonly totalMs: number;
  /** Of all heads of the answer together, interim ones (1xx) included. */
  readonly responseHeaderBytes: number;
  readonly responseBodyBytes: number;
};

export type OutboundRequest = {
  /** As registered: path and query are sent exactly as they are written here. */
  readonly url: string;
  /** Host, Content-Length and Connection are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly limits: OutboundLimits;
  /** Whose connections to use and to keep. Without it, the request has a new connection of its own, which is closed afterwards. */
  readonly endpointId?: string;
  readonly signal?: AbortSignal;
  /** Asked right before the first byte of the request is sent. If it says no, nothing is sent, and the answer is `interrupted`. */
  readonly mayStart?: () => boolean;
  /** Told of each step of connecting as soon as it has been taken. */
  readonly onStep?: (step: OutboundStep) => void;
};

/** The steps that precede the request, each with what it found. A connection that is kept, and a development host, skip some. */
export type OutboundStep =
  | { readonly name: 'addresses'; readonly addresses: readonly string[] }
  | { readonly name: 'connection'; readonly address: string }
  | { readonly name: 'tls' };

/** Microseconds; null where an attempt did not come to it, or needed none because a connection was kept. */
type OutboundPhases = {
  readonly dnsUs: number | null;
  readonly connectUs: number | null;
  readonly tlsUs: number | null;
  /** From sending the request to the first byte of the answer. */
  readonly firstByteUs: number | null;
  readonly totalUs: number;
};

/** What became of a request. With an `error`, a status only says how far the answer came. */
export type OutboundAnswer = {
  /** All that the name stood for, if each of them is public; empty on a kept connection. */
  readonly addresses: readonly string[];
  /** The address that was connected or, if none was, the last one tried. */
  readonly address: string | null;
  readonly phases: OutboundPhases;
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Never longer than the limit, and never unpacked. */
  readonly body?: Buffer;
  readonly error?: OutboundErrorKind;
  /** What the error is about: the names that a certificate is for. */
  readonly about?: readonly string[];
};

/** The one way to operators’ servers. Never rejects, whatever the other side does. */
export type WebhookTransport = {
  postGuarded(request: OutboundRequest): Promise<OutboundAnswer>;
};

/** The same way to their pages, each on a connection of its own. Follows no redirect. */
export type PageTransport = {
  getGuarded(request: Pick<OutboundRequest, 'url' | 'headers' | 'limits'>): Promise<OutboundAnswer>;
};

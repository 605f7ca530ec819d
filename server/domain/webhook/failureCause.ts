import type { DeliveryReason } from '../outbox/deliveryFacts.ts';
import type { OutboundErrorKind } from './WebhookTransport.ts';
import { factsIn } from '../shared/lifecycle.ts';

/** Why an event did not reach its receiver. */
export type FailureCause = {
  /** In two or three words. */
  readonly title: string;
  /** What happened, as a sentence. */
  readonly what: string;
  /** The step that helps, where there is one. */
  readonly next: string | null;
  /** Whether that is a replay. */
  readonly saysReplay?: true;
};

/** What an attempt, or the last one at a delivery, came to. */
export type Failed = { readonly status: number | null; readonly error: OutboundErrorKind | null; readonly reason?: DeliveryReason | null };

const errors: Readonly<Record<OutboundErrorKind | 'unknown', FailureCause>> = {
  url_not_allowed: { title: 'URL not allowed', what: 'Requests may not be sent to this URL.', next: 'Change the URL.' },
  // One word for a name without an address, without an answer, or that leads inside: otherwise it would tell which names exist inside.
  no_public_address: {
    title: 'No public address',
    what: 'The host name does not lead to a public address.',
    next: 'Check its spelling and that its A or AAAA record is published, which can take some minutes. All of its addresses must be public: remove private and other internal ones.',
  },
  dns_timeout: {
    title: 'No answer from name servers',
    what: 'The name servers of the host did not answer in time.',
    next: 'Check that they are up, then try again.',
  },
  connection_refused: {
    title: 'Connection refused',
    what: 'Nothing is listening at that address and port.',
    next: 'Start your receiver, or the proxy in front of it. On the internet, the firewall has to allow port 443.',
  },
  host_unreachable: {
    title: 'Host unreachable',
    what: 'There is no route to this address.',
    next: 'Check that the host is up and that the address is the right one.',
  },
  connect_timeout: {
    title: 'Connecting timed out',
    what: 'Connecting took too long.',
    next: 'A firewall that drops packets has this effect. Allow port 443 from everywhere, because our addresses can change.',
  },
  tls_timeout: {
    title: 'TLS timed out',
    what: 'The TLS handshake took too long.',
    next: 'Check that the server on port 443 speaks TLS and is not overloaded.',
  },
  tls_failure: {
    title: 'No TLS',
    what: 'No TLS connection could be made.',
    next: 'Check that the server on port 443 speaks TLS 1.2 or later with ECDHE and AES-GCM or ChaCha20-Poly1305, and asks for no client certificate.',
  },
  tls_handshake_too_large: {
    title: 'Too many certificates',
    what: 'The server sends more than 12 KiB of certificates, so we ended the connection.',
    next: 'Install the server’s own certificate and the intermediate certificates, and nothing else. The root certificate is not needed.',
  },
  certificate_expired: { title: 'Certificate expired', what: 'The server’s certificate has expired.', next: 'Renew it.' },
  certificate_not_yet_valid: {
    title: 'Certificate not valid yet',
    what: 'The server’s certificate is not valid yet.',
    next: 'Check its dates, and the clock of the machine that issued it.',
  },
  certificate_wrong_name: {
    title: 'Certificate for other names',
    what: 'The server’s certificate is for other names.',
    next: 'Install one with the host of your URL among its alternative names (the common name does not count), and check that the server picks it for this name (SNI).',
  },
  certificate_untrusted: {
    title: 'Certificate not trusted',
    what: 'The server’s certificate does not lead to an authority that is publicly trusted.',
    next: 'Install the whole chain with the intermediate certificates; a self-signed certificate is not enough.',
  },
  connection_reset: {
    title: 'Connection ended',
    what: 'The other side ended the connection before the answer was complete.',
    next: 'Check your receiver’s log: a crash, a proxy limit or a restart ends connections like this.',
  },
  timeout: {
    title: 'Answer timed out',
    what: 'The answer was not complete in time, so we ended the connection.',
    next: 'Store the event and answer at once; do the work afterwards.',
  },
  protocol_error: {
    title: 'Not HTTP',
    what: 'The answer is not correct HTTP/1.1, so we ended the connection.',
    next: 'Check that a web server listens on port 443, and not another service. If your code writes the answer itself: lines end with CR and LF, and there is one Content-Length or chunked encoding, not both.',
  },
  unasked_upgrade: {
    title: 'Protocol switched',
    what: 'The answer was 101 Switching Protocols, which the request did not ask for, so we ended the connection.',
    next: 'Answer the POST itself, with any 2xx. Check that the path is not that of a WebSocket.',
  },
  response_headers_too_large: {
    title: 'Headers too large',
    what: 'The headers of the answer are too large, so we ended the connection.',
    next: 'Send fewer headers, for example no cookies.',
  },
  response_too_large: {
    title: 'Answer too large',
    what: 'The answer is too large, so we ended the connection.',
    next: 'Answer with an empty body or a short text.',
  },
  interrupted: {
    title: 'Interrupted',
    what: 'The service itself ended this attempt, for example to restart.',
    next: 'You do not need to do anything.',
  },
  service_error: {
    title: 'Service error',
    what: 'The service could not send this attempt, which is not your receiver’s fault.',
    next: 'You do not need to do anything. The next attempt follows as after any other failure.',
  },
  unknown: {
    title: 'Unknown failure',
    what: 'Another release of the service made this attempt, and names a failure that this one does not know.',
    next: null,
  },
};

/** What the first matching status means. */
const statuses: readonly (readonly [matches: (status: number) => boolean, what: string, next: string | null])[] = [
  [(status) => status < 300, 'Your receiver accepted the event.', null],
  [(status) => status < 400, 'Redirects are not followed.', 'Register your receiver’s actual address.'],
  [
    (status) => status === 401 || status === 403,
    'Your receiver, or something in front of it, refuses the request.',
    'If the signature check refuses it, compare the registered URL, the receiver’s clock and its copy of our keys; the receiver check in the sandbox shows what goes wrong. If a password or a login is required, let the request in without one: the signature shows who sent it.',
  ],
  [(status) => status === 404, 'Nothing answers at this path.', 'Compare it with the path that your receiver serves.'],
  [(status) => status === 405, 'The path exists, but accepts no POST.', 'Accept a POST there.'],
  [(status) => status === 410, 'Your receiver says that it is gone.', 'Register its current address.'],
  [(status) => status === 429, 'Your receiver asks for fewer requests.', 'The next attempt waits longer.'],
  [(status) => status < 500, 'Your receiver does not accept the request.', 'Check its log.'],
  [() => true, 'Your receiver failed.', 'Check its log.'],
];

/** Why an event did not reach its receiver, in the words of every page. With an error, a status only says how far the answer came. */
export function failureCause({ status, error, reason }: Failed): FailureCause {
  if (error !== null) return factsIn(errors, error);
  if (status === null) return notAttempted(reason ?? null);
  const [, what, next] = statuses.find(([matches]) => matches(status)) ?? [null, 'Your receiver failed.', null];
  return { title: `Status ${status}`, what, next };
}

function notAttempted(reason: DeliveryReason | null): FailureCause {
  return reason === 'endpoint_not_active'
    ? {
        title: 'Not attempted',
        what: 'The endpoint was not active before their delivery window ended.',
        next: 'Replay them once the endpoint is active.',
        saysReplay: true,
      }
    : {
        title: 'Not attempted',
        what: 'Their delivery window ended before an attempt could be made.',
        next: 'Replay them.',
        saysReplay: true,
      };
}

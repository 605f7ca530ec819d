/** What happened, and the step that helps. */
export type FailureWord = { readonly what: string; readonly next: string };

/** What can go wrong on the way to an operator’s server, by its kind: what happened, and the step that helps. */
const failures: Readonly<Record<string, FailureWord>> = {
  url_not_allowed: { what: 'The URL is none that a request may go to.', next: 'Change the URL.' },
  no_public_address: {
    what: 'The host name does not lead to a public address.',
    next: 'Check its spelling and that its A or AAAA record is published, which can take some minutes. All of its addresses must be public: remove private and other internal ones.',
  },
  dns_timeout: { what: 'The name servers of the host did not answer in time.', next: 'Check that they are up, then try again.' },
  connection_refused: {
    what: 'Nothing listens on port 443 there.',
    next: 'Start your receiver, or the proxy in front of it, and check that a firewall lets port 443 in.',
  },
  host_unreachable: { what: 'No way leads to that address.', next: 'Check that the host is up and that the address is the right one.' },
  connect_timeout: {
    what: 'Connecting took too long.',
    next: 'A firewall that drops packets looks like this. Let port 443 in from everywhere, because our addresses can change.',
  },
  tls_timeout: { what: 'Agreeing on TLS took too long.', next: 'Check that the server on port 443 speaks TLS and is not overloaded.' },
  tls_failure: {
    what: 'No TLS connection could be made.',
    next: 'Check that the server on port 443 speaks TLS 1.2 or later with ECDHE and AES-GCM or ChaCha20-Poly1305, and asks for no client certificate.',
  },
  certificate_expired: { what: 'The server’s certificate has expired.', next: 'Renew it.' },
  certificate_not_yet_valid: { what: 'The server’s certificate is not valid yet.', next: 'Check its dates and the clock that made them.' },
  certificate_wrong_name: {
    what: 'The server’s certificate is for other names.',
    next: 'Install one for the host of your URL, and check that the server picks it for this name (SNI).',
  },
  certificate_untrusted: {
    what: 'The server’s certificate does not lead to an authority that is publicly trusted.',
    next: 'Install the whole chain with the intermediate certificates; a self-signed certificate is not enough.',
  },
  connection_reset: {
    what: 'The connection ended before the answer was complete.',
    next: 'Look at your receiver’s log at this time: a crash, a proxy’s limit or a restart ends connections like this.',
  },
  timeout: { what: 'The answer did not come in time.', next: 'Store the event and answer at once; do the work afterwards.' },
  protocol_error: { what: 'The answer is not HTTP/1.1.', next: 'Check that a web server listens on port 443, and not another service.' },
  response_headers_too_large: { what: 'The headers of the answer are too large.', next: 'Send fewer headers, for example no cookies.' },
  response_too_large: { what: 'The answer is too large.', next: 'Answer with an empty body or a short text.' },
  interrupted: { what: 'The service itself ended this attempt, for example to restart.', next: 'You need not do anything.' },
  service_error: {
    what: 'The service could not send this attempt, which is not your receiver’s fault.',
    next: 'You need not do anything. The next attempt follows as after any other failure.',
  },
};

/** A kind of failure in words. A kind that this page does not know is named as it is. */
export function failureWords(kind: string): FailureWord {
  return failures[kind] ?? { what: `It failed: ${kind.replaceAll('_', ' ')}.`, next: 'Try again.' };
}

/** What an HTTP status means for an attempt, as a sentence. */
export function statusWords(status: number): string {
  if (status >= 200 && status < 300) return 'Your receiver has taken the event.';
  if (status >= 300 && status < 400) return 'Redirects are not followed. Register the address that your receiver really has.';
  if (status === 401 || status === 403) {
    return 'Your receiver, or something in front of it, refuses the request. It carries no password: the signature says who sends it.';
  }
  if (status === 404) return 'Nothing answers at this path. Compare it with your receiver’s route.';
  if (status === 405) return 'The path exists, but accepts no POST.';
  if (status === 410) return 'Your receiver says that it is gone.';
  if (status === 429) return 'Your receiver asks for fewer requests. The next attempt waits longer.';
  if (status >= 500) return 'Your receiver failed. Look at its log at this time.';
  return 'Your receiver does not accept the request.';
}

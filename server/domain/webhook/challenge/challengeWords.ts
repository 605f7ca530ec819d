import { factsIn } from '../../shared/lifecycle.ts';
import type { ChallengeFailure, ChallengeStep } from './challengeSteps.ts';

type Facts = readonly string[];
const list = (facts: Facts): string => facts.join(', ');
/** The text that an answer begins with, if there is one. */
const beginning = (text: string | undefined): string => (text === undefined ? 'It is empty.' : `It begins with “${text}”.`);

const failureWords: { readonly [Failure in ChallengeFailure | 'unknown']: (facts: Facts) => string } = {
  url_not_allowed: () => 'Requests may not go to this address. Register another one.',
  no_public_address: () =>
    'The name does not lead to a public address. It needs an A or AAAA record, its name servers must answer for both, and every address must be public.',
  dns_timeout: () => 'The name servers did not answer in time.',
  connection_refused: () => 'The server refuses connections: nothing is listening there.',
  host_unreachable: () => 'There is no route to the server’s address.',
  connect_timeout: () => 'The server did not accept a connection within 5 seconds. A firewall may be dropping it.',
  tls_timeout: () => 'The TLS handshake was not complete within 5 seconds.',
  tls_failure: () => 'The TLS handshake failed. The server needs TLS 1.2 or later with ECDHE and AES-GCM or ChaCha20-Poly1305.',
  tls_handshake_too_large: () => 'The server’s certificates exceed 12 KiB, so we ended the connection.',
  certificate_expired: () => 'The server’s certificate has expired.',
  certificate_not_yet_valid: () => 'The server’s certificate is not valid yet.',
  certificate_wrong_name: (facts) =>
    facts.length > 0
      ? `The server’s certificate is for ${list(facts)}.`
      : 'The server’s certificate has no DNS name among its alternative names (subjectAltName). The common name does not count.',
  certificate_untrusted: () => 'No public authority issued the server’s certificate, or the server does not send the whole chain.',
  connection_reset: () => 'The other side ended the connection before its answer was complete.',
  timeout: () => 'The answer was not complete within 10 seconds, so we ended the connection.',
  protocol_error: () => 'The answer is not correct HTTP/1.1, so we ended the connection.',
  unasked_upgrade: () => 'The answer was 101 Switching Protocols, which the request did not ask for, so we ended the connection.',
  response_headers_too_large: () => 'The headers of the answer exceed 16 KiB, so we ended the connection.',
  response_too_large: () => 'The body of the answer exceeds 8 KiB, so we ended the connection.',
  interrupted: () => 'The service was stopped during the challenge. Verify again.',
  service_error: () => 'The service could not send the request, which is not your server’s fault. Verify again.',
  redirected: ([status, target]) =>
    `The answer is a redirect (${status}${target === undefined ? '' : ` to ${target}`}). Redirects are not followed: register the address that answers without one.`,
  refused: ([status, text]) => `The status is ${status}; any from 200 to 299 is needed.${text === undefined ? '' : ` ${beginning(text)}`}`,
  compressed: ([encoding]) => `The body is compressed (${encoding}). Send it as it is.`,
  not_json: ([text]) => `The body is not JSON. ${beginning(text)}`,
  no_object: ([text]) => `The body is JSON, but not an object. ${beginning(text)}`,
  no_challenge: ([members]) => `The object has no member “challenge”${members === undefined ? '' : `, only ${members}`}.`,
  other_challenge: ([given]) => `The member “challenge” is not the string that was sent${given === undefined ? '' : ` but “${given}”`}.`,
  url_changed: () => 'The address was changed meanwhile. Verify the new one.',
  environment_changed: () => 'The endpoint was moved to another environment meanwhile. Verify it again.',
  endpoint_removed: () => 'The endpoint was removed meanwhile.',
  time_over: () => 'The challenge was not finished in time. Verify again.',
  unknown: () => 'Another release of the service ended it, for a reason that this one does not know.',
};

/** What happened in a step, and what to do about it. */
export function stepWords({ name, failure, facts = [] }: ChallengeStep): string {
  if (failure) return factsIn(failureWords, failure)(facts);
  switch (name) {
    case 'addresses':
      return facts.length > 0 ? `The name leads to ${list(facts)}.` : 'The name leads to this machine (DEVELOPMENT_WEBHOOK_HOSTS).';
    case 'connection':
      return `Connected to ${list(facts)}.`;
    case 'tls':
      return 'The certificate is valid for the name.';
    case 'status':
      return `The status is ${list(facts)}.`;
    case 'body':
      return 'The body is a JSON object with the string that was sent.';
  }
}

/** Why a whole challenge failed: in the words of the step that did, or by itself. */
export function failureWordsOf(failure: ChallengeFailure, steps: readonly ChallengeStep[]): string {
  return factsIn(failureWords, failure)(steps.find((step) => step.failure === failure)?.facts ?? []);
}

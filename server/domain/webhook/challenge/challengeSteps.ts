import type { OutboundErrorKind } from '../WebhookTransport.ts';

/** What a challenge goes through, in this order. */
export const challengeStepNames = ['addresses', 'connection', 'tls', 'status', 'body'] as const;
export type ChallengeStepName = (typeof challengeStepNames)[number];

export const challengeStepOutcomes = ['passed', 'failed'] as const;

/** Why an answer proves nothing, although it came. */
export type AnswerFault = 'redirected' | 'refused' | 'compressed' | 'not_json' | 'no_object' | 'no_challenge' | 'other_challenge';
/** Why a challenge ended without an attempt, or in spite of one. */
export type VoidReason = 'url_changed' | 'environment_changed' | 'endpoint_removed' | 'time_over';
export type ChallengeFailure = OutboundErrorKind | AnswerFault | VoidReason;

/** One step as it is stored: codes and facts, never words, which would go stale. */
export type ChallengeStep = {
  readonly name: ChallengeStepName;
  readonly outcome: (typeof challengeStepOutcomes)[number];
  /** When it ended. */
  readonly at: string;
  readonly tookMs: number;
  readonly failure?: ChallengeFailure;
  /** Addresses, the names of a certificate, a status, a target of a redirect, or how an answer begins. */
  readonly facts?: readonly string[];
};

/** The step at which an attempt ended that got no whole answer. */
const stepOf: { readonly [Kind in OutboundErrorKind]: ChallengeStepName } = {
  url_not_allowed: 'addresses',
  no_public_address: 'addresses',
  dns_timeout: 'addresses',
  connection_refused: 'connection',
  host_unreachable: 'connection',
  connect_timeout: 'connection',
  tls_timeout: 'tls',
  tls_failure: 'tls',
  tls_handshake_too_large: 'tls',
  certificate_expired: 'tls',
  certificate_not_yet_valid: 'tls',
  certificate_wrong_name: 'tls',
  certificate_untrusted: 'tls',
  connection_reset: 'status',
  timeout: 'status',
  protocol_error: 'status',
  unasked_upgrade: 'status',
  response_headers_too_large: 'status',
  response_too_large: 'body',
  interrupted: 'status',
  service_error: 'connection',
};

/** The step that failed, given the last one that had passed: a connection can be reset, and time can run out, at any of them. */
export function failedStep(kind: OutboundErrorKind, passed: ChallengeStepName | undefined): ChallengeStepName {
  const usual = stepOf[kind];
  const following = challengeStepNames[passed === undefined ? 0 : challengeStepNames.indexOf(passed) + 1] ?? 'body';
  return challengeStepNames.indexOf(usual) < challengeStepNames.indexOf(following) ? following : usual === 'status' ? following : usual;
}

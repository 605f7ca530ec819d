import { accountLimits } from '../../domain/account/accountLimits.ts';
import { certificateLimits } from '../../domain/certificate/certificateLimits.ts';
import { missedDeadline, sandboxInSuspension } from '../../domain/notification/words/consequences.ts';
import type { ErrorCode } from '../../domain/shared/errorCatalogue.ts';
import { KiB, limits, second } from '../../domain/shared/limits.ts';
import { spanWords } from '../../domain/shared/text/spanWords.ts';
import { linkCodeRefusals } from '../../domain/sharing/linkCodeFacts.ts';
import { serverLimits } from '../../platform/http/serverLimits.ts';

/** What a problem page says in addition to the catalogue's title, status and advice. Plain text; the parts in backticks become code. */
export type ProblemText = {
  readonly meaning: string;
  readonly steps: readonly string[];
  /** Whether repeating the same request can help. */
  readonly retry: 'no' | 'later' | 'corrected';
};

/** Whether to send the request again, as pages say it. */
export const retryWords = {
  no: 'No, the response will be the same.',
  later: 'Yes, later, with exponential backoff and not before Retry-After.',
  corrected: 'Only after it has been corrected.',
} as const satisfies Record<ProblemText['retry'], string>;

const oneOf = (reasons: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(reasons);
const deletionDeadline = spanWords(limits.deletionDeadline);
const linkCodeLifetime = spanWords(limits.linkCodeLifetime);

/** One entry for every code of the catalogue. */
export const problemTexts: Readonly<Record<ErrorCode, ProblemText>> = {
  invalid_request: {
    meaning:
      'Something in the request does not fit the contract: a query parameter, a header or a field of the body is unknown, missing, repeated or has a value that is not allowed. Unknown names are refused on purpose, so that a typo is not silently ignored.',
    steps: [
      'Read `errors`: `parameter` names a query parameter, `header` a header, and `pointer` a place in the body (an empty pointer means the body itself).',
      'Compare the request with the API description, which lists every parameter and field.',
    ],
    retry: 'corrected',
  },
  invalid_cursor: {
    meaning:
      'The cursor in `updated_since` was not issued to this client in its current feed, or was altered. Cursors do not expire, but the feed starts over when a sandbox’s test data is regenerated or a client’s scopes change; older cursors are then invalid.',
    steps: [
      'Start a recovery sync: call `GET /v1/sync` without `updated_since` and follow `next_cursor` while `has_more` is `true`.',
      'When it is complete, delete whatever you hold that it did not return.',
      'If it happens again, check that the cursor is stored unchanged, and separately for sandbox and production.',
    ],
    retry: 'no',
  },
  idempotency_key_required: {
    meaning: 'An acknowledgement needs the header `Idempotency-Key`, so that it can be retried safely if a response is lost.',
    steps: ['Choose a key for this acknowledgement, for example a random UUID, store it, and send the same key with every retry.'],
    retry: 'corrected',
  },
  client_certificate_required: {
    meaning: 'The connection had no client certificate. The machine API identifies its callers by their certificates only.',
    steps: [
      'Give your HTTP client the certificate from the portal and its private key.',
      'Check that no proxy in between terminates the TLS connection: the certificate must reach the machine API itself.',
    ],
    retry: 'corrected',
  },
  client_certificate_invalid: {
    meaning: 'The certificate that was presented was not issued by this service for client authentication, or its chain is incomplete.',
    steps: [
      'Present the PEM bundle as downloaded from the portal: your certificate first, then the chain.',
      'Check that it is not another service’s certificate, a self-signed one, or the server’s.',
      'If the detail says that it is of another installation, such as one for tests, use the certificate from the portal of the installation that you call.',
    ],
    retry: 'corrected',
  },
  client_certificate_expired: {
    meaning: `The certificate’s ${spanWords(certificateLimits.certificateLifetime)} are over, or it was replaced and the overlap with its successor has ended. A wrong clock on your side makes no difference: our clock decides.`,
    steps: [
      'Install the newer certificate, if there is one.',
      `Otherwise request a new one in the portal. The former one can stay active for up to ${spanWords(certificateLimits.certificateOverlap)}, so your next rotation needs no downtime.`,
    ],
    retry: 'corrected',
  },
  client_certificate_revoked: {
    meaning: 'The certificate was revoked in the portal. That takes effect at once and cannot be undone.',
    steps: [
      'Use the client’s other certificate if there is one, or request a new one with a new key.',
      'If you did not revoke it yourself, check the integration’s activity in the portal.',
    ],
    retry: 'corrected',
  },
  client_certificate_unknown: {
    meaning:
      'This service’s authority signed the certificate, but it is not on record for this client: its serial, fingerprint and common name must match.',
    steps: [
      'Download the certificate from the portal again and install exactly that file.',
      'Check that the certificate belongs to this installation of the service.',
    ],
    retry: 'corrected',
  },
  integration_not_active: {
    meaning: 'A production certificate works only while the integration is active. The sandbox answers in every status but retired.',
    steps: ['Open the page Go live of the integration in the portal: it shows the next step of review or activation.'],
    retry: 'no',
  },
  integration_suspended: {
    meaning: `Production access for this integration has been stopped, for example because a deletion was not acknowledged within its ${deletionDeadline}. ${sandboxInSuspension}`,
    steps: [
      'See in the portal why it was suspended.',
      'Complete outstanding deletions and record them in the portal: the machine API accepts no acknowledgements in the meantime.',
    ],
    retry: 'no',
  },
  integration_retired: {
    meaning: 'The integration was retired for good. Its certificates and connections have ended; deletion deadlines keep running.',
    steps: [
      'Delete everything that came from it, and record that in the portal.',
      'To continue, create a new integration; users must link it again.',
    ],
    retry: 'no',
  },
  renewal_not_enabled: {
    meaning:
      'The owner has not switched on renewal through EST for this client, so its back end cannot get a certificate without a person.',
    steps: [
      'Open the certificates page of the integration in the portal and switch on renewal for this environment; your passkey confirms it.',
      'Then send the same request again. Until then, request certificates on that page.',
    ],
    retry: 'corrected',
  },
  renewal_too_early: {
    meaning:
      'Too little of the lifetime of the certificate that made the call has passed. Renewing each certificate once, near its end, is enough.',
    steps: ['Send the request again from the time in `renewable_from` on. A job that runs once a day is enough.'],
    retry: 'later',
  },
  production_data_disabled: {
    meaning:
      'Production data is not available yet: the gate of the service or of this integration is closed. Approval and activation do not open it.',
    steps: [
      'Call `GET /v1/capabilities`, which always answers, and wait until `production_data_enabled` is `true`.',
      'Keep developing against the sandbox, which behaves the same way.',
    ],
    retry: 'later',
  },
  scope_required: {
    meaning:
      'The operation needs a scope that is missing. `required_scopes` lists the scopes of which one is enough; `missing_in` says where it is missing: `client` means that this client does not have it, `consent` that the user did not consent to it for this connection.',
    steps: [
      'For `client`: compare with the scopes in `GET /v1/capabilities`. A further scope needs a reviewed profile version.',
      'For `consent`: the user decides, and capabilities says nothing about it. Do not retry the request; the `scopes` of the connection’s snapshots say what is allowed.',
    ],
    retry: 'no',
  },
  not_found: {
    meaning:
      'There is nothing under this path or ID for this client. An ID from another integration, from the other environment or of another kind looks the same as a random one, on purpose.',
    steps: [
      'Use the IDs from this client’s own syncs and redemptions. The same order has different IDs in different integrations and connections.',
      'Once a sandbox’s test data has been regenerated, its previous IDs no longer exist: start a recovery sync.',
    ],
    retry: 'no',
  },
  link_code_not_redeemable: {
    meaning: `The code cannot be redeemed. It may be ${oneOf(linkCodeRefusals)}. Codes are valid for ${linkCodeLifetime}. Neither the response nor its timing reveals what it was.`,
    steps: [
      `Ask the user to get a new code for your integration and to enter it within ${linkCodeLifetime}.`,
      'Do not try the same code again, and never try codes that no user entered.',
    ],
    retry: 'no',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    steps: ['Use a method that the header `Allow` lists.'],
    retry: 'corrected',
  },
  request_timeout: {
    meaning: `The request was not complete, or its response not ready, within ${serverLimits.requestTimeout / second} seconds. If part of the request is missing, the connection is closed.`,
    steps: [
      'Retry a `GET`, or an acknowledgement with the same `Idempotency-Key`, with exponential backoff.',
      'Check that the body is as long as `Content-Length` says.',
    ],
    retry: 'later',
  },
  conflict: {
    meaning: 'What you wanted to change has changed in the meantime, or is in a state that does not allow it.',
    steps: ['Load the current state, then decide again.'],
    retry: 'no',
  },
  certificate_limit_reached: {
    meaning: `This client already has ${certificateLimits.certificatesPerClient} certificates that are pending or usable, the one that made the call among them. The next one is issued only when one of them is revoked or has ended.`,
    steps: [
      'If another one is the successor of the one that made the call, install it: the request that asked for it still gets it.',
      'Otherwise revoke the one that you do not need on the certificates page in the portal, then send the request again.',
    ],
    retry: 'corrected',
  },
  acknowledgement_window_closed: {
    meaning: `The deletion deadline, ${deletionDeadline} after the revocation, has passed without an acknowledgement. The machine API no longer accepts one. ${missedDeadline}`,
    steps: [
      'Delete every individual and derived copy now.',
      'The owner records the late deletion in the portal, on the integration’s deletions page.',
    ],
    retry: 'no',
  },
  access_ended: {
    meaning:
      'This resource was shared with you and has been revoked, on its own or with its connection. This is permanent: if the user shares it again, it gets a new ID.',
    steps: [
      'Delete every individual and derived copy of it.',
      'Acknowledge the revocation that `revocation_id` names, before `deletion_deadline_at`: `POST /v1/revocations/{revocation_id}/ack`.',
    ],
    retry: 'no',
  },
  content_too_large: {
    meaning: `The body is larger than ${limits.requestBodyBytes / KiB} KiB, which no operation needs.`,
    steps: ['Send only the fields that the API description lists.'],
    retry: 'corrected',
  },
  unsupported_media_type: {
    meaning: 'The body is not declared as JSON in UTF-8, or is compressed.',
    steps: ['Send `Content-Type: application/json` and no `Content-Encoding`.'],
    retry: 'corrected',
  },
  deletion_not_completed: {
    meaning: 'The acknowledgement says `deletion_completed: false`. Only a completed deletion can be acknowledged; nothing was recorded.',
    steps: ['Finish the deletion of every individual and derived copy, then send `{"deletion_completed": true}`.'],
    retry: 'corrected',
  },
  idempotency_key_reused: {
    meaning: `This \`Idempotency-Key\` was already used for another revocation, or with another body. Keys are kept for ${spanWords(limits.idempotencyKeyLifetime)}.`,
    steps: ['Use a separate key for each acknowledgement, and reuse it only with the same path and body.'],
    retry: 'corrected',
  },
  rate_limit_exceeded: {
    meaning:
      'A quota of this client is used up; `violated_policies` uses the names from the header `RateLimit-Policy`. All certificates of the client share the quotas. The refused request does not count. `unauthenticated` counts requests without a usable certificate by their source address.',
    steps: [
      'Wait for the number of seconds in `Retry-After` before the next request.',
      'Read `RateLimit` on every response, and slow down before it reaches 0.',
      `Sync every ${spanWords(limits.pollingIntervalSeconds * second)}, and use \`If-None-Match\`, instead of requesting single resources in a loop.`,
    ],
    retry: 'later',
  },
  concurrency_limit_exceeded: {
    meaning: `This client already has the maximum number of concurrent requests (${limits.concurrentRequests} unless capabilities says otherwise).`,
    steps: [
      `Let running requests finish first, and limit your HTTP client’s pool to ${limits.concurrentRequests} connections.`,
      'Wait for the number of seconds in `Retry-After`.',
    ],
    retry: 'later',
  },
  link_code_attempts_exceeded: {
    meaning: `Too many redemptions: more than ${limits.linkCodeRedemptionsPerHour} an hour by this client, or more than ${limits.linkCodeRedemptionsPerIpPer15Minutes} in 15 minutes from this source address, where malformed ones do not count. It says nothing about the code.`,
    steps: [
      `Wait for the number of seconds in \`Retry-After\`. The user’s code remains valid for its ${linkCodeLifetime}.`,
      'Redeem a code once, when a user has entered all ten digits.',
    ],
    retry: 'later',
  },
  headers_too_large: {
    meaning: `The request line and the headers together are larger than ${serverLimits.requestHeadBytes / KiB} KiB or have more than ${serverLimits.requestHeaderLines} lines, or one header is longer than it may be. \`detail\` and \`errors\` then name it.`,
    steps: ['Send fewer or shorter headers; the machine API needs no cookies and no authorization header.'],
    retry: 'corrected',
  },
  internal_error: {
    meaning: 'Something failed on our side. It is logged under the `request_id`.',
    steps: [
      'Retry a `GET`, or an acknowledgement with the same `Idempotency-Key`, with exponential backoff.',
      'If the problem persists, report the `request_id`.',
    ],
    retry: 'later',
  },
  not_implemented: {
    meaning:
      'The request has a method that no path of the service takes, for example `PROPFIND` or `get` in lower case, or it names a transfer coding other than `chunked`, for example `Transfer-Encoding: gzip`. The service does not decode such codings, so it cannot tell where the body ends.',
    steps: [
      'Use the method that the API description gives for the path, in capital letters.',
      'Send the body as it is, with its `Content-Length`. Most HTTP clients do this when the body is given as a string or as bytes.',
      'If the length is not known in advance, use `Transfer-Encoding: chunked` alone.',
    ],
    retry: 'corrected',
  },
  temporarily_unavailable: {
    meaning: 'The service is temporarily unavailable, for example because its database cannot be reached.',
    steps: ['Retry with exponential backoff with jitter, from 1 second up to at most 5 minutes, and never before `Retry-After`.'],
    retry: 'later',
  },
  http_version_not_supported: {
    meaning:
      'The request is written in another version of HTTP, for example HTTP/2 without negotiation. The service speaks HTTP/1.1, and HTTP/1.0 to clients that use it. The connection is closed.',
    steps: [
      'Let the HTTP client use HTTP/1.1. Clients that negotiate the version with TLS (ALPN) do so by themselves.',
      'If a proxy stands between you and the service, set its connections to HTTP/1.1.',
    ],
    retry: 'corrected',
  },
  unauthenticated: {
    meaning: 'The portal cannot tell who is asking: there is no session, it has ended, or the service token is not valid.',
    steps: [
      `Sign in with a passkey; sessions end after ${spanWords(accountLimits.sessionIdle)} of inactivity, or after ${spanWords(accountLimits.sessionLifetime)}.`,
      'For tooling: check the token’s expiry and whether it was revoked.',
    ],
    retry: 'corrected',
  },
  fresh_passkey_required: {
    meaning: `This action needs a passkey confirmation from the last ${spanWords(accountLimits.freshPasskey)}.`,
    steps: ['Confirm with your passkey when the portal asks, then try again.'],
    retry: 'corrected',
  },
  forbidden: {
    meaning: 'You are signed in, but this action needs another role, session or permission.',
    steps: ['Sign in with the account that has the role, or use a service token with the permission.'],
    retry: 'no',
  },
};

import { KiB, limits } from './limits.ts';

type GraphqlCode =
  | 'UNAUTHENTICATED'
  | 'FRESH_PASSKEY_REQUIRED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'TEMPORARILY_UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

type CatalogueRow = {
  readonly status: number;
  readonly title: string;
  /** What the caller can do about it. The problem page shows it. */
  readonly advice: string;
  readonly graphql: GraphqlCode;
  /** The machine API never returns it. */
  readonly portalOnly?: true;
};

/**
 * Every refusal of the service: its stable code, HTTP status (RFC 9457), title, advice, and the code that GraphQL shows. The problem
 * pages, the OpenAPI examples and both transports read this table.
 */
export const errorCatalogue = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    advice: 'Correct the fields, parameters or headers that `errors` names.',
    graphql: 'BAD_USER_INPUT',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    advice: 'Start a recovery sync: call /v1/sync without updated_since and follow next_cursor to the end.',
    graphql: 'BAD_USER_INPUT',
  },
  idempotency_key_required: {
    status: 400,
    title: 'Idempotency-Key required',
    advice: 'Send an Idempotency-Key header, stable for this acknowledgement.',
    graphql: 'BAD_USER_INPUT',
  },
  client_certificate_required: {
    status: 401,
    title: 'Client certificate required',
    advice: 'Present the client certificate that the portal issued for this environment.',
    graphql: 'UNAUTHENTICATED',
  },
  client_certificate_invalid: {
    status: 401,
    title: 'Client certificate invalid',
    advice: 'Present a certificate issued by this service, with its chain.',
    graphql: 'UNAUTHENTICATED',
  },
  client_certificate_expired: {
    status: 401,
    title: 'Client certificate expired',
    advice: 'Request a new certificate in the portal and install it.',
    graphql: 'UNAUTHENTICATED',
  },
  client_certificate_revoked: {
    status: 401,
    title: 'Client certificate revoked',
    advice: 'Use the other certificate of this client, or request a new one in the portal.',
    graphql: 'UNAUTHENTICATED',
  },
  client_certificate_unknown: {
    status: 401,
    title: 'Client certificate unknown',
    advice: 'Download the certificate from the portal again; this one is not on record.',
    graphql: 'UNAUTHENTICATED',
  },
  integration_not_active: {
    status: 403,
    title: 'Integration not active',
    advice: 'Production requires the status active: complete review and activation in the portal.',
    graphql: 'FORBIDDEN',
  },
  integration_suspended: {
    status: 403,
    title: 'Integration suspended',
    advice: 'Production access is stopped. The integration page in the portal says why.',
    graphql: 'FORBIDDEN',
  },
  integration_retired: {
    status: 403,
    title: 'Integration retired',
    advice: 'A retired integration has no access. Create a new one.',
    graphql: 'FORBIDDEN',
  },
  renewal_not_enabled: {
    status: 403,
    title: 'Renewal not enabled',
    advice: 'The owner switches renewal through EST on for this client on the certificates page in the portal.',
    graphql: 'FORBIDDEN',
  },
  renewal_too_early: {
    status: 403,
    title: 'Renewal too early',
    advice: 'Renew when two thirds of the certificate’s lifetime have passed; `renewable_from` says when.',
    graphql: 'FORBIDDEN',
  },
  production_data_disabled: {
    status: 403,
    title: 'Production data disabled',
    advice: 'Wait until capabilities reports production_data_enabled=true.',
    graphql: 'FORBIDDEN',
  },
  scope_required: {
    status: 403,
    title: 'Scope required',
    advice: '`missing_in` says where the scope is missing: for this client, or in the user’s consent for this connection.',
    graphql: 'FORBIDDEN',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    advice: 'Use the identifiers that this client received; they are different for every integration.',
    graphql: 'NOT_FOUND',
  },
  link_code_not_redeemable: {
    status: 404,
    title: 'Link code not redeemable',
    advice: 'Ask the user for a new code. The reason why this one cannot be redeemed is never disclosed.',
    graphql: 'NOT_FOUND',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    advice: 'Use one of the methods in the Allow header.',
    graphql: 'BAD_USER_INPUT',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    advice: 'Send the whole request within 30 seconds.',
    graphql: 'BAD_USER_INPUT',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    advice: 'Reload, check the current state, then try again.',
    graphql: 'CONFLICT',
    portalOnly: true,
  },
  certificate_limit_reached: {
    status: 409,
    title: 'Certificate limit reached',
    advice: 'No place is left for another certificate of this client. Use the newest one, or revoke one in the portal.',
    graphql: 'CONFLICT',
  },
  acknowledgement_window_closed: {
    status: 409,
    title: 'Acknowledgement window closed',
    advice: 'The deletion deadline has passed. Delete every copy, then record the deletion in the portal.',
    graphql: 'CONFLICT',
  },
  access_ended: {
    status: 410,
    title: 'Access ended',
    advice: 'Delete every copy of this resource and acknowledge the deletion before the deadline.',
    graphql: 'NOT_FOUND',
  },
  content_too_large: {
    status: 413,
    title: 'Content too large',
    advice: `Send at most ${limits.requestBodyBytes / KiB} KiB.`,
    graphql: 'BAD_USER_INPUT',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    advice: 'Send Content-Type: application/json, or application/pkcs10 for a certificate request.',
    graphql: 'BAD_USER_INPUT',
  },
  deletion_not_completed: {
    status: 422,
    title: 'Deletion not completed',
    advice: 'Acknowledge with deletion_completed: true, only after every individual and derived copy is deleted.',
    graphql: 'BAD_USER_INPUT',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    advice: 'This key belongs to another acknowledgement. Use one key for one revocation and one body.',
    graphql: 'CONFLICT',
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'Rate limit exceeded',
    advice: 'Wait for the time in Retry-After; the quota is shared by all certificates of the client.',
    graphql: 'RATE_LIMITED',
  },
  concurrency_limit_exceeded: {
    status: 429,
    title: 'Too many concurrent requests',
    advice: 'Let running requests finish before the next one starts.',
    graphql: 'RATE_LIMITED',
  },
  link_code_attempts_exceeded: {
    status: 429,
    title: 'Too many redemption attempts',
    advice: 'Wait for the time in Retry-After.',
    graphql: 'RATE_LIMITED',
  },
  headers_too_large: { status: 431, title: 'Headers too large', advice: 'Send at most 16 KiB of headers.', graphql: 'BAD_USER_INPUT' },
  internal_error: {
    status: 500,
    title: 'Internal error',
    advice: 'Try again later. If the problem persists, report the request_id.',
    graphql: 'INTERNAL_SERVER_ERROR',
  },
  not_implemented: {
    status: 501,
    title: 'Not implemented',
    advice: 'Use a method that the path takes, and send a body with Content-Length, or with Transfer-Encoding: chunked alone.',
    graphql: 'BAD_USER_INPUT',
  },
  temporarily_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    advice: 'Retry with bounded exponential backoff, but never before Retry-After.',
    graphql: 'TEMPORARILY_UNAVAILABLE',
  },
  http_version_not_supported: {
    status: 505,
    title: 'HTTP version not supported',
    advice: 'Send the request as HTTP/1.1.',
    graphql: 'BAD_USER_INPUT',
  },

  unauthenticated: {
    status: 401,
    title: 'Sign in required',
    advice: 'Sign in with a passkey.',
    graphql: 'UNAUTHENTICATED',
    portalOnly: true,
  },
  fresh_passkey_required: {
    status: 403,
    title: 'Fresh passkey confirmation required',
    advice: 'Confirm with your passkey; the confirmation lasts five minutes.',
    graphql: 'FRESH_PASSKEY_REQUIRED',
    portalOnly: true,
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    advice: 'This action needs another role or session.',
    graphql: 'FORBIDDEN',
    portalOnly: true,
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;

export type ErrorCode = keyof typeof errorCatalogue;

/** What a code that was read from the request log means; null if only a later release knows it, which runs beside this one during an upgrade. */
export function loggedError(code: ErrorCode): Pick<CatalogueRow, 'title' | 'advice'> | null {
  return Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code] : null;
}

/** What the machine API may answer instead of what was requested, in the order of the catalogue. */
export function machineProblems(): { code: ErrorCode; status: number; title: string; advice: string }[] {
  const rows = Object.entries(errorCatalogue) as [ErrorCode, CatalogueRow][];
  return rows.filter(([, row]) => !row.portalOnly).map(([code, { status, title, advice }]) => ({ code, status, title, advice }));
}

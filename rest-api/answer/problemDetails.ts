import { DomainError } from '../../server/domain/shared/DomainError.ts';
import { errorCatalogue, type ErrorCode } from '../../server/domain/shared/errorCatalogue.ts';
import type { Scope } from '../../server/domain/shared/scopes.ts';

/** A place in the request that breaks a rule. The place is left out if its name is not one of ours. */
type ProblemError = ({ readonly pointer: string } | { readonly parameter: string } | { readonly header: string } | object) & {
  readonly detail: string;
};

/** The members that the machine contract adds to those of RFC 9457. */
type ProblemExtensions = {
  readonly errors?: readonly ProblemError[];
  readonly violated_policies?: readonly string[];
  readonly required_scopes?: readonly Scope[];
  readonly missing_in?: 'client' | 'consent';
  readonly renewable_from?: string;
  readonly revocation_id?: string;
  readonly deletion_deadline_at?: string;
};

/** A problem as it is sent (RFC 9457). */
type ProblemDetails = ProblemExtensions & {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly retry_after_seconds?: number;
};

const problemMediaType = 'application/problem+json';

/** A refusal by the machine API: a row of the error catalogue, with its extensions and the headers that belong to it. */
export class Problem extends DomainError {
  readonly extensions: ProblemExtensions;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    {
      extensions = {},
      headers = {},
      ...particulars
    }: { detail?: string; retryAfterSeconds?: number; extensions?: ProblemExtensions; headers?: Record<string, string> } = {},
  ) {
    super(code, { ...particulars, retryAfterSeconds: particulars.retryAfterSeconds });
    this.extensions = extensions;
    this.headers = headers;
  }
}

/** `invalid_request` about one query parameter. */
export function invalidParameter(parameter: string, detail: string): Problem {
  return new Problem('invalid_request', { detail, extensions: { errors: [{ parameter, detail }] } });
}

/** `invalid_request` about one place in the body (a pointer of RFC 6901; '' is the whole body). */
export function invalidBody(pointer: string, detail: string): Problem {
  return new Problem('invalid_request', { detail, extensions: { errors: [{ pointer, detail }] } });
}

/** `invalid_request` about one header. */
export function invalidHeader(header: string, detail: string): Problem {
  return new Problem('invalid_request', { detail, extensions: { errors: [{ header, detail }] } });
}

/** Turns any thrown value into a problem. Whatever is not one of our refusals becomes `internal_error`, which reveals nothing. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof DomainError)) return new Problem('internal_error');
  const errors = error.fields.map((field) => ({ pointer: `/${field.path.replaceAll('.', '/')}`, detail: field.message }));
  const problem = new Problem(error.code, {
    detail: error.message,
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    extensions: errors.length > 0 ? { errors } : {},
  });
  problem.cause = error.cause;
  return problem;
}

/**
 * The body of a problem. `instance` is the request's path (`instanceOf`); `portalUrl` is the origin of the pages that explain each code.
 */
export function problemDetails(
  problem: Problem,
  { portalUrl, instance, requestId }: { portalUrl: string; instance: string; requestId: string },
): ProblemDetails {
  const { status, title } = errorCatalogue[problem.code];
  return {
    type: `${portalUrl}/problems/${problem.code}`,
    title,
    status,
    detail: problem.message === title ? errorCatalogue[problem.code].advice : problem.message,
    instance,
    code: problem.code,
    request_id: requestId,
    ...problem.extensions,
    ...(problem.retryAfterSeconds !== undefined && { retry_after_seconds: problem.retryAfterSeconds }),
  };
}

/** The headers that a problem needs: Retry-After, and a challenge with a 401 (RFC 9110, section 11.6.1). */
export function problemHeaders(problem: Problem): Record<string, string> {
  return {
    'Content-Type': problemMediaType,
    ...(problem.retryAfterSeconds !== undefined && { 'Retry-After': String(problem.retryAfterSeconds) }),
    ...(errorCatalogue[problem.code].status === 401 && { 'WWW-Authenticate': 'SvcClientCertificate realm="svc"' }),
    ...problem.headers,
  };
}

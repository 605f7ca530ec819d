import { errorCatalogue, type ErrorCode } from './errorCatalogue.ts';

/** One field that breaks a rule: the path in the input, and the rule in words. */
export type FieldError = { readonly path: string; readonly message: string };

type Particulars = {
  /** What happened, in words for the caller. Never contains secrets or another's data. */
  readonly detail?: string;
  readonly fields?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
};

/** A refusal with a row in the error catalogue. Transports turn it into a problem (RFC 9457) or a GraphQL error. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, { detail, fields = [], retryAfterSeconds }: Particulars = {}) {
    super(detail ?? (fields.map((field) => field.message).join(' ') || errorCatalogue[code].title));
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Throws `invalid_request` with all broken rules at once; does nothing when there are none. */
export function refuseInvalid(fields: readonly FieldError[]): void {
  if (fields.length > 0) throw new DomainError('invalid_request', { fields });
}

import { errorCatalogue, type ErrorCode } from './errorCatalogue.ts';

/** A field that breaks a rule: its path in the input, and the rule in words. */
export type FieldError = { readonly path: string; readonly message: string };

type Particulars = {
  /** What happened, in words for the caller. It never contains secrets or anybody else's data. */
  readonly detail?: string;
  readonly fields?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
};

/** For refusals that pass by themselves (429, 503): the caller is always told when to come back. */
type PassingCode = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]['status'] extends 429 | 503 ? Code : never;
}[ErrorCode];
export type LastingCode = Exclude<ErrorCode, PassingCode>;

/** A refusal with a row in the error catalogue. Transports turn it into a problem (RFC 9457) or a GraphQL error. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: PassingCode, particulars: Particulars & { readonly retryAfterSeconds: number });
  constructor(code: LastingCode, particulars?: Particulars);
  /** For code that passes on another refusal unchanged. */
  constructor(code: ErrorCode, particulars: Omit<Particulars, 'retryAfterSeconds'> & { readonly retryAfterSeconds: number | undefined });
  constructor(
    code: ErrorCode,
    { detail, fields = [], retryAfterSeconds }: { [Name in keyof Particulars]: Particulars[Name] | undefined } = {},
  ) {
    super(detail ?? (fields.map((field) => field.message).join(' ') || errorCatalogue[code].title));
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Throws `invalid_request` with all broken rules at once. Does nothing if there are none. */
export function refuseInvalid(fields: readonly FieldError[]): void {
  if (fields.length > 0) throw new DomainError('invalid_request', { fields });
}

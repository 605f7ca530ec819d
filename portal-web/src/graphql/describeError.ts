import type { CombinedError } from '@urql/core';

/** What the reader is told about a failure, and what the page can do about it. */
export type DescribedError = {
  /** The catalogue's code, or `NETWORK` if there was no response. */
  code: string;
  /** What happened and what to do next, in whole sentences. */
  message: string;
  /** Messages by input field, for `BAD_USER_INPUT`; empty otherwise. */
  fields: Readonly<Record<string, string>>;
};

type FieldError = { path: string; message: string };

const fallbacks: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'Your session has ended. Sign in again to continue.',
  FRESH_PASSKEY_REQUIRED: 'Confirm this with your passkey.',
  FORBIDDEN: 'Your account does not have permission to do this.',
  NOT_FOUND: 'There is nothing here, or it belongs to another account.',
  BAD_USER_INPUT: 'Some of the values are not valid. Check the marked fields.',
  CONFLICT: 'Something changed in the meantime. Reload the page and try again.',
  RATE_LIMITED: 'Too many attempts. Wait a minute, then try again.',
};

/** The code of an operation that the service no longer knows, because this page was loaded before the portal was updated. */
export const outdated = 'GRAPHQL_VALIDATION_FAILED';
const updated =
  'The portal has been updated since you opened this page. Reload the page to go on. What you have entered here will be lost, so copy it first.';

/** The catalogue's code of the first error, or `NETWORK` if there was no response. */
export function codeOf(error: CombinedError): string {
  const code = error.graphQLErrors[0]?.extensions?.['code'];
  if (typeof code === 'string') return code;
  return error.networkError ? 'NETWORK' : 'INTERNAL';
}

/** Whether the service has refused the cursor of a list's page. It does so if the item that the cursor names is gone. */
export function refusesCursor(error: CombinedError): boolean {
  return 'after' in describeError(error).fields;
}

/** Turns any failure into words. All pages use it. */
export function describeError(error: unknown): DescribedError {
  if (isCombined(error)) return describeCombined(error);
  return { code: 'INTERNAL', message: unexpected, fields: {} };
}

const unavailable = 'The portal is not available at the moment. Try again in a minute.';
const unexpected = 'Something went wrong on our side. Try again, or come back in a few minutes.';

function describeCombined(error: CombinedError): DescribedError {
  const code = codeOf(error);
  const first = error.graphQLErrors[0];
  if (!first) return { code, message: describeNetwork(error), fields: {} };
  if (code === outdated) return { code, message: updated, fields: {} };
  const written = first.message.trim();
  const known = code in fallbacks;
  if (first.extensions?.['done'] === true) return { code, message: written, fields: {} };
  if (!known && statusOf(error) === 503) return { code, message: unavailable, fields: {} };
  return { code, message: known ? written || (fallbacks[code] ?? unexpected) : unexpected, fields: fieldsOf(first.extensions) };
}

function describeNetwork(error: CombinedError): string {
  const status = statusOf(error);
  if (status === 429) return fallbacks['RATE_LIMITED'] ?? unexpected;
  if (status && status >= 500) return unavailable;
  return 'The portal did not answer. Check your connection, then try again.';
}

function statusOf(error: CombinedError): number | undefined {
  return (error.response as Response | undefined)?.status;
}

function fieldsOf(extensions: Record<string, unknown> | undefined): Record<string, string> {
  const list = extensions?.['fields'];
  if (!Array.isArray(list)) return {};
  const fields: Record<string, string> = {};
  for (const { path, message } of list.filter(isFieldError)) {
    // "input.requestedScopes.0" belongs to the control "requestedScopes".
    const name = path.replace(/^input\./, '').split(/[.[]/)[0] ?? path;
    fields[name] ??= message;
  }
  return fields;
}

function isFieldError(value: unknown): value is FieldError {
  const candidate = value as Partial<FieldError> | null;
  return typeof candidate?.path === 'string' && typeof candidate.message === 'string';
}

function isCombined(error: unknown): error is CombinedError {
  return error instanceof Error && 'graphQLErrors' in error && Array.isArray(error.graphQLErrors);
}

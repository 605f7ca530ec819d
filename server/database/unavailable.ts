import { DomainError } from '../domain/shared/DomainError.ts';
import { tlsRefusal } from './connection/tlsRefusal.ts';

/** How long a caller is told to wait while the database is out of reach. */
export const retryAfterSeconds = 5;

/**
 * The SQLSTATE classes and codes that mean "not now": connection, resources (no space, too many connections), operator intervention, time
 * limits, serialisation, and a server that only reads (a standby, or one that has been told so).
 */
const passingStates = /^(08|53|57|58|40)|^55P03$|^25P03$|^25006$/;
const passingCodes = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOENT',
]);

/** The messages of the client library pg, which have no code, when a connection breaks or cannot be opened in time. */
const passingMessages =
  /^(Connection terminated|The server does not support SSL connections|There was an error establishing an SSL connection|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout|Received unexpected \w+ message)/;

/** The SQLSTATE of text that PostgreSQL cannot hold, such as text with a NUL character. It can only have come from the caller. */
const unstorableText = '22021';

/**
 * Turns "the database is out of reach" into `temporarily_unavailable`, and text that it cannot hold into `invalid_request`. Every other
 * error stays as it is.
 */
export function unavailable(error: unknown): unknown {
  // Not `instanceof Error`, because errors from Node's own modules may come from another realm.
  const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === unstorableText)
    return new DomainError('invalid_request', { detail: 'The request contains a character that cannot be stored.' });
  const message =
    typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string' ? error.message : '';
  const words = passingMessages.exec(message)?.[0];
  const passing =
    code === ''
      ? words !== undefined
      : passingCodes.has(code) || tlsRefusal(error) !== undefined || (/^[0-9A-Z]{5}$/.test(code) && passingStates.test(code));
  if (!passing) return error;
  const refusal = new DomainError('temporarily_unavailable', { retryAfterSeconds });
  refusal.cause = code || words;
  return refusal;
}

/** Why a 503 was answered, for the log: a code, the words of the client library, or those of the refusal. Undefined for every other refusal. */
export function causeOf({ code, cause, message }: DomainError): string | undefined {
  if (code !== 'temporarily_unavailable') return undefined;
  return typeof cause === 'string' ? cause : message;
}

const noAnswer = 'TIMED_OUT';

/** Whether this is the refusal of `withinTime`. */
export function timedOut(error: object): boolean {
  return 'cause' in error && error.cause === noAnswer;
}

/** The refusal of a caller who cannot wait any longer. */
export function notInTime(): DomainError {
  const refusal = new DomainError('temporarily_unavailable', { retryAfterSeconds, detail: 'The database did not answer in time.' });
  refusal.cause = noAnswer;
  return refusal;
}

/** Waits at most this long and ignores what comes later. Rejects with `temporarily_unavailable`. */
export function withinTime<Result>(work: PromiseLike<Result>, milliseconds: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(notInTime()), milliseconds);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

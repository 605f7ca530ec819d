import { createHash } from 'node:crypto';
import { webhookLimits } from '../../outbox/webhookLimits.ts';

/** What an attempt means for its delivery. */
type AttemptOutcome = 'delivered' | 'retry' | 'dead';

/** How an attempt ended: with a status, with the kind of a transport failure, or with both if the answer broke off. */
type AttemptEnd = {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
};

const retriedStatuses = new Set([408, 409, 425, 429]);

/**
 * Whether an attempt has delivered, is repeated, or ends the delivery (docs/specification.md, “Delivery”). A redirect is an answer like any
 * other, and a 2xx that was too large or broke off is none.
 */
export function attemptOutcome({ status, error }: AttemptEnd): AttemptOutcome {
  if (error !== undefined || status === undefined) return 'retry';
  if (status >= 200 && status < 300) return 'delivered';
  return isRetried(status) ? 'retry' : 'dead';
}

function isRetried(status: number): boolean {
  return retriedStatuses.has(status) || (status >= 500 && status < 600);
}

/**
 * How many milliseconds pass after failed attempt `n` (1 is the first). The exponential delay is shortened by up to a quarter, always by
 * the same for the same attempt, so that deliveries that failed together do not come back together.
 */
export function retryDelay(eventId: string, endpointId: string, n: number): number {
  const { start, most } = webhookLimits.webhookRetry;
  // From the eleventh attempt on, any power is beyond the largest delay.
  const exponential = Math.min(most, start * 2 ** Math.min(n - 1, 20));
  return Math.round(exponential * (1 - 0.25 * jitter(eventId, endpointId, n)));
}

/**
 * A number from 0 to less than 1: the first 48 bits, as a big-endian integer divided by 2^48, of the SHA-256 of the event's ID, the
 * endpoint's ID and the attempt's number in decimal digits, joined by line feeds, in UTF-8.
 */
function jitter(eventId: string, endpointId: string, n: number): number {
  return createHash('sha256').update(`${eventId}\n${endpointId}\n${n}`).digest().readUIntBE(0, 6) / 2 ** 48;
}

type FailedAttempt = {
  readonly eventId: string;
  readonly endpointId: string;
  /** 1 is the first. */
  readonly n: number;
  /** When it ended. All instants are milliseconds since 1970. */
  readonly endedAt: number;
  readonly windowEndsAt: number;
  readonly status?: number | undefined;
  readonly retryAfter?: string | undefined;
};

/**
 * When a delivery is tried again after a failed attempt, or null if its window is over by then. A `Retry-After` lengthens the delay, but
 * not beyond six hours, and not beyond the window: the last attempt is then made shortly before its end.
 */
export function nextAttemptAt({ eventId, endpointId, n, endedAt, windowEndsAt, status, retryAfter }: FailedAttempt): number | null {
  const planned = endedAt + retryDelay(eventId, endpointId, n);
  if (planned >= windowEndsAt) return null;
  const wished = status !== undefined && isRetried(status) ? readRetryAfter(retryAfter, endedAt) : null;
  if (wished === null) return planned;
  const latest = Math.min(endedAt + webhookLimits.webhookRetry.most, windowEndsAt - webhookLimits.webhookRetry.lastChance);
  return Math.max(planned, Math.min(endedAt + wished, latest));
}

const imfDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * The delay that a `Retry-After` asks for (RFC 9110, section 10.2.3), in milliseconds from `now`: seconds, or a date in one of the three
 * forms of section 5.6.7. Returns null for anything else, which is ignored.
 */
function readRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = imfDate.test(text) || rfc850Date.test(text) ? text : asctimeDate.test(text) ? `${text} GMT` : null;
  const at = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

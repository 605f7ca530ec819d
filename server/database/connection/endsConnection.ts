import { timedOut } from '../unavailable.ts';

/**
 * Read-only (25006: a standby, or a server that has been told so), no space (53100), no memory (53200). Another connection may lead to a server
 * that can. What else means “not now” either breaks its connection anyway or has not got one yet.
 */
const uselessServer = new Set(['25006', '53100', '53200']);

/** Those of them that no one can ask a server about: it answers, and only what needs more space fails. */
const exhausted = new Set(['53100', '53200']);
const rememberedFor = 10_000;
let exhaustedAt = Number.NEGATIVE_INFINITY;

/** What pg says when a statement was not answered within its limit. It has no code. */
const unanswered = 'Query read timeout';

/** The routine of PostgreSQL that finds that a prepared statement gives other columns than before, as after a migration. */
const planChanged = 'RevalidateCachedQuery';

/**
 * A prepared statement is not there (26000), or is there already (42P05): a pooler has led the connection to another session, or its session
 * was reset.
 */
const otherSession = new Set(['26000', '42P05']);

/**
 * Milliseconds. A connection that is younger leads to where another one would, which costs a server that can only be read a handshake for
 * each statement.
 */
const reconsideredAfter = 1_000;

/**
 * Whether a connection that was made at this time (`performance.now()`) must not be used again after a statement has failed on it with this error:
 * its server cannot do its work, or has not answered in time, or what is prepared on it has become stale. A machine that vanishes says nothing,
 * and the kernel believes in the connection for a quarter of an hour. `serverExhausted` remembers why a server cannot.
 */
export function endsConnection(error: unknown, connectedAt = Number.NEGATIVE_INFINITY): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (timedOut(error) || ('message' in error && error.message === unanswered)) return true;
  if (preparedInVain(error)) return true;
  if (!('code' in error) || typeof error.code !== 'string') return false;
  if (exhausted.has(error.code)) exhaustedAt = performance.now();
  return uselessServer.has(error.code) && performance.now() - connectedAt >= reconsideredAfter;
}

/** Whether a statement has not begun, because what was prepared for it has become stale. On another connection it is prepared again. */
export function preparedInVain(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('routine' in error && error.routine === planChanged) return true;
  return 'code' in error && typeof error.code === 'string' && otherSession.has(error.code);
}

/** Whether a server has refused a statement of this process within the last ten seconds, because it had no space or no memory for it. */
export function serverExhausted(now = performance.now()): boolean {
  return now - exhaustedAt <= rememberedFor;
}

import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';

/** The purpose of a WebAuthn challenge. It cannot be used for anything else. */
export type ChallengePurpose = 'registration' | 'sign_in' | 'confirmation';

/**
 * How many tabs of one session may have a ceremony in progress. The oldest one makes room for the next. Index webauthn_challenge_session.
 */
const challengesPerSession = 20;
const rememberSql = `
  with outdated as (
    delete from webauthn_challenge where challenge_hash in (
      select challenge_hash from webauthn_challenge where session_id = $3 order by expires_at desc offset ${challengesPerSession - 1}))
  insert into webauthn_challenge (challenge_hash, purpose, session_id, user_handle, expires_at) values ($1, $2, $3, $4, $5)`;

/** Remembers a challenge (base64url) for five minutes, bound to its purpose and session. */
export async function rememberChallenge(
  em: EntityManager,
  {
    challenge,
    purpose,
    sessionId,
    userHandle,
    now,
  }: { challenge: string; purpose: ChallengePurpose; sessionId: string | null; userHandle?: Buffer; now: Date },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + limits.challengeLifetime);
  await sql(em, rememberSql, [challengeHash(challenge), purpose, sessionId, userHandle ?? null, expiresAt]);
}

/** Removes the challenge before anything is verified. Null if it was created for another purpose, has expired or was already removed. */
export async function takeChallenge(
  em: EntityManager,
  { challenge, purpose, sessionId, now }: { challenge: string; purpose: ChallengePurpose; sessionId: string | null; now: Date },
): Promise<{ userHandle: Buffer | null } | null> {
  const [row] = await sql<{ user_handle: Buffer | null; good: boolean }>(
    em,
    `delete from webauthn_challenge where challenge_hash = $1 and purpose = $2 and session_id is not distinct from $3
     returning user_handle, expires_at > $4 as good`,
    [challengeHash(challenge), purpose, sessionId, now],
  );
  return row?.good ? { userHandle: row.user_handle } : null;
}

function challengeHash(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}

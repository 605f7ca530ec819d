import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import type { Role } from '../../shared/actor.ts';
import { accountLimits } from '../accountLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { SessionKind } from './PortalSession.ts';
import type { SessionClaim } from './sessionCookie.ts';

/** A session that is valid now, with what the request may know about its operator. */
export type AuthenticatedSession = {
  readonly id: string;
  readonly kind: SessionKind;
  readonly operatorId: string | null;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly confirmedUntil: Date | null;
  /** The earlier of the idle and the absolute end. */
  readonly expiresAt: Date;
  /** The generation that the browser should hold from now on: its own, or the next one if nobody has used that yet. */
  readonly generation: number;
  /** The generation of the cookie that came with the request. */
  readonly presented: number;
};

type Row = {
  kind: SessionKind;
  operator_id: string | null;
  email: string;
  roles: Role[] | null;
  generation: number;
  confirmed_at: Date | null;
  rotated_at: Date;
  last_used_at: Date;
  expires_at: Date;
  confirmed_until: Date | null;
  confirmed_generation: number | null;
};

/**
 * The session that a cookie claims, or null if it has ended, has been idle for too long or is not ours. `background` requests (polling) do
 * not count as use. After ten minutes of use, the generation rises. Until the new cookie is first seen, the former one is exchanged for it,
 * because the response may have been lost. For 60 seconds more, the former one only serves requests in progress; if it is used after that,
 * the session ends, because somebody else must hold a copy (docs/specification.md, “Sessions”). A fresh confirmation is valid only with the
 * cookie that it returned.
 */
export async function authenticateSession(
  em: EntityManager,
  claim: SessionClaim,
  { background, now }: { background: boolean; now: Date },
): Promise<AuthenticatedSession | null> {
  const row = await readSession(em, claim.sessionId);
  const at = now.getTime();
  if (!row || isOver(row, at)) return null;

  const behind = row.generation - claim.generation;
  const graceOver = row.confirmed_at !== null && at > row.confirmed_at.getTime() + accountLimits.previousGenerationGrace;
  if (behind < 0) return null;
  if (behind > 1 || (behind === 1 && graceOver)) {
    await endCopiedSession(em, claim.sessionId, row.operator_id, now);
    return null;
  }
  if (behind === 0 && row.generation > 0 && row.confirmed_at === null) await confirmGeneration(em, claim, now);
  const latest = background ? generationOf(row) : await use(em, claim.sessionId, row, { current: behind === 0, now });
  if (latest === null) return null;
  const lastUsedAt = background ? row.last_used_at : now;
  const generation = latest.seen || latest.generation > claim.generation + 1 ? claim.generation : latest.generation;
  return sessionOf(claim.sessionId, { ...row, generation, last_used_at: lastUsedAt }, claim.generation);
}

/**
 * The session as it is now, or null if it has ended since the request was authenticated. What a document has done so far, or another
 * request, may have ended it, or have withdrawn a role or the fresh confirmation. This does not count as use and rotates nothing.
 */
export async function sessionNow(
  em: EntityManager,
  { id, generation, presented }: AuthenticatedSession,
  now: Date,
): Promise<AuthenticatedSession | null> {
  const row = await readSession(em, id);
  return row && !isOver(row, now.getTime()) ? sessionOf(id, { ...row, generation }, presented) : null;
}

/**
 * Whether a generation's cookie should still be sent: it is the newest and has not come back yet. A request may be answered long after it
 * was given the cookie, and an older cookie must not replace a newer one that the browser holds by then.
 */
export async function awaitsCookie(
  em: EntityManager,
  { id, generation }: Pick<AuthenticatedSession, 'id' | 'generation'>,
): Promise<boolean> {
  const found = await sql(
    em,
    'select 1 from portal_session where id = $1 and generation = $2 and generation_confirmed_at is null and ended_at is null',
    [id, generation],
  );
  return found.length > 0;
}

function isOver(row: Row, at: number): boolean {
  return at >= row.expires_at.getTime() || at >= row.last_used_at.getTime() + accountLimits.sessionIdle;
}

function sessionOf(id: string, row: Row, presented: number): AuthenticatedSession {
  return {
    id,
    kind: row.kind,
    operatorId: row.operator_id,
    email: row.email,
    roles: row.roles ?? [],
    confirmedUntil: row.confirmed_until === null || presented < (row.confirmed_generation ?? 0) ? null : row.confirmed_until,
    expiresAt: new Date(Math.min(row.expires_at.getTime(), row.last_used_at.getTime() + accountLimits.sessionIdle)),
    generation: row.generation,
    presented,
  };
}

/** A session's generation as it is now, and whether its cookie has come back. */
type Generation = { readonly generation: number; readonly seen: boolean };

const generationOf = ({ generation, confirmed_at }: Row): Generation => ({ generation, seen: confirmed_at !== null });

async function readSession(em: EntityManager, sessionId: string): Promise<Row | undefined> {
  const [row] = await sql<Row>(
    em,
    `select s.kind, s.operator_id, coalesce(o.email, s.email) as email, to_json(o.roles) as roles, s.generation, s.generation_confirmed_at as confirmed_at,
            s.rotated_at, s.last_used_at, s.expires_at,
            s.confirmed_until, s.confirmed_generation
       from portal_session s left join operator o on o.id = s.operator_id
      where s.id = $1 and s.ended_at is null and o.deleted_at is null and o.locked_at is null`,
    [sessionId],
  );
  return row;
}

/**
 * Counts as use, and raises the generation when it is due. Of parallel requests, one raises it and all get the same generation. Null if the
 * session has ended while this request waited for it. Only the current cookie raises the generation: otherwise a browser that missed a
 * response would fall two generations behind and look like a copy.
 */
async function use(
  em: EntityManager,
  sessionId: string,
  row: Row,
  { current, now }: { current: boolean; now: Date },
): Promise<Generation | null> {
  const due = current && now.getTime() >= row.rotated_at.getTime() + accountLimits.sessionRotation;
  if (due) {
    const [raised] = await sql<Generation>(
      em,
      `update portal_session set generation = generation + 1, rotated_at = $3, generation_confirmed_at = null, last_used_at = $3
        where id = $1 and generation = $2 and ended_at is null returning generation, false as seen`,
      [sessionId, row.generation, now],
    );
    // If another request has just raised it, this one only reads it.
    return raised ?? touch(em, sessionId, now);
  }
  return touch(em, sessionId, now);
}

async function touch(em: EntityManager, sessionId: string, now: Date): Promise<Generation | null> {
  const [touched] = await sql<Generation>(
    em,
    `update portal_session set last_used_at = greatest(last_used_at, $2) where id = $1 and ended_at is null
     returning generation, generation_confirmed_at is not null as seen`,
    [sessionId, now],
  );
  return touched ?? null;
}

async function confirmGeneration(em: EntityManager, { sessionId, generation }: SessionClaim, now: Date): Promise<void> {
  await sql(
    em,
    'update portal_session set generation_confirmed_at = $3 where id = $1 and generation = $2 and generation_confirmed_at is null',
    [sessionId, generation, now],
  );
}

async function endCopiedSession(em: EntityManager, sessionId: string, operatorId: string | null, now: Date): Promise<void> {
  await em.transactional(async (tx) => {
    const ended = await sql<{ id: string }>(
      tx,
      "update portal_session set ended_at = $2, end_reason = 'outdated cookie used again' where id = $1 and ended_at is null returning id",
      [sessionId, now],
    );
    if (ended.length === 0) return;
    await record(tx, { type: 'system', name: 'portal' }, now, {
      action: 'session.ended_for_copied_cookie',
      subject: { type: 'session', id: sessionId },
      ...(operatorId && { operatorId }),
    });
    if (operatorId) await notify(tx, { kind: 'session_stolen', subjectId: sessionId, operatorId, now });
  });
}

import { locking, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { sql } from '../../shared/sql.ts';
import type { SupportContact } from '../../shared/supportContact.ts';
import { accountLocked } from '../accountLocked.ts';
import { failedAttempt } from '../attempts.ts';
import type { AuthenticatedSession } from '../session/authenticateSession.ts';
import { endFormerSession } from '../session/endFormerSession.ts';
import { openSession } from '../session/openSession.ts';
import type { PortalSession } from '../session/PortalSession.ts';
import type { Visitor } from '../visitor.ts';
import { endAllCredentials } from '../endAllCredentials.ts';
import { hasRecoveryCodeForm, recoveryCodeHmac } from './recoveryCodes.ts';

type RedeemRecoveryCode = {
  code: string;
  /** The browser's present session, which ends. */
  former: AuthenticatedSession | null;
  supportContact: SupportContact;
  visitor: Visitor;
  lookupKeys: LookupKeys;
  now: Date;
};

/**
 * Redeems a recovery code, without an address. It ends all passkeys and sessions of the code's account and opens a session that can only
 * enrol a new passkey (docs/specification.md, “Recovery codes”). The other codes stay valid until that is done. Errors: invalid_request,
 * not_found (unknown and used codes alike), rate_limit_exceeded instead of that after many of them from the network, forbidden (the account
 * is locked; the code stays valid).
 */
export async function redeemRecoveryCode(
  em: EntityManager,
  { code, former, supportContact, visitor, lookupKeys, now }: RedeemRecoveryCode,
): Promise<PortalSession> {
  if (!hasRecoveryCodeForm(code)) {
    refuseInvalid([{ path: 'input.code', message: 'A recovery code has 16 letters and digits, such as 0a1b-2c3d-4e5f-6g7h.' }]);
  }
  const codeHmacs = lookupKeys.readable.map((key) => recoveryCodeHmac(key, code));
  const redeemed = await em.transactional(async (tx) => {
    const owner = await useCode(tx, codeHmacs, supportContact, now);
    if (!owner) return null;
    const { operatorId, email } = owner;
    const ended = await endAllCredentials(tx, { operatorId, reason: 'recovery code used', now });
    await endFormerSession(tx, { former, visitor, now });
    const session = openSession(tx, { kind: 'recovery', operatorId, email, visitor, now });
    await tx.flush();
    const actor = { type: 'operator', operatorId, roles: [], ip: visitor.ip, requestId: visitor.requestId } as const;
    await record(tx, actor, now, { action: 'recovery_code.used', subject: { type: 'operator', id: operatorId }, details: ended });
    const codesLeft = await countUnused(tx, operatorId);
    await notify(tx, { kind: 'recovery_used', subjectId: session.id, operatorId, details: { codesLeft }, now });
    return session;
  });
  if (redeemed) return redeemed;
  const unknown = new DomainError('not_found', { detail: 'This code is not valid or has already been used. Try another of your codes.' });
  throw await failedAttempt(em, { kind: 'recovery_ip', source: visitor.source }, unknown, now);
}

const lockOwnerSql = locking(
  'operator',
  'no key update',
  (clause) =>
    `select id, email, locked_at is not null as locked from operator
      where id = (select operator_id from recovery_code where code_hmac = any($1::bytea[])) and deleted_at is null ${clause}`,
);

/** Locks the account before the code, as everything does that changes credentials. A code is used once; null if it is used or unknown. */
async function useCode(
  tx: EntityManager,
  codeHmacs: readonly Buffer[],
  contact: SupportContact,
  now: Date,
): Promise<{ operatorId: string; email: string } | null> {
  const [owner] = await takeLock<{ id: string; email: string; locked: boolean }>(tx, lockOwnerSql, [codeHmacs]);
  const used = await sql(tx, 'update recovery_code set used_at = $2 where code_hmac = any($1::bytea[]) and used_at is null returning 1', [
    codeHmacs,
    now,
  ]);
  if (!owner || used.length === 0) return null;
  // The rollback leaves the code unused.
  if (owner.locked) throw accountLocked(contact);
  return { operatorId: owner.id, email: owner.email };
}

async function countUnused(tx: EntityManager, operatorId: string): Promise<number> {
  const [row] = await sql<{ n: number }>(tx, 'select count(*)::int as n from recovery_code where operator_id = $1 and used_at is null', [
    operatorId,
  ]);
  return row?.n ?? 0;
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import { closeRegistrations } from '../address/openEnrolment.ts';
import { emailKey } from '../emailAddress.ts';
import { lockCredentials } from '../lockCredentials.ts';
import { Passkey } from '../passkey/Passkey.ts';
import { passkeySubject } from '../passkey/passkeySubject.ts';
import type { NewCredential } from '../passkey/webauthn.ts';
import { closeResets } from '../accountReset.ts';
import { RecoveryCode } from '../recovery/RecoveryCode.ts';
import { createRecoveryCodes } from '../recovery/recoveryCodes.ts';
import type { AuthenticatedSession } from '../session/authenticateSession.ts';
import { openSession } from '../session/openSession.ts';
import { PortalSession } from '../session/PortalSession.ts';
import type { Visitor } from '../visitor.ts';
import type { LookupKeys } from '../../shared/keySet.ts';

type Enrolment = { credential: NewCredential; label: string; visitor: Visitor; lookupKeys: LookupKeys; now: Date };

/**
 * Completes a recovery, in the caller's transaction: its session becomes a full one, the passkey becomes the account's only one, and new
 * recovery codes replace the former ones. Errors: unauthenticated if another recovery has replaced this one.
 */
export async function enrolAfterRecovery(
  tx: EntityManager,
  session: AuthenticatedSession & { operatorId: string },
  { credential, label, visitor, lookupKeys, now }: Enrolment,
): Promise<{ session: PortalSession; recoveryCodes: string[] }> {
  const { operatorId, email, roles } = session;
  await lockCredentials(tx, { operatorId, sessionId: session.id });
  await closeRegistrations(tx, emailKey(email), now);
  await tx.nativeUpdate(PortalSession, { id: session.id }, { endedAt: now, endReason: 'passkey enrolled' });
  tx.persist(tx.create(Passkey, { ...credential, operatorId, name: label, createdAt: now, lastUsedAt: now }));
  await tx.nativeDelete(RecoveryCode, { operatorId });
  await closeResets(tx, operatorId, now);
  const recoveryCodes = createRecoveryCodes(tx, { operatorId, lookupKeys, now });
  const full = openSession(tx, { kind: 'full', operatorId, email, visitor, now });
  const actor = { type: 'operator', operatorId, roles, ip: visitor.ip, requestId: visitor.requestId } as const;
  await record(tx, actor, now, { action: 'operator.recovered', subject: { type: 'operator', id: operatorId } });
  const subjectId = passkeySubject({ operatorId, passkeyId: credential.id, now });
  await notify(tx, { kind: 'new_passkey', subjectId, operatorId, details: { passkeyName: label }, now });
  return { session: full, recoveryCodes };
}

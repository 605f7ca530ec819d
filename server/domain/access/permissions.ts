import type { AuthenticatedSession } from '../account/authenticateSession.ts';
import { DomainError } from '../shared/DomainError.ts';

/** Who may call an operation: anyone, a session that enrols a passkey, any session, a signed-in operator. */
type Caller = 'anyone' | 'enrolment' | 'session' | 'operator';

type Permission = { readonly by: Caller; readonly freshPasskey?: true };

/** Every query and mutation of the portal with what it needs. An operation without a row cannot be called. */
export const permissions = {
  viewer: { by: 'anyone' },
  service: { by: 'anyone' },
  currentTerms: { by: 'anyone' },
  terms: { by: 'anyone' },
  integrations: { by: 'operator' },
  integration: { by: 'operator' },

  requestRegistration: { by: 'anyone' },
  confirmRegistration: { by: 'anyone' },
  beginPasskeyRegistration: { by: 'enrolment' },
  finishPasskeyRegistration: { by: 'enrolment' },
  beginSignIn: { by: 'anyone' },
  finishSignIn: { by: 'anyone' },
  beginPasskeyConfirmation: { by: 'operator' },
  finishPasskeyConfirmation: { by: 'operator' },
  signOut: { by: 'session' },

  acceptTerms: { by: 'operator' },
  createIntegration: { by: 'operator' },
  requestCertificate: { by: 'operator', freshPasskey: true },
  revokeCertificate: { by: 'operator', freshPasskey: true },
} as const satisfies Readonly<Record<string, Permission>>;

export type Operation = keyof typeof permissions;

/** Throws unless the session may call the operation now: unauthenticated, forbidden or fresh_passkey_required. */
export function refuseUnlessPermitted(operation: string, session: AuthenticatedSession | null, now: Date): void {
  if (!Object.hasOwn(permissions, operation)) throw new DomainError('forbidden', { detail: `No one may call ${operation}.` });
  const permission: Permission = permissions[operation as Operation];
  if (permission.by === 'anyone') return;
  if (!session) throw new DomainError('unauthenticated', { detail: 'Sign in with a passkey to go on.' });
  if (permission.by === 'enrolment' && session.kind !== 'enrolment') {
    throw new DomainError('forbidden', { detail: 'This step belongs to a registration. You are already signed in.' });
  }
  if (permission.by === 'operator' && session.kind !== 'full') {
    throw new DomainError('forbidden', { detail: 'Enrol a passkey first.' });
  }
  if (permission.freshPasskey && (session.confirmedUntil === null || session.confirmedUntil <= now)) {
    throw new DomainError('fresh_passkey_required', { detail: 'Confirm with your passkey to go on.' });
  }
}

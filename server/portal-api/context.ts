import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeyRing } from '../database/keyRing.ts';
import { serviceTokenNow } from '../domain/access/authenticateServiceToken.ts';
import type { OwnerView } from '../domain/administration/ownerView.ts';
import type { Credentials } from '../domain/access/permissions.ts';
import type { RelyingParty } from '../domain/account/passkey/webauthn.ts';
import { sessionNow, type AuthenticatedSession } from '../domain/account/session/authenticateSession.ts';
import type { PortalSession } from '../domain/account/session/PortalSession.ts';
import type { Visitor } from '../domain/account/visitor.ts';
import type { OperatorActor, ServiceTokenActor } from '../domain/shared/actor.ts';
import type { Clock } from '../domain/shared/clock.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import type { SupportContact } from '../domain/shared/supportContact.ts';
import type { Catalogue } from '../domain/tracking/catalogueTexts.ts';
import type { Loaders } from './loaders.ts';

/**
 * The browser that asks, while nobody is signed in: it has a random secret, by which it alone can answer what it has begun. The secret says
 * nothing about who it is, and is forgotten half an hour later.
 */
export type Browser = {
  /** The secret that came with the request, or null. */
  readonly secret: string | null;
  /** The browser's secret, which it keeps for another half hour; a new one if it has none. */
  remember(): string;
};

/** Facts about this installation that pages show. */
export type ServiceFacts = {
  readonly portalUrl: string;
  readonly machineApiUrl: string;
  readonly developmentMailbox: boolean;
  readonly developmentCa: boolean;
  /** Where a developer's webhook receiver is reached, and the folder with its certificate; null where receivers are public. */
  readonly developmentReceiver: { readonly host: string; readonly port: number; readonly tlsFolder: string } | null;
  readonly supportContact: SupportContact;
  /** The Subresource Integrity value of the credit badge's script. */
  readonly creditBadgeIntegrity: string;
};

/** The operations that a document asked for, the catalogue's code of its gravest refusal, and why the service was not available. */
type Outcome = { readonly operations?: string; readonly errorCode?: string; readonly cause?: string | undefined };

/** What a resolver is given for one request. */
export type PortalContext = Credentials & {
  readonly em: EntityManager;
  /** Reads what may be some seconds old, from a standby if there is one: what only grows, and whom nobody decides by. */
  readonly readBehind: <Found>(read: (em: EntityManager) => Promise<Found>) => Promise<Found>;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly rp: RelyingParty;
  readonly facts: ServiceFacts;
  /** The only values that fields from a catalogue may have, if the installation names them. */
  readonly catalogue: Catalogue | undefined;
  readonly visitor: Visitor;
  readonly browser: Browser;
  readonly loaders: Loaders;
  /** The slug of the integration that an administrator asks to see as its owner (request extension `asOwner`), or null. */
  readonly asOwner: string | null;
  /** Whether they may, while it is being found out. */
  viewing?: Promise<OwnerView>;
  /** The same, once it is known that they may. From then on `actorOf` is the owner. */
  viewed?: OwnerView;
  /** Gives the browser the cookie of a session, or removes its cookie. */
  setSession(session: Pick<PortalSession, 'id' | 'generation'> | null): void;
  /** Passes the outcome to the log and the metrics. */
  note(outcome: Outcome): void;
};

/** The session of a request for which the permission table has ensured that there is one. */
export function sessionOf({ session }: PortalContext): AuthenticatedSession {
  if (!session) throw new DomainError('unauthenticated');
  return session;
}

/**
 * The signed-in operator of a request for which the permission table has ensured that there is one. Someone who can only enrol a passkey
 * does not act for anybody yet.
 */
export function actorOf(context: PortalContext): OperatorActor {
  const { kind, operatorId, roles } = sessionOf(context);
  const { ip, requestId } = context.visitor;
  // Nothing but queries gets as far as here with it, and none of them asks for more than an owner sees.
  if (context.viewed) return { type: 'operator', operatorId: context.viewed.operatorId, roles: [], ip, requestId };
  if (kind !== 'full' || operatorId === null) throw new DomainError('unauthenticated');
  return { type: 'operator', operatorId, roles, ip, requestId };
}

/** The tooling's service token of a request for which the permission table has ensured that there is one. */
export function toolingOf({ serviceToken, visitor }: PortalContext): ServiceTokenActor {
  if (!serviceToken) throw new DomainError('unauthenticated');
  const { id, environment } = serviceToken;
  return { type: 'service_token', tokenId: id, environment, ip: visitor.ip, requestId: visitor.requestId };
}

/** Asks the database whether the request's credentials are still good, and continues with what they are now. */
export async function askCredentialsAgain(context: PortalContext): Promise<void> {
  const { em, clock, session, serviceToken } = context;
  const now = clock.now();
  const credentials: Credentials = {
    session: session && (await sessionNow(em, session, now)),
    serviceToken: serviceToken && (await serviceTokenNow(em, serviceToken, now)),
  };
  Object.assign(context, credentials);
}

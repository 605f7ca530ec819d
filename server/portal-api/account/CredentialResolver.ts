import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { ownPasskeys, recoveryCodeState } from '../../domain/account/passkey/accountCredentials.ts';
import { beginPasskeyAddition, finishPasskeyAddition } from '../../domain/account/passkey/addPasskey.ts';
import type { Passkey } from '../../domain/account/passkey/Passkey.ts';
import { removePasskey } from '../../domain/account/passkey/removePasskey.ts';
import { renamePasskey } from '../../domain/account/passkey/renamePasskey.ts';
import { openReset } from '../../domain/account/accountReset.ts';
import { redeemRecoveryCode } from '../../domain/account/recovery/redeemRecoveryCode.ts';
import { regenerateRecoveryCodes } from '../../domain/account/recovery/regenerateRecoveryCodes.ts';
import { endOtherSessions } from '../../domain/account/session/endOtherSessions.ts';
import { endSession } from '../../domain/account/session/endSession.ts';
import { listSessions } from '../../domain/account/session/listSessions.ts';
import type { PortalSession } from '../../domain/account/session/PortalSession.ts';
import { cancelAccountReset } from '../../domain/programme/accountReset.ts';
import { AccountResetInput } from '../administration/operatorTypes.ts';
import { actorOf, sessionOf, type PortalContext } from '../context.ts';
import { ViewerType } from './accountTypes.ts';
import {
  AccountType,
  EndSessionInput,
  FinishPasskeyAdditionInput,
  PasskeyType,
  PendingResetType,
  RecoveryCodeStateType,
  RedeemRecoveryCodeInput,
  RemovePasskeyInput,
  RenamePasskeyInput,
  SessionConnectionType,
  SessionType,
  type PasskeyStorage,
} from './credentialTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { openedViewer, sessionEnd } from './viewerOf.ts';

@Resolver(() => AccountType)
export class CredentialResolver {
  @Query(() => AccountType)
  account(@Ctx() context: PortalContext): AccountType {
    return { operatorId: actorOf(context).operatorId };
  }

  @FieldResolver(() => [PasskeyType], { description: 'Oldest first; an account has at most 20.' })
  passkeys(@Root() { operatorId }: AccountType, @Ctx() { em }: PortalContext): Promise<PasskeyType[]> {
    return ownPasskeys(em, operatorId);
  }

  @FieldResolver(() => RecoveryCodeStateType, { nullable: true })
  recoveryCodes(@Root() { operatorId }: AccountType, @Ctx() { em }: PortalContext): Promise<RecoveryCodeStateType | null> {
    return recoveryCodeState(em, operatorId);
  }

  @FieldResolver(() => PendingResetType, { nullable: true })
  reset(@Root() { operatorId }: AccountType, @Ctx() { em, clock }: PortalContext): Promise<PendingResetType | null> {
    return openReset(em, operatorId, clock.now());
  }

  @Mutation(() => Boolean, { description: 'Cancels a reset of the viewer’s own account.' })
  async cancelAccountReset(
    @Arg('input', () => AccountResetInput) { resetId }: AccountResetInput,
    @Ctx() context: PortalContext,
  ): Promise<boolean> {
    await cancelAccountReset(context.em, { actor: actorOf(context), resetId, now: context.clock.now() });
    return true;
  }

  @Mutation(() => ViewerType, {
    description:
      'Takes a recovery code, and no address. Ends all passkeys and sessions of its account and opens a session that can only enrol a new passkey.',
  })
  async redeemRecoveryCode(
    @Arg('input', () => RedeemRecoveryCodeInput) { code }: RedeemRecoveryCodeInput,
    @Ctx() context: PortalContext,
  ): Promise<ViewerType> {
    const { em, visitor, keyRing, clock, facts, session: former } = context;
    const { supportContact } = facts;
    const session = await redeemRecoveryCode(em, { code, former, supportContact, visitor, lookupKeys: keyRing.lookup, now: clock.now() });
    context.setSession(session);
    return openedViewer(session);
  }

  @Mutation(() => [String], { description: 'Generates new recovery codes, shown only once; the previous ones stop working.' })
  regenerateRecoveryCodes(@Ctx() context: PortalContext): Promise<string[]> {
    const { em, keyRing, clock } = context;
    const sessionId = sessionOf(context).id;
    return regenerateRecoveryCodes(em, { actor: actorOf(context), sessionId, lookupKeys: keyRing.lookup, now: clock.now() });
  }

  @Mutation(() => GraphQLJSON, { description: 'PublicKeyCredentialCreationOptionsJSON (WebAuthn Level 3) for one more passkey.' })
  beginPasskeyAddition(@Ctx() context: PortalContext): Promise<unknown> {
    const { em, rp, keyRing, clock } = context;
    return beginPasskeyAddition(em, { session: sessionOf(context), rp, challengeKeys: keyRing.session, now: clock.now() });
  }

  @Mutation(() => PasskeyType)
  finishPasskeyAddition(
    @Arg('input', () => FinishPasskeyAdditionInput) input: FinishPasskeyAdditionInput,
    @Ctx() context: PortalContext,
  ): Promise<PasskeyType> {
    const { em, rp, keyRing, clock } = context;
    const ceremony = { session: sessionOf(context), rp, challengeKeys: keyRing.session, now: clock.now() };
    return finishPasskeyAddition(em, { actor: actorOf(context), ...ceremony, ...input });
  }

  @Mutation(() => PasskeyType)
  renamePasskey(@Arg('input', () => RenamePasskeyInput) input: RenamePasskeyInput, @Ctx() context: PortalContext): Promise<PasskeyType> {
    return renamePasskey(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => PasskeyType, { description: 'Removes a passkey, but never the last one, and returns it.' })
  removePasskey(
    @Arg('input', () => RemovePasskeyInput) { passkeyId }: RemovePasskeyInput,
    @Ctx() context: PortalContext,
  ): Promise<PasskeyType> {
    const sessionId = sessionOf(context).id;
    return removePasskey(context.em, { actor: actorOf(context), sessionId, passkeyId, now: context.clock.now() });
  }
}

@Resolver(() => PasskeyType)
export class PasskeyResolver {
  @FieldResolver()
  storage(@Root() { deviceType, backedUp }: Passkey): PasskeyStorage {
    if (deviceType === 'singleDevice') return 'device_bound';
    return backedUp ? 'synced' : 'not_synced';
  }
}

@Resolver(() => SessionType)
export class SessionResolver {
  @Query(() => SessionConnectionType, { description: 'The browsers that are signed in to the account now, newest first.' })
  async sessions(@First() first: number, @After() after: AfterCursor, @Ctx() context: PortalContext): Promise<SessionConnectionType> {
    const { operatorId } = actorOf(context);
    return listSessions(context.em, { operatorId, first, after, now: context.clock.now() });
  }

  @FieldResolver(() => Boolean, { description: 'Whether this request belongs to it.' })
  current(@Root() { id }: PortalSession, @Ctx() context: PortalContext): boolean {
    return id === sessionOf(context).id;
  }

  @FieldResolver(() => Date, { description: 'When it ends if it is not used, at most eight hours after sign-in.' })
  expiresAt(@Root() session: PortalSession): Date {
    return sessionEnd(session);
  }

  @Mutation(() => ID, { description: 'Ends one of the viewer’s sessions, this one or another, and returns its ID.' })
  async endSession(@Arg('input', () => EndSessionInput) { sessionId }: EndSessionInput, @Ctx() context: PortalContext): Promise<string> {
    const { id } = await endSession(context.em, { actor: actorOf(context), sessionId, now: context.clock.now() });
    if (id === sessionOf(context).id) context.setSession(null);
    return id;
  }

  @Mutation(() => Int, { description: 'Ends all the viewer’s sessions except this one, and returns how many there were.' })
  endOtherSessions(@Ctx() context: PortalContext): Promise<number> {
    return endOtherSessions(context.em, { actor: actorOf(context), sessionId: sessionOf(context).id, now: context.clock.now() });
  }
}

import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { confirmRegistration } from '../../domain/account/address/confirmRegistration.ts';
import { confirmRegistrationCode } from '../../domain/account/address/confirmRegistrationCode.ts';
import { requestRegistration } from '../../domain/account/address/requestRegistration.ts';
import { beginPasskeyRegistration, finishPasskeyRegistration } from '../../domain/account/enrolment/registerPasskey.ts';
import {
  beginPasskeyConfirmation,
  beginSignIn,
  finishPasskeyConfirmation,
  finishSignIn,
  signOut,
} from '../../domain/account/passkey/signIn.ts';
import { singleKeys } from '../../domain/account/singleKeys.ts';
import { acceptedTermsVersion, acceptTerms } from '../../domain/integration/terms/acceptTerms.ts';
import { actorOf, sessionOf, type PortalContext } from '../context.ts';
import {
  AcceptTermsInput,
  ConfirmRegistrationCodeInput,
  ConfirmRegistrationInput,
  FinishPasskeyConfirmationInput,
  FinishPasskeyRegistrationInput,
  FinishPasskeyRegistrationPayload,
  FinishSignInInput,
  RequestRegistrationInput,
  ViewerType,
} from './accountTypes.ts';
import { openedViewer, viewerOf } from './viewerOf.ts';

@Resolver(() => ViewerType)
export class AccountResolver {
  @Query(() => ViewerType, { nullable: true, description: 'Null when nobody is signed in.' })
  viewer(@Ctx() { session }: PortalContext): ViewerType | null {
    return session && viewerOf(session);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'The newest version of the terms that the operator has accepted.' })
  acceptedTermsVersion(@Root() viewer: ViewerType, @Ctx() { em }: PortalContext): Promise<number | null> | null {
    return viewer.operatorId === null ? null : acceptedTermsVersion(em, viewer.operatorId);
  }

  @FieldResolver(() => Boolean, { description: 'Whether single keys do something on the operator’s pages.' })
  singleKeys(@Root() viewer: ViewerType, @Ctx() { em }: PortalContext): Promise<boolean> | boolean {
    return viewer.operatorId === null ? false : singleKeys(em, viewer.operatorId);
  }

  @Mutation(() => Boolean, {
    description: 'Emails a one-time link and a code. Always returns true, so that the response never shows whether the address is known.',
  })
  async requestRegistration(
    @Arg('input', () => RequestRegistrationInput) { email }: RequestRegistrationInput,
    @Ctx() { em, browser, visitor, keyRing, clock }: PortalContext,
  ): Promise<boolean> {
    const asked = { email, browser: browser.remember(), visitor, linkKeys: keyRing.verification_link, now: clock.now() };
    await requestRegistration(em, asked);
    return true;
  }

  @Mutation(() => ViewerType, { description: 'Uses the emailed link and opens an enrolment session.' })
  async confirmRegistration(
    @Arg('input', () => ConfirmRegistrationInput) input: ConfirmRegistrationInput,
    @Ctx() context: PortalContext,
  ): Promise<ViewerType> {
    const { em, visitor, clock } = context;
    const session = await confirmRegistration(em, { ...input, former: context.session, visitor, now: clock.now() });
    context.setSession(session);
    return openedViewer(session);
  }

  @Mutation(() => ViewerType, {
    description: 'Uses the emailed code, in the browser that asked for the email, and opens an enrolment session.',
  })
  async confirmRegistrationCode(
    @Arg('input', () => ConfirmRegistrationCodeInput) input: ConfirmRegistrationCodeInput,
    @Ctx() context: PortalContext,
  ): Promise<ViewerType> {
    const { em, browser, visitor, keyRing, clock, session: former } = context;
    const session = await confirmRegistrationCode(em, {
      ...input,
      browser: browser.secret,
      linkKeys: keyRing.verification_link,
      former,
      visitor,
      now: clock.now(),
    });
    context.setSession(session);
    return openedViewer(session);
  }

  @Mutation(() => GraphQLJSON, { description: 'PublicKeyCredentialCreationOptionsJSON (WebAuthn Level 3)' })
  beginPasskeyRegistration(@Ctx() context: PortalContext): Promise<unknown> {
    const { em, rp, keyRing, clock } = context;
    return beginPasskeyRegistration(em, { session: sessionOf(context), rp, challengeKeys: keyRing.session, now: clock.now() });
  }

  @Mutation(() => FinishPasskeyRegistrationPayload, {
    description: 'Creates the account with its first passkey, or adds a new passkey to a recovered account, and signs in.',
  })
  async finishPasskeyRegistration(
    @Arg('input', () => FinishPasskeyRegistrationInput) { response, name }: FinishPasskeyRegistrationInput,
    @Ctx() context: PortalContext,
  ): Promise<FinishPasskeyRegistrationPayload> {
    const { em, rp, visitor, keyRing, clock } = context;
    const enrolled = await finishPasskeyRegistration(em, {
      session: sessionOf(context),
      response,
      name,
      visitor,
      rp,
      challengeKeys: keyRing.session,
      lookupKeys: keyRing.lookup,
      now: clock.now(),
    });
    context.setSession(enrolled.session);
    return { viewer: openedViewer(enrolled.session, sessionOf(context).roles), recoveryCodes: enrolled.recoveryCodes };
  }

  @Mutation(() => GraphQLJSON, { description: 'PublicKeyCredentialRequestOptionsJSON (WebAuthn Level 3); no address is asked for.' })
  beginSignIn(@Ctx() { browser, rp, keyRing, clock }: PortalContext): Promise<unknown> {
    return beginSignIn({ browser: browser.remember(), rp, challengeKeys: keyRing.session, now: clock.now() });
  }

  @Mutation(() => ViewerType)
  async finishSignIn(
    @Arg('input', () => FinishSignInInput) { response }: FinishSignInInput,
    @Ctx() context: PortalContext,
  ): Promise<ViewerType> {
    const { em, rp, visitor, keyRing, clock, facts } = context;
    const { session, roles } = await finishSignIn(em, {
      response,
      browser: context.browser.secret,
      former: context.session,
      supportContact: facts.supportContact,
      visitor,
      rp,
      challengeKeys: keyRing.session,
      now: clock.now(),
    });
    context.setSession(session);
    return openedViewer(session, roles);
  }

  @Mutation(() => GraphQLJSON, { description: 'PublicKeyCredentialRequestOptionsJSON (WebAuthn Level 3) for a fresh confirmation.' })
  beginPasskeyConfirmation(@Ctx() context: PortalContext): Promise<unknown> {
    const { em, rp, keyRing, clock } = context;
    return beginPasskeyConfirmation(em, { session: sessionOf(context), rp, challengeKeys: keyRing.session, now: clock.now() });
  }

  @Mutation(() => ViewerType, { description: 'Confirms this session for five minutes, and gives its cookie a new secret.' })
  async finishPasskeyConfirmation(
    @Arg('input', () => FinishPasskeyConfirmationInput) { response }: FinishPasskeyConfirmationInput,
    @Ctx() context: PortalContext,
  ): Promise<ViewerType> {
    const { em, rp, keyRing, clock } = context;
    const session = sessionOf(context);
    const asserted = { session, response, rp, challengeKeys: keyRing.session, now: clock.now() };
    const { confirmedUntil, generation } = await finishPasskeyConfirmation(em, asserted);
    if (generation !== session.generation) context.setSession({ id: session.id, generation });
    return { ...viewerOf(session), confirmedUntil };
  }

  @Mutation(() => Boolean)
  async signOut(@Ctx() context: PortalContext): Promise<boolean> {
    await signOut(context.em, { session: sessionOf(context), visitor: context.visitor, now: context.clock.now() });
    context.setSession(null);
    return true;
  }

  @Mutation(() => ViewerType, { description: 'Accepts the current Integration Terms explicitly.' })
  async acceptTerms(@Arg('input', () => AcceptTermsInput) input: AcceptTermsInput, @Ctx() context: PortalContext): Promise<ViewerType> {
    await acceptTerms(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
    return viewerOf(sessionOf(context));
  }
}

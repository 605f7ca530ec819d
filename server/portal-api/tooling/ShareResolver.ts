import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { ServiceTokenActor } from '../../domain/shared/actor.ts';
import type { LookupKeys } from '../../domain/shared/keySet.ts';
import { extendShare } from '../../domain/sharing/consent/extendShare.ts';
import { narrowShare } from '../../domain/sharing/consent/narrowShare.ts';
import { setStatisticsParticipation } from '../../domain/sharing/consent/setStatisticsParticipation.ts';
import { cancelLinkCode } from '../../domain/sharing/link-code/cancelLinkCode.ts';
import { createLinkCode } from '../../domain/sharing/link-code/createLinkCode.ts';
import { eraseUser } from '../../domain/sharing/revocation/eraseUser.ts';
import { revokeShare } from '../../domain/sharing/revocation/revokeShare.ts';
import { shares } from '../../domain/sharing/shares.ts';
import { toolingOf, type PortalContext } from '../context.ts';
import {
  CancelLinkCodeInput,
  CancelLinkCodePayload,
  CreateLinkCodeInput,
  EraseUserInput,
  EraseUserPayload,
  ExtendShareInput,
  ExtendSharePayload,
  LinkCodeType,
  NarrowShareInput,
  NarrowSharePayload,
  RevokeShareInput,
  SetStatisticsParticipationInput,
  SetStatisticsParticipationPayload,
  ShareConnectionType,
  ShareRevocationType,
} from './shareTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

/** What the order-tracking service's tooling does for a user who shares. */
@Resolver()
export class ShareResolver {
  @Query(() => ShareConnectionType, {
    description: 'Tooling, `shares.read`: what a user shares and has shared, newest first. An unknown user shares nothing.',
  })
  async shares(
    @Arg('user', () => String, { description: 'Your opaque reference to the user. Send it as a variable.' }) user: string,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<ShareConnectionType> {
    return shares(context.em, {
      actor: toolingOf(context),
      lookupKeys: context.keyRing.lookup,
      user,
      first,
      after,
    });
  }

  @Mutation(() => LinkCodeType, {
    description:
      'Tooling, `shares.write`: creates the code with which a user shares exactly these resources with one integration. Show the user first what the integration is and what each scope grants. In production the integration has to be active and both production gates open.',
  })
  createLinkCode(
    @Arg('input', () => CreateLinkCodeInput) input: CreateLinkCodeInput,
    @Ctx() context: PortalContext,
  ): Promise<LinkCodeType> {
    return createLinkCode(context.em, { ...input, ...command(context) });
  }

  @Mutation(() => CancelLinkCodePayload, {
    description: 'Tooling, `shares.write`: cancels a code. If it has been redeemed, revoke the share instead.',
  })
  cancelLinkCode(
    @Arg('input', () => CancelLinkCodeInput) { linkCodeId }: CancelLinkCodeInput,
    @Ctx() context: PortalContext,
  ): Promise<CancelLinkCodePayload> {
    return cancelLinkCode(context.em, { linkCodeId, ...command(context) });
  }

  @Mutation(() => ExtendSharePayload, {
    description:
      'Tooling, `shares.write`: adds resources or scopes by a new consent of the user. What was revoked before is shared again under a new ID.',
  })
  extendShare(@Arg('input', () => ExtendShareInput) input: ExtendShareInput, @Ctx() context: PortalContext): Promise<ExtendSharePayload> {
    return extendShare(context.em, { ...input, ...command(context) });
  }

  @Mutation(() => NarrowSharePayload, {
    description:
      'Tooling, `shares.write`: takes resources or scopes away. Resources that can no longer be read are revoked; the connection stays.',
  })
  narrowShare(@Arg('input', () => NarrowShareInput) input: NarrowShareInput, @Ctx() context: PortalContext): Promise<NarrowSharePayload> {
    return narrowShare(context.em, { ...input, ...command(context) });
  }

  @Mutation(() => ShareRevocationType, {
    description:
      'Tooling, `shares.write`: ends a connection, or one resource of it. This takes effect with the integration’s next request, and the integration has seven days to delete its copies. Revoking again returns the same result.',
  })
  revokeShare(
    @Arg('input', () => RevokeShareInput) { connectionId, resource }: RevokeShareInput,
    @Ctx() context: PortalContext,
  ): Promise<ShareRevocationType> {
    return revokeShare(context.em, { connectionId, resource: resource ?? null, ...command(context) });
  }

  @Mutation(() => EraseUserPayload, {
    description:
      'Tooling, `users.erase`: ends everything that a user shares, deletes the user’s orders and erases the reference. Erasing again changes nothing.',
  })
  eraseUser(@Arg('input', () => EraseUserInput) { user }: EraseUserInput, @Ctx() context: PortalContext): Promise<EraseUserPayload> {
    return eraseUser(context.em, { user, ...command(context) });
  }

  @Mutation(() => SetStatisticsParticipationPayload, {
    description:
      'Tooling, `shares.write`: lets a user take part in an integration’s statistics, or no longer, starting with the next generation.',
  })
  setStatisticsParticipation(
    @Arg('input', () => SetStatisticsParticipationInput) input: SetStatisticsParticipationInput,
    @Ctx() context: PortalContext,
  ): Promise<SetStatisticsParticipationPayload> {
    return setStatisticsParticipation(context.em, { ...input, ...command(context) });
  }
}

/** What every command of the tooling is given. The token decides the environment, never an argument. */
function command(context: PortalContext): { actor: ServiceTokenActor; lookupKeys: LookupKeys; now: Date } {
  return { actor: toolingOf(context), lookupKeys: context.keyRing.lookup, now: context.clock.now() };
}

import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver } from 'type-graphql';
import { emailChangeOfLink } from '../../domain/account/address/emailChangeOfLink.ts';
import { confirmEmailChange } from '../../domain/account/address/confirmEmailChange.ts';
import { accountDeletion, deleteAccount, type AccountDeletion } from '../../domain/programme/deleteAccount.ts';
import {
  cancelEmailChange,
  pendingEmailChange,
  requestEmailChange,
  type PendingEmailChange,
} from '../../domain/account/address/requestEmailChange.ts';
import { setSingleKeys } from '../../domain/account/singleKeys.ts';
import type { NotificationTopic } from '../../domain/notification/mailKinds.ts';
import { mutedNotifications, setNotificationPreferences } from '../../domain/account/notificationPreferences.ts';
import { actorOf, sessionOf, type PortalContext } from '../context.ts';
import {
  AccountDeletionType,
  AccountSettingsType,
  ConfirmEmailChangeInput,
  ConfirmEmailChangePayload,
  EmailChangeType,
  NotificationTopicEnum,
  RequestEmailChangeInput,
  SetNotificationPreferencesInput,
  SetSingleKeysInput,
} from './accountSettingsTypes.ts';

@Resolver(() => AccountSettingsType)
export class AccountSettingsResolver {
  @Query(() => AccountSettingsType)
  accountSettings(@Ctx() context: PortalContext): Pick<AccountSettingsType, 'email'> {
    return { email: sessionOf(context).email };
  }

  @FieldResolver(() => EmailChangeType, { nullable: true })
  emailChange(@Ctx() context: PortalContext): Promise<PendingEmailChange | null> {
    return pendingEmailChange(context.em, actorOf(context).operatorId, context.clock.now());
  }

  @FieldResolver(() => [NotificationTopicEnum])
  mutedNotifications(@Ctx() context: PortalContext): Promise<NotificationTopic[]> {
    return mutedNotifications(context.em, actorOf(context).operatorId);
  }

  @FieldResolver(() => AccountDeletionType)
  deletion(@Ctx() context: PortalContext): Promise<AccountDeletion> {
    return accountDeletion(context.em, actorOf(context).operatorId);
  }

  @Query(() => String, {
    nullable: true,
    description: 'The new address that the link of a change of address confirms; null if the link is over.',
  })
  emailChangeOfLink(
    @Arg('input', () => ConfirmEmailChangeInput) { token }: ConfirmEmailChangeInput,
    @Ctx() { em, clock }: PortalContext,
  ): Promise<string | null> {
    return emailChangeOfLink(em, { token, now: clock.now() });
  }

  @Mutation(() => EmailChangeType, {
    description: 'Emails a one-time link to the current and to the new address; both must be confirmed.',
  })
  requestEmailChange(
    @Arg('input', () => RequestEmailChangeInput) { newEmail }: RequestEmailChangeInput,
    @Ctx() context: PortalContext,
  ): Promise<PendingEmailChange> {
    const { em, visitor, keyRing, clock } = context;
    const linkKeys = keyRing.verification_link;
    const sessionId = sessionOf(context).id;
    return requestEmailChange(em, { actor: actorOf(context), sessionId, newEmail, visitor, linkKeys, now: clock.now() });
  }

  @Mutation(() => Boolean, { description: 'Cancels a change of address that is not complete.' })
  async cancelEmailChange(@Ctx() context: PortalContext): Promise<boolean> {
    await cancelEmailChange(context.em, { actor: actorOf(context), sessionId: sessionOf(context).id, now: context.clock.now() });
    return true;
  }

  @Mutation(() => ConfirmEmailChangePayload, {
    description: 'Uses one of the two emailed links; the second one to be used changes the address.',
  })
  confirmEmailChange(
    @Arg('input', () => ConfirmEmailChangeInput) { token }: ConfirmEmailChangeInput,
    @Ctx() { em, visitor, clock }: PortalContext,
  ): Promise<ConfirmEmailChangePayload> {
    return confirmEmailChange(em, { token, visitor, now: clock.now() });
  }

  @Mutation(() => [NotificationTopicEnum], { description: 'Turns optional emails on or off, and returns those that are off.' })
  setNotificationPreferences(
    @Arg('input', () => SetNotificationPreferencesInput) { muted }: SetNotificationPreferencesInput,
    @Ctx() context: PortalContext,
  ): Promise<NotificationTopic[]> {
    return setNotificationPreferences(context.em, { actor: actorOf(context), muted, now: context.clock.now() });
  }

  @Mutation(() => Boolean, { description: 'Switches keys that do something by themselves, such as `/`, on or off, and returns which.' })
  setSingleKeys(@Arg('input', () => SetSingleKeysInput) { on }: SetSingleKeysInput, @Ctx() context: PortalContext): Promise<boolean> {
    return setSingleKeys(context.em, { operatorId: actorOf(context).operatorId, on });
  }

  @Mutation(() => Boolean, {
    description: 'Retires all integrations and removes address, passkeys, recovery codes and sessions, for good.',
  })
  async deleteAccount(@Ctx() context: PortalContext): Promise<boolean> {
    await deleteAccount(context.em, { actor: actorOf(context), sessionId: sessionOf(context).id, now: context.clock.now() });
    context.setSession(null);
    return true;
  }
}

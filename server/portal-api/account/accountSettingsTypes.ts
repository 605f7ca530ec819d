import { Field, InputType, ObjectType } from 'type-graphql';
import type { EmailChangeConfirmation } from '../../domain/account/address/confirmEmailChange.ts';
import type { PendingEmailChange } from '../../domain/account/address/requestEmailChange.ts';
import { notificationTopics, type NotificationTopic } from '../../domain/notification/mailKinds.ts';
import type { AccountDeletion, NamedIntegration } from '../../domain/programme/deleteAccount.ts';
import { enumType } from '../enumType.ts';

export const NotificationTopicEnum = enumType(
  'NotificationTopic',
  notificationTopics,
  'Emails that an operator can turn off. All others are always sent.',
);
const AddressSideEnum = enumType('AddressSide', ['current', 'new'] as const);

@ObjectType('EmailChange', { description: 'A change of address that is waiting for both addresses to confirm it.' })
export class EmailChangeType implements PendingEmailChange {
  @Field(() => String)
  newEmail!: string;
  @Field(() => Boolean)
  currentConfirmed!: boolean;
  @Field(() => Boolean)
  newConfirmed!: boolean;
  @Field(() => Date)
  expiresAt!: Date;
}

@ObjectType('NamedIntegration')
export class NamedIntegrationType implements NamedIntegration {
  @Field(() => String)
  slug!: string;
  @Field(() => String)
  publicName!: string;
}

@ObjectType('AccountDeletion', {
  description: 'What deleting the account would do, and what prevents it. Each list has at most 100 entries.',
})
export class AccountDeletionType implements AccountDeletion {
  @Field(() => [NamedIntegrationType], { description: 'Integrations that would be retired.' })
  retires!: NamedIntegration[];
  @Field(() => [NamedIntegrationType], { description: 'Integrations under review; these must be decided first.' })
  submitted!: NamedIntegration[];
  @Field(() => [NamedIntegrationType], {
    description: 'Integrations with production data of users that is still shared, or whose deletion has not been recorded.',
  })
  undeleted!: NamedIntegration[];
}

@ObjectType('AccountSettings', { description: 'Address, notifications and deletion of the viewer’s account.' })
export class AccountSettingsType {
  @Field(() => String)
  email!: string;
  @Field(() => EmailChangeType, { nullable: true })
  emailChange!: PendingEmailChange | null;
  @Field(() => [NotificationTopicEnum], { description: 'The topics that are switched off.' })
  mutedNotifications!: NotificationTopic[];
  @Field(() => AccountDeletionType)
  deletion!: AccountDeletion;
}

@InputType()
export class RequestEmailChangeInput {
  @Field(() => String)
  newEmail!: string;
}

@InputType()
export class ConfirmEmailChangeInput {
  @Field(() => String, { description: 'The token in the emailed link, from the fragment of its URL.' })
  token!: string;
}

@ObjectType()
export class ConfirmEmailChangePayload implements EmailChangeConfirmation {
  @Field(() => AddressSideEnum, { description: 'The address to which the link was sent.' })
  confirmed!: EmailChangeConfirmation['confirmed'];
  @Field(() => Boolean, { description: 'Whether both addresses have confirmed; then the address is changed and all sessions have ended.' })
  completed!: boolean;
}

@InputType()
export class SetNotificationPreferencesInput {
  @Field(() => [NotificationTopicEnum], { description: 'The complete list of topics to turn off.' })
  muted!: NotificationTopic[];
}

@InputType()
export class SetSingleKeysInput {
  @Field(() => Boolean)
  on!: boolean;
}

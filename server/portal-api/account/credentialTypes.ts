import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumType } from '../enumType.ts';
import { connectionOf } from '../connection.ts';

const PasskeyStorageEnum = enumType(
  'PasskeyStorage',
  ['device_bound', 'synced', 'not_synced'] as const,
  '`device_bound`: it never leaves its device. `synced`: a password manager keeps copies. `not_synced`: it could be copied, but is not yet.',
);
export type PasskeyStorage = keyof typeof PasskeyStorageEnum;

@ObjectType('Passkey')
export class PasskeyType {
  @Field(() => ID)
  id!: string;
  @Field(() => String)
  name!: string;
  @Field(() => PasskeyStorageEnum)
  storage?: PasskeyStorage;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Its last sign-in or confirmation; absent if there was none.' })
  lastUsedAt?: Date | null;
}

@ObjectType('RecoveryCodeState', { description: 'The state of the recovery codes; the codes themselves are never shown again.' })
export class RecoveryCodeStateType {
  @Field(() => Int)
  unused!: number;
  @Field(() => Date)
  createdAt!: Date;
}

@ObjectType('Account', { description: 'The signed-in operator’s own account.' })
export class AccountType {
  @Field(() => ID)
  operatorId!: string;
}

@ObjectType('PendingReset', {
  description: 'A reset of the viewer’s account that administrators have asked for. The signed-in owner can cancel it.',
})
export class PendingResetType {
  @Field(() => ID)
  id!: string;
  @Field(() => Date)
  requestedAt!: Date;
  @Field(() => String)
  reason!: string;
  @Field(() => Date, { nullable: true, description: 'When it can be used; null until a second administrator has approved it.' })
  dueAt!: Date | null;
}

@ObjectType('Session', { description: 'A browser that is signed in.' })
export class SessionType {
  @Field(() => ID)
  id!: string;
  @Field(() => Date, { description: 'When it signed in.' })
  createdAt!: Date;
  @Field(() => Date)
  lastUsedAt!: Date;
  @Field(() => String, { description: 'The address from which it signed in.' })
  ip!: string;
  @Field(() => String, { description: 'The browser’s own description of itself.' })
  userAgent!: string;
}

@ObjectType('SessionConnection')
export class SessionConnectionType extends connectionOf('Session', () => SessionType) {}

@InputType()
export class RedeemRecoveryCodeInput {
  @Field(() => String, { description: 'As it was shown; case, spaces and dashes do not matter.' })
  code!: string;
}

@InputType()
export class FinishPasskeyAdditionInput {
  @Field(() => GraphQLJSON, { description: 'RegistrationResponseJSON (WebAuthn Level 3)' })
  response!: unknown;
  @Field(() => String, { description: 'What the operator calls this passkey, 1 to 60 characters.' })
  name!: string;
}

@InputType()
export class RenamePasskeyInput {
  @Field(() => ID)
  passkeyId!: string;
  @Field(() => String, { description: '1 to 60 characters.' })
  name!: string;
}

@InputType()
export class RemovePasskeyInput {
  @Field(() => ID)
  passkeyId!: string;
}

@InputType()
export class EndSessionInput {
  @Field(() => ID)
  sessionId!: string;
}

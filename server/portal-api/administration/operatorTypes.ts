import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { operatorOrders } from '../../domain/administration/operators.ts';
import type { Role } from '../../domain/shared/actor.ts';
import { RoleEnum } from '../account/accountTypes.ts';
import { enumType } from '../enumType.ts';
import { connectionOf } from '../connection.ts';

export const OperatorOrderEnum = enumType(
  'OperatorOrder',
  operatorOrders,
  'Search results are always ordered by address; deleted accounts have none.',
);

@ObjectType('OperatorAccess', { description: 'How the account’s owner signs in.' })
export class OperatorAccessType {
  @Field(() => Int, { description: 'Currently open sessions.' })
  sessions!: number;
  @Field(() => Int)
  passkeys!: number;
  @Field(() => Date, { nullable: true, description: 'When one of the account’s passkeys was last used.' })
  lastUsedAt!: Date | null;
}

@ObjectType('Operator', { description: 'An account, as administrators see it.' })
export class OperatorType {
  @Field(() => ID)
  id!: string;
  @Field(() => String, { nullable: true, description: 'Null once the account is deleted.' })
  email!: string | null;
  @Field(() => [RoleEnum], { description: 'Roles in addition to that of an operator.' })
  roles!: readonly Role[];
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date, { nullable: true })
  deletedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When it was locked; nobody has been able to sign in to it since.' })
  lockedAt!: Date | null;
  @Field(() => String, { nullable: true })
  lockReason!: string | null;
}

@InputType()
export class OperatorFilterInput {
  @Field(() => String, {
    nullable: true,
    description: 'Part of an address, or what finds one of the account’s integrations. Send it as a variable.',
  })
  search?: string | null;
  @Field(() => RoleEnum, { nullable: true })
  role?: Role | null;
}

@ObjectType('OperatorConnection')
export class OperatorConnectionType extends connectionOf('Operator', () => OperatorType) {}

@InputType({ description: 'The account, and the role to grant or withdraw.' })
export class RoleInput {
  @Field(() => ID)
  operatorId!: string;
  @Field(() => RoleEnum)
  role!: Role;
  @Field(() => String, {
    nullable: true,
    description: 'Up to 500 characters; the account’s owner reads it in a mail and in the audit trail.',
  })
  reason?: string | null;
}

@ObjectType('AccountReset', { description: 'A reset of an account that has lost its passkeys and recovery codes, while it is open.' })
export class AccountResetType {
  @Field(() => ID)
  id!: string;
  @Field(() => ID, { description: 'The administrator who has asked for it. Another one has to approve it.' })
  requestedBy!: string;
  @Field(() => Date)
  requestedAt!: Date;
  @Field(() => String)
  reason!: string;
  @Field(() => String, { description: 'How it was made sure that the owner asks.' })
  proof!: string;
  @Field(() => ID, { nullable: true })
  approvedBy!: string | null;
  @Field(() => Date, { nullable: true, description: 'When its owner can use it; null until it is approved.' })
  dueAt!: Date | null;
}

@InputType()
export class RequestAccountResetInput {
  @Field(() => ID)
  operatorId!: string;
  @Field(() => String, { description: '1 to 500 characters, which the owner sees.' })
  reason!: string;
  @Field(() => String, { description: 'How you made sure that the owner asks, 1 to 500 characters, for administrators only.' })
  proof!: string;
}

@InputType()
export class AccountResetInput {
  @Field(() => ID)
  resetId!: string;
}

@InputType({ description: 'The account, and the reason, which its owner sees.' })
export class AccountLockInput {
  @Field(() => ID)
  operatorId!: string;
  @Field(() => String, { description: '1 to 500 characters.' })
  reason!: string;
}

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { operatorOrders } from '../../domain/administration/operators.ts';
import type { Role } from '../../domain/shared/actor.ts';
import { RoleEnum } from '../account/accountTypes.ts';
import { enumType } from '../enumType.ts';
import { PageInfoType } from '../integration/integrationTypes.ts';

export const OperatorOrderEnum = enumType(
  'OperatorOrder',
  operatorOrders,
  'What a search finds is always ordered by address; deleted accounts have none.',
);

@ObjectType('OperatorAccess', { description: 'How an account is signed in to.' })
export class OperatorAccessType {
  @Field(() => Int, { description: 'Sessions that are open now.' })
  sessions!: number;
  @Field(() => Int)
  passkeys!: number;
  @Field(() => Date, { nullable: true, description: 'When one of the passkeys was last used.' })
  lastUsedAt!: Date | null;
}

@ObjectType('Operator', { description: 'An account, as administrators see it.' })
export class OperatorType {
  @Field(() => ID)
  id!: string;
  @Field(() => String, { nullable: true, description: 'Null once the account is deleted.' })
  email!: string | null;
  @Field(() => [RoleEnum], { description: 'Besides that of an operator.' })
  roles!: readonly Role[];
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date, { nullable: true })
  deletedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'Since then nobody can sign in to it.' })
  lockedAt!: Date | null;
  @Field(() => String, { nullable: true })
  lockReason!: string | null;
}

@InputType()
export class OperatorFilterInput {
  @Field(() => String, { nullable: true, description: 'The beginning of an address, or a whole `opr_…`. Send it as a variable.' })
  search?: string | null;
  @Field(() => RoleEnum, { nullable: true })
  role?: Role | null;
}

@ObjectType('OperatorEdge')
class OperatorEdgeType {
  @Field(() => String)
  cursor!: string;
  @Field(() => OperatorType)
  node!: OperatorType;
}

@ObjectType('OperatorConnection')
export class OperatorConnectionType {
  @Field(() => [OperatorEdgeType])
  edges!: OperatorEdgeType[];
  @Field(() => PageInfoType)
  pageInfo!: PageInfoType;
}

@InputType({ description: 'Whose role, and which.' })
export class RoleInput {
  @Field(() => ID)
  operatorId!: string;
  @Field(() => RoleEnum)
  role!: Role;
}

@InputType({ description: 'Whose account, and why: the owner reads it.' })
export class AccountLockInput {
  @Field(() => ID)
  operatorId!: string;
  @Field(() => String, { description: '1 to 500 characters.' })
  reason!: string;
}

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { type OverridableQuota, overridableQuotas, quotas } from '../../domain/client/quotas.ts';
import { storedEnumType } from '../enumType.ts';

const bounds = overridableQuotas.map((name) => `- \`${name}\`: ${quotas[name].least} to ${quotas[name].most}`).join('\n');

const OverridableQuotaEnum = storedEnumType('OverridableQuota', overridableQuotas, `As in the capabilities of the machine API.\n${bounds}`);

@ObjectType('QuotaOverride', { description: 'A different value for one quota of a client; after `expiresAt` the baseline applies again.' })
export class QuotaOverrideType {
  @Field(() => OverridableQuotaEnum)
  quota!: OverridableQuota;
  @Field(() => Int)
  value!: number;
  @Field(() => String)
  reason!: string;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'If absent, it stands until it is withdrawn.' })
  expiresAt!: Date | null;
}

@InputType()
export class SetQuotaOverrideInput {
  @Field(() => ID)
  clientId!: string;
  @Field(() => OverridableQuotaEnum)
  quota!: OverridableQuota;
  @Field(() => Int)
  value!: number;
  @Field(() => String, { description: '1 to 500 characters, for the audit trail.' })
  reason!: string;
  @Field(() => Date, { nullable: true, description: 'In the future, within 366 days. If omitted, it stands until it is withdrawn.' })
  expiresAt?: Date | null;
}

@InputType()
export class WithdrawQuotaOverrideInput {
  @Field(() => ID)
  clientId!: string;
  @Field(() => OverridableQuotaEnum)
  quota!: OverridableQuota;
  @Field(() => String, { description: '1 to 500 characters, for the audit trail.' })
  reason!: string;
}

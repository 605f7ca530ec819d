import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { ResourceType } from '../../domain/tracking/allowlist.ts';
import { shippingEventKinds } from '../../domain/tracking/statusFacts.ts';
import { enumType } from '../enumType.ts';
import { ResourceTypeEnum } from '../tooling/resourceTypes.ts';

const ShippingEventKindEnum = enumType('ShippingEventKind', shippingEventKinds);

@InputType()
export class SandboxClientInput {
  @Field(() => ID, { description: 'The sandbox client, `cli_…`.' })
  clientId!: string;
}

@InputType()
export class GenerateSandboxLinkCodeInput extends SandboxClientInput {
  @Field(() => Int, { defaultValue: 1, description: 'How many orders to share; orders and vehicles together must be 1 to 500.' })
  orders!: number;
  @Field(() => Int, { defaultValue: 0 })
  vehicles!: number;
  @Field(() => [String], { nullable: true, description: 'The scopes to which the test user consents; if omitted, all that are possible.' })
  scopes?: string[] | null;
  @Field(() => Boolean, { defaultValue: false })
  statisticsOptedIn!: boolean;
}

@ObjectType('GeneratedLinkCode')
export class GeneratedLinkCodeType {
  @Field(() => ID)
  id!: string;
  @Field(() => String, { description: 'Ten digits, shown only once.' })
  code!: string;
  @Field(() => Date)
  expiresAt!: Date;
}

@InputType()
export class AdvanceSandboxResourceInput extends SandboxClientInput {
  @Field(() => ID, { nullable: true, description: '`ord_…` or `veh_…`; if omitted, any resources that have a next step.' })
  resourceId?: string | null;
  @Field(() => Int, { defaultValue: 1, description: 'How many resources to pick, at most 50.' })
  count!: number;
  @Field(() => ResourceTypeEnum, { nullable: true, description: 'Which resources to pick from.' })
  type?: ResourceType | null;
  @Field(() => Boolean, { defaultValue: false, description: 'Cancels an order before production, or withdraws a stock vehicle, instead.' })
  ending!: boolean;
}

@InputType()
export class AddSandboxShippingEventInput extends SandboxClientInput {
  @Field(() => ID)
  resourceId!: string;
  @Field(() => ShippingEventKindEnum)
  kind!: (typeof shippingEventKinds)[number];
  @Field(() => String, { description: 'UN/LOCODE' })
  port!: string;
  @Field(() => Date, { nullable: true, description: 'If omitted, now.' })
  at?: Date | null;
  @Field(() => Boolean, { defaultValue: false })
  estimated!: boolean;
}

@ObjectType('SandboxChange', { description: 'What changed in one shared resource.' })
export class SandboxChangeType {
  @Field(() => ID)
  resourceId!: string;
  @Field(() => ResourceTypeEnum)
  type!: ResourceType;
  @Field(() => ID)
  connectionId!: string;
  @Field(() => String)
  from!: string;
  @Field(() => String)
  to!: string;
  @Field(() => Int, { description: 'As the next sync returns it.' })
  revision!: number;
  @Field(() => Boolean, { description: 'Whether the next sync shows the change; false where the scopes hide it.' })
  shown!: boolean;
}

@InputType()
export class RevokeSandboxShareInput extends SandboxClientInput {
  @Field(() => ID, { nullable: true, description: 'One resource. Give either this or `connectionId`.' })
  resourceId?: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'A connection, with everything that is shared through it. Give either this or `resourceId`.',
  })
  connectionId?: string | null;
}

@ObjectType('SandboxRevocation')
export class SandboxRevocationType {
  @Field(() => ID)
  revocationId!: string;
  @Field(() => Date)
  deletionDeadlineAt!: Date;
}

@ObjectType('PublishedSandboxStatistics')
export class PublishedSandboxStatisticsType {
  @Field(() => ID)
  generationId!: string;
  @Field(() => Int)
  groupCount!: number;
  @Field(() => Int, { description: 'Groups that appeared, disappeared or changed.' })
  alteredCount!: number;
}

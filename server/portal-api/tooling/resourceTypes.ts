import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { allowlist, type ResourceType } from '../../domain/tracking/allowlist.ts';
import { enumType } from '../enumType.ts';

export const ResourceTypeEnum = enumType(
  'ResourceType',
  Object.keys(allowlist) as ResourceType[],
  'An order of a user, or a stock vehicle.',
);

const fieldsOf = (type: ResourceType): string =>
  Object.keys(allowlist[type])
    .map((name) => `\`${name}\``)
    .join(', ');

@InputType({ description: 'The current state of an order or stock vehicle. It replaces what you sent before.' })
class TrackedResourceInput {
  @Field(() => ResourceTypeEnum)
  type!: ResourceType;
  @Field(() => String, {
    description:
      'Your own key, 1 to 200 visible characters, which must never change. It is stored as an HMAC and never leaves the service, but do not use an order number.',
  })
  key!: string;
  @Field(() => String, {
    description:
      'Your version of it, 0 to 9223372036854775807 in decimal digits (text, because JSON numbers are not exact). A version that is not higher than the one on record is ignored, so batches can be repeated and can arrive out of order.',
  })
  version!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'Whose order it is: your opaque reference, 1 to 200 visible characters, never an address. Required for orders, refused for vehicles, and must never change.',
  })
  user?: string | null;
  @Field(() => Date, { nullable: true, description: 'When it entered this state, for its history; if omitted, now. Never in the future.' })
  occurredAt?: Date | null;
  @Field(() => Boolean, { description: 'Whether you have known it from its beginning, so that its history is complete.' })
  historyComplete!: boolean;
  @Field(() => GraphQLJSON, {
    description: `The whole snapshot. Order: ${fieldsOf('order')}. Vehicle: ${fieldsOf('vehicle')}. Anything else, at any depth, is refused, naming its path, and not stored. At most 16,000 bytes.`,
  })
  data!: unknown;
}

@InputType()
export class UpsertTrackedResourcesInput {
  @Field(() => [TrackedResourceInput], {
    description: '1 to 1,000, each resource once. Send them as variables, because the document itself must be short.',
  })
  resources!: TrackedResourceInput[];
}

@ObjectType()
export class UpsertTrackedResourcesPayload {
  @Field(() => Int, { description: 'Not on record before.' })
  created!: number;
  @Field(() => Int, { description: 'Newer and different: it was added to the history, and to every feed that may see the change.' })
  updated!: number;
  @Field(() => Int, { description: 'Newer, but identical in everything that is stored.' })
  unchanged!: number;
  @Field(() => Int, { description: 'Not newer than what is on record.' })
  ignored!: number;
}

@InputType({ description: 'An order or stock vehicle by your own key.' })
export class TrackedResourceKeyInput {
  @Field(() => ResourceTypeEnum)
  type!: ResourceType;
  @Field(() => String)
  key!: string;
}

@InputType()
export class WithdrawTrackedResourcesInput {
  @Field(() => [TrackedResourceKeyInput], { description: '1 to 1,000.' })
  resources!: TrackedResourceKeyInput[];
}

@ObjectType()
export class WithdrawTrackedResourcesPayload {
  @Field(() => Int, { description: 'Resources that are now withdrawn, including those withdrawn before.' })
  withdrawn!: number;
  @Field(() => Int, { description: 'Resources that you never sent.' })
  unknown!: number;
}

@InputType()
export class PublishStatisticsGenerationInput {
  @Field(() => ID)
  integrationId!: string;
}

@ObjectType()
export class PublishStatisticsGenerationPayload {
  @Field(() => ID, { nullable: true, description: 'Absent when the integration has no statistics.orders.read: nothing was published.' })
  generationId!: string | null;
}

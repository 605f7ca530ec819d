import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { limits } from '../../domain/shared/limits.ts';
import { scopeGrants } from '../../domain/shared/scopes.ts';
import { spanWords } from '../../domain/shared/text/spanWords.ts';
import type { ResourceType } from '../../domain/tracking/allowlist.ts';
import { ResourceTypeEnum, TrackedResourceKeyInput } from './resourceTypes.ts';
import { connectionOf } from '../connection.ts';

const scopeList = Object.entries(scopeGrants)
  .map(([name, grants]) => `- \`${name}\`: ${grants}`)
  .join('\n');
const userDescription = 'Your opaque reference to the user, as orders carry it.';

@InputType()
export class CreateLinkCodeInput {
  @Field(() => ID, { description: 'The one integration that may redeem the code, from `catalogue`.' })
  integrationId!: string;
  @Field(() => String, { description: userDescription })
  user!: string;
  @Field(() => [String], { defaultValue: [], description: 'Keys of exactly the user’s own orders to share.' })
  orders!: string[];
  @Field(() => [String], {
    defaultValue: [],
    description: `Keys of stock vehicles to share. At most ${limits.resourcesPerShare} resources together.`,
  })
  vehicles!: string[];
  @Field(() => [String], { description: `What the user has consented to; each must be a scope of the integration.\n${scopeList}` })
  scopes!: string[];
  @Field(() => Boolean, {
    description: 'Whether the user takes part in this integration’s statistics: a separate choice, never a condition.',
  })
  statisticsOptedIn!: boolean;
}

@ObjectType('LinkCode')
export class LinkCodeType {
  @Field(() => ID, { description: 'The ID to pass to `cancelLinkCode`.' })
  id!: string;
  @Field(() => String, { description: 'Ten digits as text, shown only once. Show it to the user, and do not log it.' })
  code!: string;
  @Field(() => Date, {
    description: `${spanWords(limits.linkCodeLifetime)} from now. It works once, and not after ${limits.failedAttemptsPerCode} failed attempts.`,
  })
  expiresAt!: Date;
}

@InputType()
export class CancelLinkCodeInput {
  @Field(() => ID)
  linkCodeId!: string;
}

@ObjectType()
export class CancelLinkCodePayload {
  @Field(() => ID)
  id!: string;
  @Field(() => Date)
  cancelledAt!: Date;
}

@InputType()
class ChangeShareInput {
  @Field(() => ID, { description: '`con_…`, from `shares`.' })
  connectionId!: string;
  @Field(() => [String], { defaultValue: [], description: 'Keys of orders.' })
  orders!: string[];
  @Field(() => [String], { defaultValue: [], description: 'Keys of stock vehicles.' })
  vehicles!: string[];
  @Field(() => [String], { defaultValue: [] })
  scopes!: string[];
}

@InputType({ description: 'What the user has additionally consented to.' })
export class ExtendShareInput extends ChangeShareInput {}

@InputType({ description: 'What the user has taken back.' })
export class NarrowShareInput extends ChangeShareInput {}

@ObjectType('SharedResource', { description: 'A resource, by the ID under which one integration knows it.' })
class SharedResourceType {
  @Field(() => ID)
  id!: string;
  @Field(() => ResourceTypeEnum)
  type!: ResourceType;
}

@ObjectType()
export class ExtendSharePayload {
  @Field(() => ID)
  connectionId!: string;
  @Field(() => [String], { description: 'Everything the user consents to now.' })
  scopes!: string[];
  @Field(() => [SharedResourceType], { description: 'What was not shared before.' })
  granted!: SharedResourceType[];
}

@ObjectType('ShareRevocation', { description: 'Access that ended. The integration must delete every copy by the deadline.' })
export class ShareRevocationType {
  @Field(() => ID)
  revocationId!: string;
  @Field(() => Date)
  deletionDeadlineAt!: Date;
}

@ObjectType('RevokedResource')
class RevokedResourceType extends ShareRevocationType {
  @Field(() => SharedResourceType)
  resource!: SharedResourceType;
}

@ObjectType()
export class NarrowSharePayload {
  @Field(() => ID)
  connectionId!: string;
  @Field(() => [String], { description: 'Everything the user still consents to.' })
  scopes!: string[];
  @Field(() => [RevokedResourceType], { description: 'What is no longer shared, each with a revocation of its own.' })
  revoked!: RevokedResourceType[];
}

@InputType()
export class RevokeShareInput {
  @Field(() => ID)
  connectionId!: string;
  @Field(() => TrackedResourceKeyInput, {
    nullable: true,
    description: 'One resource of the connection; if omitted, the whole connection.',
  })
  resource?: TrackedResourceKeyInput | null;
}

@InputType()
export class EraseUserInput {
  @Field(() => String, { description: userDescription })
  user!: string;
}

@ObjectType()
export class EraseUserPayload {
  @Field(() => Int, { description: 'Connections that were active until now.' })
  revokedConnections!: number;
  @Field(() => Int, { description: 'Orders that were deleted with their history.' })
  deletedOrders!: number;
}

@InputType()
export class SetStatisticsParticipationInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => String, { description: userDescription })
  user!: string;
  @Field(() => Boolean)
  optedIn!: boolean;
}

@ObjectType()
export class SetStatisticsParticipationPayload {
  @Field(() => [ID], { description: 'The user’s connections with the integration, for all of which it holds.' })
  connectionIds!: string[];
  @Field(() => Boolean)
  statisticsOptedIn!: boolean;
}

@ObjectType('Share', { description: 'What a user shares, or has shared, with one integration by one redeemed link code.' })
class ShareType {
  @Field(() => ID)
  connectionId!: string;
  @Field(() => ID)
  integrationId!: string;
  @Field(() => [String], { description: 'Scopes that the user consents to.' })
  scopes!: readonly string[];
  @Field(() => Int, { description: 'The profile version that the user consented to last.' })
  profileVersion!: number;
  @Field(() => Boolean)
  statisticsOptedIn!: boolean;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Absent while the connection is active.' })
  revokedAt!: Date | null;
  @Field(() => [SharedResourceType], {
    description: 'What is shared now, by the integration’s IDs. Only your own records show which order each one is.',
  })
  resources!: readonly SharedResourceType[];
}

@ObjectType('ShareConnection')
export class ShareConnectionType extends connectionOf('Share', () => ShareType) {
  @Field(() => Int)
  totalCount!: number;
}

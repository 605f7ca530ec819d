import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { IntegrationStatus } from '../../domain/integration/integrationStatus.ts';
import { IntegrationStatusEnum, ProfileFieldsInput, ProfileVersionType } from './integrationTypes.ts';
import { connectionOf } from '../connection.ts';

@InputType({
  description: 'The complete new profile. The logo stays the same, and so does an optional field that is absent; null clears one.',
})
export class ReviseProfileInput extends ProfileFieldsInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => Int, {
    description: 'The version that was edited. If another one has been stored since, the change is refused with CONFLICT.',
  })
  version!: number;
}

@ObjectType('ProfileField', { description: 'A field of a profile, and what changing it means.' })
export class ProfileFieldType {
  @Field(() => String, { description: 'Its name in ReviseProfileInput, or logoId.' })
  name!: string;
  @Field(() => String)
  label!: string;
  @Field(() => Boolean, { description: 'A change is a new consent boundary: it never widens what users have granted.' })
  consentRelevant!: boolean;
  @Field(() => Boolean, { description: 'Whether it may change after approval without another review.' })
  minor!: boolean;
  @Field(() => Boolean, { description: 'Whether it may change in the current status.' })
  revisable!: boolean;
}

@ObjectType('ProfileChange', { description: 'One field that differs between two versions of a profile.' })
export class ProfileChangeType {
  @Field(() => String, { description: 'Its name in ReviseProfileInput, or logoId.' })
  field!: string;
  @Field(() => String)
  label!: string;
  @Field(() => [String], { description: 'Empty: it had no value.' })
  before!: readonly string[];
  @Field(() => [String], { description: 'Empty: it has no value.' })
  after!: readonly string[];
  @Field(() => Boolean, { description: 'A new consent boundary: the change never widens what users have granted.' })
  consentRelevant!: boolean;
  @Field(() => Boolean, { description: 'Whether it may change after approval without another review.' })
  minor!: boolean;
}

@ObjectType('RevisedProfile', { description: 'A version of a profile with what it changed.' })
class RevisedProfileType {
  @Field(() => ProfileVersionType)
  profile!: ProfileVersionType;
  @Field(() => [ProfileChangeType], { description: 'Compared with the version before; empty for the first one.' })
  changes!: readonly ProfileChangeType[];
}

@ObjectType('RevisedProfileConnection')
export class RevisedProfileConnectionType extends connectionOf('RevisedProfile', () => RevisedProfileType) {}

@ObjectType('MinorRevision', { description: 'A version that was stored after the approval.' })
class MinorRevisionType {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => String)
  slug!: string;
  @Field(() => IntegrationStatusEnum)
  status!: IntegrationStatus;
  @Field(() => ProfileVersionType)
  profile!: ProfileVersionType;
  @Field(() => [ProfileChangeType], { description: 'Compared with the version before.' })
  changes!: readonly ProfileChangeType[];
}

@ObjectType('MinorRevisionConnection')
export class MinorRevisionConnectionType extends connectionOf('MinorRevision', () => MinorRevisionType) {}

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { integrationStatuses } from '../../domain/integration/integrationStatus.ts';
import { webhookModels } from '../../domain/integration/profile/ProfileVersion.ts';
import { corpusStates } from '../../domain/sandbox/corpusStatus.ts';
import { environments, type Environment } from '../../domain/shared/environment.ts';
import { connectionOf } from '../connection.ts';
import { enumType, storedEnumType } from '../enumType.ts';

export const EnvironmentEnum = enumType('Environment', environments);
export const IntegrationStatusEnum = storedEnumType('IntegrationStatus', integrationStatuses);
const WebhookModelEnum = enumType('WebhookModel', webhookModels);
export const CorpusStateEnum = enumType('CorpusState', corpusStates);

@ObjectType('ProfileVersion', { description: 'A snapshot of a profile; versions are never changed.' })
export class ProfileVersionType {
  @Field(() => Int)
  version!: number;
  @Field(() => String)
  publicName!: string;
  @Field(() => String)
  publicDescription!: string;
  @Field(() => String)
  purpose!: string;
  @Field(() => String)
  legalOperatorName!: string;
  @Field(() => String, { description: 'ISO 3166-1 alpha-2' })
  country!: string;
  @Field(() => String)
  supportEmail!: string;
  @Field(() => String)
  websiteUrl!: string;
  @Field(() => String)
  privacyPolicyUrl!: string;
  @Field(() => String)
  termsOfServiceUrl!: string;
  @Field(() => String)
  orderLinkingUrl!: string;
  @Field(() => String, { nullable: true })
  donationUrl?: string | null;
  @Field(() => [String])
  requestedScopes!: string[];
  @Field(() => Int)
  pollingCadenceMinutes!: number;
  @Field(() => WebhookModelEnum)
  webhookModel!: (typeof webhookModels)[number];
  @Field(() => Date)
  createdAt!: Date;
}

@ObjectType('SandboxCorpus', { description: 'The test data of a sandbox client.' })
export class SandboxCorpusType {
  @Field(() => Int, { description: 'The first is 1, and each regeneration adds 1.' })
  generation!: number;
  @Field(() => Date)
  requestedAt!: Date;
  @Field(() => Date, { nullable: true })
  startedAt?: Date | null;
  @Field(() => Date, { nullable: true })
  readyAt?: Date | null;
}

@ObjectType('CorpusContents', { description: 'What a sandbox’s test data contains, depending on its scopes.' })
export class CorpusContentsType {
  @Field(() => Int)
  orders!: number;
  @Field(() => Int)
  vehicles!: number;
  @Field(() => Boolean, { description: 'Whether there is a statistics generation.' })
  statistics!: boolean;
}

@ObjectType('Client', { description: 'An integration’s identity in one environment.' })
export class ClientType {
  @Field(() => ID)
  id!: string;
  @Field(() => EnvironmentEnum)
  environment!: Environment;
  @Field(() => [String])
  scopes!: string[];
  @Field(() => Boolean, { description: 'Whether its back end may renew its certificates through EST, without a person.' })
  renewalByEst!: boolean;
  @Field(() => Date)
  createdAt!: Date;
}

@ObjectType('Integration')
export class IntegrationType {
  @Field(() => ID)
  id!: string;
  @Field(() => String)
  slug!: string;
  @Field(() => IntegrationStatusEnum)
  status!: (typeof integrationStatuses)[number];
  @Field(() => String, { nullable: true, description: 'The reason for its status, if somebody gave one.' })
  statusReason?: string | null;
  @Field(() => Date, { nullable: true, description: 'When it entered its status; absent while it still has its first.' })
  statusChangedAt?: Date | null;
  @Field(() => Int, { nullable: true, description: 'The version that production shows; absent before an approval.' })
  reviewedProfileVersion?: number | null;
  @Field(() => Date)
  createdAt!: Date;
}

@ObjectType('IntegrationConnection')
export class IntegrationConnectionType extends connectionOf('Integration', () => IntegrationType) {
  @Field(() => Int, { description: 'Those that the list shows, on all its pages.' })
  totalCount!: number;
  @Field(() => Int, { description: 'Those that are retired, whether the list shows them or not.' })
  retiredCount!: number;
}

@InputType({ description: 'What an operator says about an integration.' })
export class ProfileFieldsInput {
  @Field(() => String)
  publicName!: string;
  @Field(() => String)
  publicDescription!: string;
  @Field(() => String)
  purpose!: string;
  @Field(() => String)
  legalOperatorName!: string;
  @Field(() => String)
  country!: string;
  @Field(() => String)
  supportEmail!: string;
  @Field(() => String)
  websiteUrl!: string;
  @Field(() => String)
  privacyPolicyUrl!: string;
  @Field(() => String)
  termsOfServiceUrl!: string;
  @Field(() => String)
  orderLinkingUrl!: string;
  @Field(() => String, { nullable: true })
  donationUrl?: string | null;
  @Field(() => [String])
  requestedScopes!: string[];
  @Field(() => Int)
  pollingCadenceMinutes!: number;
  @Field(() => WebhookModelEnum)
  webhookModel!: (typeof webhookModels)[number];
}

@InputType()
export class CreateIntegrationInput extends ProfileFieldsInput {
  @Field(() => String, { description: 'Permanent and globally unique: a to z, 0 to 9 and single hyphens, 3 to 40 characters.' })
  slug!: string;
  @Field(() => Int, { description: 'The version of the Integration Terms that was accepted before.' })
  termsVersion!: number;
  @Field(() => Boolean, { description: 'Must be true for every new integration; stored with the first profile version.' })
  attributionRulesAccepted!: boolean;
  @Field(() => Boolean, { description: 'Must be true for every new integration; stored with the first profile version.' })
  nonCommercialUseAccepted!: boolean;
}

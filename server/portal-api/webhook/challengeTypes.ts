import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { challengeStatuses, type ChallengeStatus } from '../../domain/webhook/challengeStatus.ts';
import { challengeStepNames, challengeStepOutcomes, type ChallengeStepName } from '../../domain/webhook/challenge/challengeSteps.ts';
import { storedEnumType } from '../enumType.ts';
import { severalOf } from '../fieldCosts.ts';

const ChallengeStatusEnum = storedEnumType('WebhookChallengeStatus', challengeStatuses);
const ChallengeStepNameEnum = storedEnumType(
  'WebhookChallengeStepName',
  challengeStepNames,
  'In this order. What follows a step that failed is absent.',
);
const ChallengeStepOutcomeEnum = storedEnumType('WebhookChallengeStepOutcome', challengeStepOutcomes);

@ObjectType('WebhookChallengeStep')
class ChallengeStepType {
  @Field(() => ChallengeStepNameEnum)
  name!: ChallengeStepName;
  @Field(() => ChallengeStepOutcomeEnum)
  outcome!: (typeof challengeStepOutcomes)[number];
  @Field(() => Date, { description: 'When it ended.' })
  at!: Date;
  @Field(() => Int)
  tookMs!: number;
  @Field(() => String, { description: 'What was found, or what went wrong, in words.' })
  detail!: string;
}

@ObjectType('WebhookChallenge', {
  description: 'The last time that an endpoint was asked to prove its present URL. Its steps appear while it runs.',
})
export class ChallengeType {
  @Field(() => ID)
  id!: string;
  @Field(() => ChallengeStatusEnum)
  status!: ChallengeStatus;
  @Field(() => Date)
  requestedAt!: Date;
  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;
  @Field(() => String, { nullable: true, description: 'Why it failed, in words.' })
  failure!: string | null;
  @Field(() => [ChallengeStepType], { complexity: severalOf })
  steps!: ChallengeStepType[];
}

@InputType()
export class VerifyWebhookEndpointInput {
  @Field(() => ID)
  endpointId!: string;
}

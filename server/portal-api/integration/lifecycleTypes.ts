import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { IntegrationPhase } from '../../domain/integration/integrationFacts.ts';
import { integrationActions, integrationPhases } from '../../domain/integration/integrationStatus.ts';
import {
  suspensionCauses,
  timelineAuthors,
  timelineSteps,
  type TimelineEntry,
  type TimelineStep,
} from '../../domain/integration/status/statusTimeline.ts';
import { enumType } from '../enumType.ts';

export const IntegrationActionEnum = enumType(
  'IntegrationAction',
  integrationActions,
  'Every change of an integration’s status; each has the name of its operation.',
);
const IntegrationPhaseEnum = enumType('IntegrationPhase', integrationPhases, 'What an integration’s status means in one environment.');
const TimelineStepEnum = enumType('TimelineStep', timelineSteps);
const TimelineAuthorEnum = enumType(
  'TimelineAuthor',
  timelineAuthors,
  'The integration’s owner, the service’s staff, or the service by itself.',
);

export const SuspensionCauseEnum = enumType(
  'SuspensionCause',
  suspensionCauses,
  'A deletion that was not acknowledged in time, or an administrator’s decision.',
);

@ObjectType('OutstandingDeletions', { description: 'Outstanding deletions include the overdue ones.' })
export class OutstandingDeletionsType {
  @Field(() => Int)
  outstanding!: number;
  @Field(() => Int)
  overdue!: number;
}

@ObjectType('IntegrationPhases', { description: 'What an integration’s status means in each environment.' })
export class IntegrationPhasesType {
  @Field(() => IntegrationPhaseEnum)
  sandbox!: IntegrationPhase;
  @Field(() => IntegrationPhaseEnum)
  production!: IntegrationPhase;
}

@ObjectType('TimelineEntry', { description: 'One step in the history of an integration.' })
export class TimelineEntryType {
  @Field(() => TimelineStepEnum)
  step!: TimelineStep;
  @Field(() => Date)
  at!: Date;
  @Field(() => TimelineAuthorEnum)
  by!: TimelineEntry['by'];
  @Field(() => String, { nullable: true })
  reason!: string | null;
}

@ObjectType('ProductionGate', {
  description: 'One of the two gates of production data, the service’s or one integration’s. Data flows while both are open.',
})
export class ProductionGateType {
  @Field(() => Boolean)
  open!: boolean;
  @Field(() => String, { nullable: true })
  reason!: string | null;
  @Field(() => Date, { nullable: true, description: 'Absent if nobody has ever changed it.' })
  changedAt!: Date | null;
}

@InputType({ description: 'The owner’s activation of an approved integration.' })
export class ActivateForProductionInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => Int, { description: 'The reviewed version; any other is refused.' })
  profileVersion!: number;
}

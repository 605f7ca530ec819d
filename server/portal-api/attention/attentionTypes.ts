import { Field, ID, Int, ObjectType } from 'type-graphql';
import {
  healthLevels,
  signalLevels,
  signals,
  type HealthLevel,
  type Signal,
  type SignalLevel,
} from '../../domain/attention/findings/findingTypes.ts';
import {
  actPages,
  attentionKinds,
  attentionLevels,
  timeForms,
  type ActPage,
  type AttentionKind,
  type AttentionLevel,
  type TimeForm,
} from '../../domain/notification/words/attentionKinds.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import { NamedIntegrationType } from '../account/accountSettingsTypes.ts';
import { enumType } from '../enumType.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';

export const AttentionKindEnum = enumType('AttentionKind', attentionKinds);
export const AttentionLevelEnum = enumType(
  'AttentionLevel',
  attentionLevels,
  'What does not work, and what has to be done before it stops working.',
);
const ActPageEnum = enumType('ActPage', actPages, 'The pages on which something can be done.');
const TimeFormEnum = enumType(
  'TimeForm',
  timeForms,
  '`firstDeadline`: of several things, the first is due then. `inTitle`: the title says when that is. `event`: it happened, and is no state that lasts.',
);
export const HealthLevelEnum = enumType('HealthLevel', healthLevels);
const SignalEnum = enumType('Signal', signals);
const SignalLevelEnum = enumType('SignalLevel', signalLevels, '`quiet`: nothing is known or expected, which is neither good nor bad.');

@ObjectType('Act', { description: 'The one thing to do.', simpleResolvers: true })
class ActType {
  @Field(() => String)
  label!: string;
  @Field(() => ActPageEnum)
  page!: ActPage;
  @Field(() => EnvironmentEnum, { nullable: true })
  environment!: Environment | null;
  @Field(() => ID, { nullable: true, description: 'What the page is about: an endpoint, a submission, a version of the terms.' })
  objectId!: string | null;
}

@ObjectType('NamedAct', { description: 'The one thing to do about something that a sentence names.' })
class NamedActType extends ActType {
  @Field(() => String, { description: 'What it is about, in the words of the sentence.' })
  about!: string;
  @Field(() => AttentionLevelEnum)
  level!: AttentionLevel;
}

@ObjectType('DeletionsToDo', { description: 'What somebody has to delete.', simpleResolvers: true })
class DeletionsToDoType {
  @Field(() => String, { description: 'As in “2 orders, 1 overdue”.' })
  words!: string;
  @Field(() => Int)
  count!: number;
  @Field(() => Int, { description: 'How many of them are overdue.' })
  overdue!: number;
  @Field(() => Boolean, { description: 'Whether its integration is retired.' })
  retired!: boolean;
  @Field(() => ID, { nullable: true, description: 'Of which resource or connection, where it is only one.' })
  subjectId!: string | null;
}

@ObjectType('DeletionsInAll', { description: 'Everything that somebody has to delete.' })
export class DeletionsInAllType {
  @Field(() => Int)
  count!: number;
  @Field(() => Int, { description: 'How many of them are overdue.' })
  overdue!: number;
  @Field(() => Int, { description: 'How many integrations these are of.' })
  integrations!: number;
}

@ObjectType('AttentionItem', {
  description: 'Something that needs somebody. It vanishes when it is done; nobody marks it as read.',
  simpleResolvers: true,
})
export class AttentionItemType {
  @Field(() => ID, { description: 'The same as long as the situation is the same.' })
  id!: string;
  @Field(() => AttentionKindEnum)
  kind!: AttentionKind;
  @Field(() => AttentionLevelEnum)
  level!: AttentionLevel;
  @Field(() => String)
  title!: string;
  @Field(() => String, {
    nullable: true,
    description: 'In one line, what the title does not say: what and how many, or why and what helps.',
  })
  detail?: string | null;
  @Field(() => String)
  text!: string;
  @Field(() => Date, { nullable: true })
  since!: Date | null;
  @Field(() => Date, { nullable: true })
  deadline!: Date | null;
  @Field(() => TimeFormEnum, {
    nullable: true,
    description: 'What its time says; null where it is the deadline of everything, or since when it is so.',
  })
  timeForm?: TimeForm | null;
  @Field(() => DeletionsToDoType, { nullable: true, description: 'Null where it asks for no deletions.' })
  deletions?: DeletionsToDoType | null;
  @Field(() => ActType)
  act!: ActType;
  @Field(() => NamedIntegrationType, { nullable: true, description: 'Null where it concerns no single integration.' })
  integration!: NamedIntegrationType | null;
}

@ObjectType('NextStep', { description: 'What comes next for an integration: what to do, or what it waits for.' })
export class NextStepType {
  @Field(() => AttentionLevelEnum, { nullable: true, description: 'Null where nothing needs the owner.' })
  level!: AttentionLevel | null;
  @Field(() => String)
  title!: string;
  @Field(() => String, { nullable: true, description: 'As of something that needs the owner.' })
  detail?: string | null;
  @Field(() => String)
  text!: string;
  @Field(() => Date, { nullable: true })
  since!: Date | null;
  @Field(() => Date, { nullable: true })
  deadline!: Date | null;
  @Field(() => TimeFormEnum, { nullable: true, description: 'As of something that needs the owner.' })
  timeForm?: TimeForm | null;
  @Field(() => ActType, { nullable: true, description: 'Null where there is only something to wait for.' })
  act!: ActType | null;
  @Field(() => Boolean, { description: 'Whether it needs the service’s staff.' })
  contact!: boolean;
}

@ObjectType('HealthSignal')
class HealthSignalType {
  @Field(() => SignalEnum)
  signal!: Signal;
  @Field(() => SignalLevelEnum)
  level!: SignalLevel;
  @Field(() => String)
  word!: string;
  @Field(() => String, { nullable: true })
  figure!: string | null;
  @Field(() => Date, { nullable: true, description: 'Until when it has to be dealt with, or had to be.' })
  deadline?: Date | null;
  @Field(() => ActPageEnum)
  page!: ActPage;
}

@ObjectType('HealthCount', { description: 'How many integrations there are of one health.' })
export class HealthCountType {
  @Field(() => HealthLevelEnum)
  level!: HealthLevel;
  @Field(() => Int)
  count!: number;
}

@ObjectType('Health', { description: 'How an integration is in one environment, as of one moment.' })
export class HealthType {
  @Field(() => EnvironmentEnum)
  environment!: Environment;
  @Field(() => HealthLevelEnum)
  level!: HealthLevel;
  @Field(() => String)
  word!: string;
  @Field(() => String, { description: 'Whether data flows, and if not, why.' })
  sentence!: string;
  @Field(() => [NamedActType], { description: 'What can be done about it, the most pressing first.' })
  acts!: readonly NamedActType[];
  @Field(() => [ActPageEnum], { description: 'The pages on which something can be done about each thing that the sentence does not name.' })
  unnamed!: readonly ActPage[];
  @Field(() => Int, { description: 'How many things need the owner in it.' })
  needs!: number;
  @Field(() => [Date], {
    description: 'When each of its certificates ends, the first one first; where none works, when the last one ended.',
  })
  certificateEnds!: readonly Date[];
  @Field(() => Date)
  asOf!: Date;
  @Field(() => [HealthSignalType])
  signals!: readonly HealthSignalType[];
}

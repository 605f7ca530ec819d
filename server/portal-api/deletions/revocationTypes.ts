import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { Environment } from '../../domain/shared/environment.ts';
import { revocationOrders, revocationStates, revocationSubjects } from '../../domain/sharing/deletion/ownRevocations.ts';
import { connectionOf } from '../connection.ts';
import { enumType } from '../enumType.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';

const RevocationSubjectEnum = enumType('RevocationSubject', revocationSubjects);
export const RevocationStateEnum = enumType(
  'RevocationState',
  revocationStates,
  'Outstanding: neither acknowledged nor recorded. Due: outstanding, except the fixture in the test data. Overdue: due and past the deadline.',
);
export const RevocationOrderEnum = enumType(
  'RevocationOrder',
  revocationOrders,
  '`deadline`: nearest deadline first. `newest`: most recently revoked first.',
);

@ObjectType('Revocation', { description: 'Access that ended. Every individual and derived copy must be deleted by the deadline.' })
export class RevocationType {
  @Field(() => ID)
  id!: string;
  @Field(() => EnvironmentEnum)
  environment!: Environment;
  @Field(() => RevocationSubjectEnum)
  subjectType!: (typeof revocationSubjects)[number];
  @Field(() => ID, { description: 'The resource, or the connection.' })
  subjectId!: string;
  @Field(() => ID)
  connectionId!: string;
  @Field(() => Int, { description: 'How many resources lost access with it.' })
  resourceCount!: number;
  @Field(() => Date)
  revokedAt!: Date;
  @Field(() => Date)
  deletionDeadlineAt!: Date;
  @Field(() => Date, { nullable: true })
  acknowledgedAt!: Date | null;
  @Field(() => Boolean, { description: 'The deletion was recorded after the deadline.' })
  acknowledgedLate!: boolean;
  @Field(() => Boolean, { description: 'Whether the owner recorded the deletion in the portal; otherwise the back end acknowledged it.' })
  recordedByHand!: boolean;
  @Field(() => Boolean, {
    description:
      'It came with the test data, for trying out acknowledgements. It can be acknowledged after its deadline, too, and nothing is due.',
  })
  fixture!: boolean;
  @Field(() => Boolean, { description: 'The deadline has passed and the deletion is still not acknowledged.' })
  overdue!: boolean;
}

@ObjectType('DeletionCounts', { description: 'The outstanding deletions of the environments that were not requested.' })
class DeletionCountsType {
  @Field(() => Int)
  dueCount!: number;
  @Field(() => Int)
  overdueCount!: number;
  @Field(() => Date, { nullable: true })
  nextDeadlineAt!: Date | null;
}

@ObjectType('RevocationConnection')
export class RevocationConnectionType extends connectionOf('Revocation', () => RevocationType) {
  @Field(() => Int, { description: 'All outstanding deletions in the requested environments, whatever state is requested.' })
  outstandingCount!: number;
  @Field(() => Int, { description: 'How many of them are due: all except the fixture in the test data.' })
  dueCount!: number;
  @Field(() => Int, { description: 'How many of them are past their deadline.' })
  overdueCount!: number;
  @Field(() => Date, { nullable: true, description: 'The nearest deadline of those that are due and not overdue.' })
  nextDeadlineAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'The earliest deadline that has passed.' })
  overdueSince!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When the latest revocation that is done was acknowledged or recorded.' })
  lastDoneAt!: Date | null;
  @Field(() => DeletionCountsType)
  elsewhere!: DeletionCountsType;
}

@InputType()
export class RecordDeletionInput {
  @Field(() => ID)
  revocationId!: string;
}

@InputType({ description: 'Selects the outstanding deletions that match every given field.' })
export class DeletionFilterInput {
  @Field(() => EnvironmentEnum, { nullable: true })
  environment?: Environment | null;
  @Field(() => Boolean, { nullable: true, description: 'Only those past their deadline.' })
  overdue?: boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Only what is due: everything except the fixture in the test data.' })
  due?: boolean | null;
  @Field(() => ID, { nullable: true })
  connectionId?: string | null;
  @Field(() => [ID], { nullable: true, description: 'Only these, at most 100.' })
  revocationIds?: string[] | null;
}

@ObjectType('RecordableDeletions', { description: 'What a filter finds at one moment.' })
export class RecordableDeletionsType {
  @Field(() => Int)
  count!: number;
  @Field(() => Int, { description: 'How many of them are past their deadline.' })
  overdueCount!: number;
  @Field(() => String, { description: 'Identifies exactly these deletions; pass it to recordDeletions.' })
  selectionDigest!: string;
  @Field(() => Date, { description: 'The moment of the count. Anything revoked later is not included.' })
  until!: Date;
}

@InputType()
export class RecordDeletionsInput {
  @Field(() => String)
  slug!: string;
  @Field(() => DeletionFilterInput)
  filter!: DeletionFilterInput;
  @Field(() => Date, { description: 'The moment from deletionsToRecord.' })
  until!: Date;
  @Field(() => Int, { description: 'The count from deletionsToRecord, at most 10,000. If it has changed since, nothing is recorded.' })
  expectedCount!: number;
  @Field(() => String, {
    description: 'The digest from deletionsToRecord. If the filter finds other deletions by now, even as many, nothing is recorded.',
  })
  selectionDigest!: string;
}

@ObjectType()
export class RecordDeletionsPayload {
  @Field(() => Int)
  recorded!: number;
  @Field(() => Int, { description: 'How many of them were past their deadline.' })
  late!: number;
}

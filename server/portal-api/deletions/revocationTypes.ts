import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { Environment } from '../../domain/client/Client.ts';
import { revocationOrders, revocationStates, revocationSubjects } from '../../domain/sharing/ownRevocations.ts';
import { enumType } from '../enumType.ts';
import { EnvironmentEnum, PageInfoType } from '../integration/integrationTypes.ts';

const RevocationSubjectEnum = enumType('RevocationSubject', revocationSubjects);
export const RevocationStateEnum = enumType(
  'RevocationState',
  revocationStates,
  'Outstanding: not acknowledged yet. Due: outstanding, but for the fixture of the test data. Overdue: due past the deadline.',
);
export const RevocationOrderEnum = enumType(
  'RevocationOrder',
  revocationOrders,
  'By deadline: the nearest first. Newest: what was revoked last, first.',
);

@ObjectType('Revocation', { description: 'Access that ended; every individual and derived copy has to be deleted until the deadline.' })
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
  @Field(() => Boolean, { description: 'The owner recorded the deletion in the portal; else the back end acknowledged it.' })
  recordedByHand!: boolean;
  @Field(() => Boolean, {
    description: 'It came with the test data, to try acknowledgements with: it has no deadline, and nothing is due.',
  })
  fixture!: boolean;
  @Field(() => Boolean, { description: 'The deadline has passed and the deletion is still not acknowledged.' })
  overdue!: boolean;
}

@ObjectType('RevocationEdge')
class RevocationEdgeType {
  @Field(() => String)
  cursor!: string;
  @Field(() => RevocationType)
  node!: RevocationType;
}

@ObjectType('RevocationConnection')
export class RevocationConnectionType {
  @Field(() => [RevocationEdgeType])
  edges!: RevocationEdgeType[];
  @Field(() => PageInfoType)
  pageInfo!: PageInfoType;
  @Field(() => Int, { description: 'All that are outstanding in the environments asked for, whatever the state asked for.' })
  outstandingCount!: number;
  @Field(() => Int, { description: 'Those of them that are due: all but the fixture of the test data.' })
  dueCount!: number;
  @Field(() => Int, { description: 'Those of them whose deadline has passed.' })
  overdueCount!: number;
}

@InputType()
export class RecordDeletionInput {
  @Field(() => ID)
  revocationId!: string;
}

@InputType({ description: 'Outstanding deletions that every field given names.' })
export class DeletionFilterInput {
  @Field(() => EnvironmentEnum, { nullable: true })
  environment?: Environment | null;
  @Field(() => Boolean, { nullable: true, description: 'Only those past their deadline.' })
  overdue?: boolean | null;
  @Field(() => ID, { nullable: true })
  connectionId?: string | null;
}

@ObjectType('RecordableDeletions', { description: 'What a filter finds at one moment.' })
export class RecordableDeletionsType {
  @Field(() => Int)
  count!: number;
  @Field(() => Int, { description: 'Those of them whose deadline has passed.' })
  overdueCount!: number;
  @Field(() => Date, { description: 'The moment. What is revoked later is no part of it.' })
  until!: Date;
}

@InputType()
export class RecordDeletionsInput {
  @Field(() => String)
  slug!: string;
  @Field(() => DeletionFilterInput)
  filter!: DeletionFilterInput;
  @Field(() => Date, { description: 'As deletionsToRecord answered it.' })
  until!: Date;
  @Field(() => Int, { description: 'As deletionsToRecord answered it, at most 10,000. With another number by now nothing is recorded.' })
  expectedCount!: number;
}

@ObjectType()
export class RecordDeletionsPayload {
  @Field(() => Int)
  recorded!: number;
  @Field(() => Int, { description: 'Those of them whose deadline had passed.' })
  late!: number;
}

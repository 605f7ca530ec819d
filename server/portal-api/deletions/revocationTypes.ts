import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { Environment } from '../../domain/client/Client.ts';
import { revocationOrders, revocationStates, revocationSubjects } from '../../domain/sharing/ownRevocations.ts';
import { enumType } from '../enumType.ts';
import { EnvironmentEnum, PageInfoType } from '../integration/integrationTypes.ts';

const RevocationSubjectEnum = enumType('RevocationSubject', revocationSubjects);
export const RevocationStateEnum = enumType(
  'RevocationState',
  revocationStates,
  'Outstanding: not acknowledged yet. Overdue: outstanding past the deadline.',
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
  @Field(() => Int, { description: 'Those of them whose deadline has passed.' })
  overdueCount!: number;
}

@InputType()
export class RecordDeletionInput {
  @Field(() => ID)
  revocationId!: string;
}

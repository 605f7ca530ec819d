import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ageOrders } from '../../domain/administration/ageOrder.ts';
import { failedJobStates, type FailedJobState } from '../../domain/administration/failedJobs.ts';
import { enumType } from '../enumType.ts';
import { connectionOf } from '../connection.ts';

const FailedJobStateEnum = enumType('FailedJobState', failedJobStates, '`failed`: it is not retried automatically.');

export const AgeOrderEnum = enumType('AgeOrder', ageOrders);

@InputType()
export class FailedJobFilterInput {
  @Field(() => String, {
    nullable: true,
    description:
      'The complete name of a job, such as `sendMail`; its number; or the integration or account that it is about: part of a name or slug, an address with its @, or any complete identifier. Send it as a variable.',
  })
  search?: string | null;
  @Field(() => FailedJobStateEnum, { nullable: true })
  state?: FailedJobState | null;
}

@ObjectType('FailedJob', { description: 'A job that has failed at least once and is not done.' })
export class FailedJobType {
  @Field(() => ID)
  id!: string;
  @Field(() => String, { description: 'Such as `sendMail`.' })
  name!: string;
  @Field(() => GraphQLJSON, { description: 'What it was given: identifiers only.' })
  payload!: unknown;
  @Field(() => Int)
  attempts!: number;
  @Field(() => Int)
  maxAttempts!: number;
  @Field(() => FailedJobStateEnum)
  state!: FailedJobState;
  @Field(() => String, { description: 'Contains no secrets and no personal data; the log has more.' })
  lastError!: string;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Null while it runs, or if no attempt follows.' })
  nextRunAt!: Date | null;
}

@ObjectType('FailedJobConnection')
export class FailedJobConnectionType extends connectionOf('FailedJob', () => FailedJobType) {}

@InputType()
export class RetryJobInput {
  @Field(() => ID)
  jobId!: string;
}

import { Field, Int, ObjectType } from 'type-graphql';
import {
  type CheckLevel,
  checkLevels,
  type CheckOutcome,
  checkOutcomes,
  type SubmissionCheckName,
  submissionCheckNames,
} from '../../domain/review/check/submissionChecks.ts';
import type { ReviewItem } from '../../domain/review/reviewChecklist.ts';
import type { ReviewRole } from '../../domain/review/ReviewSubmission.ts';
import { enumType } from '../enumType.ts';
import { ReviewItemEnum, ReviewRoleEnum } from './reviewTypes.ts';

const CheckNameEnum = enumType('SubmissionCheckName', submissionCheckNames);
const CheckLevelEnum = enumType('SubmissionCheckLevel', checkLevels, 'Only what is required keeps an integration from being submitted.');
const CheckOutcomeEnum = enumType('SubmissionCheckOutcome', checkOutcomes, 'Unknown: the service could not find it out, or not yet.');

@ObjectType('SubmissionCheck', { description: 'What the service found out by itself before a person reads.' })
export class SubmissionCheckType {
  @Field(() => CheckNameEnum)
  check!: SubmissionCheckName;
  @Field(() => String)
  title!: string;
  @Field(() => CheckLevelEnum)
  level!: CheckLevel;
  @Field(() => CheckOutcomeEnum)
  outcome!: CheckOutcome;
  @Field(() => String, { description: 'What was found and what to do about it, in words.' })
  found!: string;
  @Field(() => Date, { nullable: true, description: 'Null if it has not been checked yet.' })
  checkedAt!: Date | null;
  @Field(() => Boolean, { description: 'Whether it is being checked at this moment.' })
  checking!: boolean;
  @Field(() => ReviewItemEnum, { nullable: true, description: 'The item of the checklist that it is about.' })
  checklistItem!: ReviewItem | null;
}

@ObjectType('ReviewQueuePlace', { description: 'Where an integration stands in the queue of the reviewers.' })
export class ReviewQueuePlaceType {
  @Field(() => Int, {
    nullable: true,
    description: 'Submissions that have been waiting for the reviewers for longer; null while it is the owner’s turn.',
  })
  before!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'In how many days, rounded up, half of the reviews were decided; null if too few were decided to say.',
  })
  medianDays!: number | null;
  @Field(() => ReviewRoleEnum)
  turn!: ReviewRole;
}

@ObjectType('DraftConfirmation')
class DraftConfirmationType {
  @Field(() => ReviewItemEnum)
  item!: ReviewItem;
  @Field(() => Boolean)
  confirmed!: boolean;
  @Field(() => String, { nullable: true })
  word!: string | null;
}

@ObjectType('SubmissionDraft', { description: 'What the owner has written of a submission so far. It need not be complete or valid.' })
export class SubmissionDraftType {
  @Field(() => Int, { description: 'The profile version to which the confirmations belong.' })
  profileVersion!: number;
  @Field(() => String)
  reviewUrl!: string;
  @Field(() => [DraftConfirmationType])
  confirmations!: readonly DraftConfirmationType[];
  @Field(() => Int, { description: 'Another one with every save.' })
  version!: number;
  @Field(() => Date)
  savedAt!: Date;
}

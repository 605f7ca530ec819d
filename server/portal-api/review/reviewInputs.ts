import { Field, ID, InputType, Int } from 'type-graphql';
import type { ReviewItem } from '../../domain/review/reviewChecklist.ts';
import { ReviewItemEnum } from './reviewTypes.ts';

@InputType({ description: 'The owner’s explicit confirmation of one item of the checklist.' })
class ConfirmationInput {
  @Field(() => ReviewItemEnum)
  item!: ReviewItem;
  @Field(() => Boolean)
  confirmed!: boolean;
  @Field(() => String, { nullable: true, description: 'A note about it for the reviewers, at most 500 characters.' })
  word?: string | null;
}

@InputType()
export class SubmitForReviewInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => Int, { description: 'The version to submit. If another one has become current, the submission is refused with CONFLICT.' })
  profileVersion!: number;
  @Field(() => String, { description: 'A public HTTPS address where reviewers can see the integration.' })
  reviewUrl!: string;
  @Field(() => [ConfirmationInput], { description: 'Every item of the checklist, confirmed.' })
  confirmations!: ConfirmationInput[];
}

@InputType()
export class SubmissionInput {
  @Field(() => ID)
  submissionId!: string;
}

@InputType()
export class TakeSubmissionInput extends SubmissionInput {
  @Field(() => Boolean, { defaultValue: false, description: 'Includes those assigned to another reviewer.' })
  takeOver!: boolean;
}

@InputType()
export class GiveVerdictInput extends SubmissionInput {
  @Field(() => ReviewItemEnum)
  item!: ReviewItem;
  @Field(() => Boolean)
  met!: boolean;
  @Field(() => String, { defaultValue: '', description: 'Required if the item is not met; at most 2,000 characters.' })
  note!: string;
}

@InputType()
export class WithdrawSubmissionInput extends SubmissionInput {
  @Field(() => String, { nullable: true, description: 'Required once a reviewer has taken the submission; at most 500 characters.' })
  reason?: string | null;
}

@InputType()
export class ReviewMessageInput extends SubmissionInput {
  @Field(() => String, { description: '1 to 2,000 characters.' })
  body!: string;
}

@InputType()
export class ReviewDecisionInput extends SubmissionInput {
  @Field(() => String, { defaultValue: '', description: 'The owner sees them. Required for a rejection; at most 2,000 characters.' })
  notes!: string;
  @Field(() => Int, {
    nullable: true,
    description: 'How many messages of the thread you have read. If there are more by now, the decision is refused with CONFLICT.',
  })
  messagesSeen?: number | null;
  @Field(() => Int, {
    nullable: true,
    description:
      'How many reports of a change of business model you have read. If there are more by now, the decision is refused with CONFLICT.',
  })
  reportsSeen?: number | null;
}

import { Field, ID, InputType, Int } from 'type-graphql';
import type { ReviewedLink, ReviewItem } from '../../domain/review/reviewChecklist.ts';
import type { DraftPart } from '../../domain/review/sitting.ts';
import { ReviewedLinkEnum, ReviewItemEnum } from './reviewTypes.ts';
import { ReviewDraftPartEnum } from './sittingTypes.ts';

/** What a page that saves a draft knows of it. */
const versionField = {
  nullable: true,
  description:
    'The version that is replaced, 0 for none. If another one is stored, this is refused with CONFLICT. If omitted, nothing is compared.',
};

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
export class SaveSubmissionDraftInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => String, { description: 'As far as it has been written; at most 2,048 characters.' })
  reviewUrl!: string;
  @Field(() => [ConfirmationInput], { description: 'What has been confirmed or noted so far, each item at most once.' })
  confirmations!: ConfirmationInput[];
  @Field(() => Int, { nullable: true, description: 'The profile version that is being confirmed. If omitted, the current one.' })
  profileVersion?: number | null;
  @Field(() => Int, versionField)
  version?: number | null;
}

@InputType()
export class CheckPagesInput {
  @Field(() => ID)
  integrationId!: string;
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
export class SaveReviewDraftInput extends SubmissionInput {
  @Field(() => ReviewDraftPartEnum)
  part!: DraftPart;
  @Field(() => Boolean, { nullable: true, description: 'Whether an item of the checklist is met. If omitted, what was said before stays.' })
  met?: boolean | null;
  @Field(() => String, { defaultValue: '', description: 'At most 2,000 characters. Needed by the decision if the item is not met.' })
  note!: string;
  @Field(() => Int, versionField)
  version?: number | null;
}

@InputType()
export class NoteReviewVisitInput extends SubmissionInput {
  @Field(() => ReviewedLinkEnum, { nullable: true, description: 'A link that the reviewer has just followed.' })
  link?: ReviewedLink | null;
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

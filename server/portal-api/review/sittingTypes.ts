import { Field, Int, ObjectType } from 'type-graphql';
import type { ReviewItem } from '../../domain/review/reviewChecklist.ts';
import { queueTabs, type QueueTab } from '../../domain/review/reviewer/reviewQueue.ts';
import { draftParts, type DraftPart } from '../../domain/review/sitting.ts';
import { enumType } from '../enumType.ts';
import { ReviewItemEnum, SubmissionConnectionType } from './reviewTypes.ts';

export const QueueTabEnum = enumType('QueueTab', queueTabs, 'Where a submission stands among what reviewers have to do.');
export const ReviewDraftPartEnum = enumType(
  'ReviewDraftPart',
  draftParts,
  'An item of the checklist, or a text for the owner that is not sent yet.',
);

@ObjectType('SubmissionQueue')
export class SubmissionQueueType extends SubmissionConnectionType {
  @Field(() => QueueTabEnum)
  tab!: QueueTab;
}

@ObjectType('ReviewCounts', { description: 'How much there is in each list for reviewers. Nothing is counted beyond 101.' })
export class ReviewCountsType {
  @Field(() => Int)
  mine!: number;
  @Field(() => Int)
  unassigned!: number;
  @Field(() => Int)
  colleagues!: number;
  @Field(() => Int)
  waitingForOwner!: number;
  @Field(() => Int)
  decided!: number;
  @Field(() => Int, { description: 'Reports of a change of business model.' })
  reports!: number;
  @Field(() => Int, { description: 'Minor revisions of approved profiles.' })
  revisions!: number;
  @Field(() => Date, { nullable: true, description: 'When a reviewer last approved or rejected a submission.' })
  lastDecidedAt!: Date | null;
}

@ObjectType('FormerNotes', { description: 'What a reviewer has written before about items that were not met.' })
export class FormerNotesType {
  @Field(() => ReviewItemEnum)
  item!: ReviewItem;
  @Field(() => [String], { description: 'The latest first, at most 5.' })
  notes!: string[];
}

@ObjectType('ReviewDraft', { description: 'What the viewer has noted so far, and nobody else can read.' })
export class ReviewDraftType {
  @Field(() => ReviewDraftPartEnum)
  part!: DraftPart;
  @Field(() => Boolean, { nullable: true })
  met!: boolean | null;
  @Field(() => String)
  note!: string;
  @Field(() => Int)
  version!: number;
  @Field(() => Date)
  savedAt!: Date;
}

@ObjectType('ReviewPresence', { description: 'Another reviewer who has the submission open.' })
export class ReviewPresenceType {
  @Field(() => String, { nullable: true, description: 'Their address; null once the account is deleted.' })
  reviewer!: string | null;
  @Field(() => Date)
  openedAt!: Date;
}

@ObjectType('JudgedPoints', { description: 'How many items of the checklist have been judged so far.' })
export class JudgedPointsType {
  @Field(() => Int)
  met!: number;
  @Field(() => Int)
  notMet!: number;
  @Field(() => Int)
  total!: number;
}

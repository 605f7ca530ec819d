import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { EvidenceKind } from '../../domain/evidence/evidenceKinds.ts';
import { obstacleKinds } from '../../domain/review/owner/submissionObstacles.ts';
import { reviewedLinks, reviewItems, type ReviewedLink, type ReviewItem } from '../../domain/review/reviewChecklist.ts';
import { reviewRoles, type ReviewRole } from '../../domain/review/ReviewSubmission.ts';
import { submissionStatuses } from '../../domain/review/submissionStatus.ts';
import { connectionOf } from '../connection.ts';
import { enumType, storedEnumType } from '../enumType.ts';
import { EvidenceKindEnum } from '../evidence/evidenceTypes.ts';

export const ReviewItemEnum = enumType('ReviewItem', reviewItems);
export const ReviewedLinkEnum = enumType('ReviewedLink', reviewedLinks, 'A link of a submission, named as the field that holds it.');
export const SubmissionStatusEnum = storedEnumType(
  'SubmissionStatus',
  submissionStatuses,
  'Withdrawn: its owner took it back, or the integration was retired, before it was decided.',
);
export const ReviewRoleEnum = enumType('ReviewRole', reviewRoles);
const ObstacleKindEnum = enumType('ObstacleKind', obstacleKinds);

@ObjectType('ReviewChecklistItem', { description: 'What a review checks.' })
export class ReviewChecklistItemType {
  @Field(() => ReviewItemEnum)
  item!: ReviewItem;
  @Field(() => String)
  title!: string;
  @Field(() => String, { description: 'What the owner declares when submitting.' })
  statement!: string;
  @Field(() => String, { description: 'What the reviewer looks at.' })
  lookFor!: string;
  @Field(() => [ReviewedLinkEnum], { description: 'The links to follow for it.' })
  links!: readonly ReviewedLink[];
  @Field(() => [EvidenceKindEnum], { description: 'What the service has observed that concerns it.' })
  evidence!: readonly EvidenceKind[];
}

@ObjectType('ReviewVerdict', { description: 'What the reviewers found about one item.' })
class ReviewVerdictType {
  @Field(() => Boolean)
  met!: boolean;
  @Field(() => String, { description: 'May be empty if the item is met.' })
  note!: string;
  @Field(() => Date)
  givenAt!: Date;
}

@ObjectType('SubmittedItem', { description: 'An item of the checklist in one submission.' })
export class SubmittedItemType extends ReviewChecklistItemType {
  @Field(() => Boolean, { description: 'The owner confirmed it when submitting; false where it joined the checklist later.' })
  confirmed!: boolean;
  @Field(() => String, { nullable: true, description: 'The owner’s note about it.' })
  word!: string | null;
  @Field(() => ReviewVerdictType, { nullable: true, description: 'The owner sees it once the submission is decided.' })
  verdict!: ReviewVerdictType | null;
}

@ObjectType('ReviewMessage', { description: 'A question of the reviewers, or the owner’s answer.' })
export class ReviewMessageType {
  @Field(() => ID)
  id!: string;
  @Field(() => ReviewRoleEnum)
  authorRole!: ReviewRole;
  @Field(() => String)
  body!: string;
  @Field(() => Date)
  writtenAt!: Date;
}

@ObjectType('Submission', { description: 'What was sent for review: one profile version with exactly its scopes.' })
export class SubmissionType {
  @Field(() => ID)
  id!: string;
  @Field(() => Int, { description: 'The first submission of an integration is number 1.' })
  number!: number;
  @Field(() => SubmissionStatusEnum)
  status!: (typeof submissionStatuses)[number];
  @Field(() => Int)
  profileVersion!: number;
  @Field(() => [String])
  scopes!: readonly string[];
  @Field(() => Int)
  termsVersion!: number;
  @Field(() => String, { description: 'Where reviewers can see the integration.' })
  reviewUrl!: string;
  @Field(() => Date)
  submittedAt!: Date;
  @Field(() => ReviewRoleEnum, { description: 'Whose turn it is while it is submitted.' })
  waitingFor!: ReviewRole;
  @Field(() => Date, { description: 'When their turn began or, once it is decided, the time of the decision.' })
  waitingSince!: Date;
  @Field(() => Date, { nullable: true })
  takenAt?: Date | null;
  @Field(() => Date, { nullable: true })
  decidedAt?: Date | null;
  @Field(() => String, { nullable: true, description: 'What the reviewers wrote about their decision, or the owner about a withdrawal.' })
  decisionNotes?: string | null;
}

@ObjectType('SubmissionConnection')
export class SubmissionConnectionType extends connectionOf('Submission', () => SubmissionType) {}

@ObjectType('SubmissionObstacle', { description: 'Something that must be done before an integration can be submitted.' })
class SubmissionObstacleType {
  @Field(() => ObstacleKindEnum)
  kind!: (typeof obstacleKinds)[number];
  @Field(() => String)
  words!: string;
}

@ObjectType('OwnSubmissionConnection')
export class OwnSubmissionConnectionType extends SubmissionConnectionType {
  @Field(() => [SubmissionObstacleType], { description: 'Empty if the integration can be submitted now.' })
  obstacles!: SubmissionObstacleType[];
}

@ObjectType('ReviewTimes', { description: 'How long reviews took from submission to decision, the owner’s time to answer included.' })
export class ReviewTimesType {
  @Field(() => Date, { description: 'How many decisions there have been since then.' })
  since!: Date;
  @Field(() => Int)
  decisions!: number;
  @Field(() => Int, { nullable: true })
  medianSeconds!: number | null;
  @Field(() => Int, { nullable: true })
  ninetiethPercentileSeconds!: number | null;
}

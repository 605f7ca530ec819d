import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { findForReview } from '../../domain/review/lockSubmission.ts';
import { approveSubmission } from '../../domain/review/reviewer/approveSubmission.ts';
import { askQuestion } from '../../domain/review/reviewer/askQuestion.ts';
import { noteReviewVisit } from '../../domain/review/reviewer/noteReviewVisit.ts';
import { rejectSubmission } from '../../domain/review/reviewer/rejectSubmission.ts';
import { releaseSubmission } from '../../domain/review/reviewer/releaseSubmission.ts';
import {
  nextSubmission,
  reviewCounts,
  reviewQueue,
  usualTab,
  type QueueTab,
  type ReviewCounts,
} from '../../domain/review/reviewer/reviewQueue.ts';
import { saveReviewDraft } from '../../domain/review/reviewer/saveReviewDraft.ts';
import { takeSubmission } from '../../domain/review/reviewer/takeSubmission.ts';
import type { ReviewSubmission } from '../../domain/review/ReviewSubmission.ts';
import type { SubmissionStatus } from '../../domain/review/submissionStatus.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { reviewerSearch } from './reviewerSearch.ts';
import {
  NoteReviewVisitInput,
  ReviewDecisionInput,
  ReviewMessageInput,
  SaveReviewDraftInput,
  SubmissionInput,
  TakeSubmissionInput,
} from './reviewInputs.ts';
import { SubmissionStatusEnum, SubmissionType } from './reviewTypes.ts';
import { QueueTabEnum, ReviewCountsType, SubmissionQueueType } from './sittingTypes.ts';

/** What reviewers do. */
@Resolver()
export class ReviewResolver {
  @Query(() => SubmissionQueueType, {
    description: 'For reviewers: what others have submitted. What has waited longest comes first, and among decided ones the latest.',
  })
  async submissions(
    @Arg('tab', () => QueueTabEnum, {
      nullable: true,
      description: 'If omitted, the viewer’s own if any wait for them, otherwise unassigned ones.',
    })
    wanted: QueueTab | null | undefined,
    @Arg('ended', () => SubmissionStatusEnum, { nullable: true, description: 'How a decided submission ended; if omitted, in any way.' })
    ended: SubmissionStatus | null | undefined,
    @Arg('search', () => String, { nullable: true, description: reviewerSearch }) search: string | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<SubmissionQueueType> {
    const actor = actorOf(context);
    const tab = wanted ?? (await usualTab(context.em, actor));
    return { ...(await reviewQueue(context.em, { actor, tab, ended: ended ?? null, search: search ?? null, first, after })), tab };
  }

  @Query(() => ReviewCountsType, { description: 'For reviewers: how much there is in each of their lists.' })
  reviewCounts(@Ctx() context: PortalContext): Promise<ReviewCounts> {
    return reviewCounts(context.em, actorOf(context));
  }

  @Query(() => SubmissionType, {
    nullable: true,
    description:
      'For reviewers: what to review next. Their own come first, then unassigned ones, each by waiting time; null if there is nothing.',
  })
  nextSubmission(
    @Arg('after', () => ID, { nullable: true, description: 'The submission that is not meant.' }) after: string | null | undefined,
    @Ctx() context: PortalContext,
  ): Promise<ReviewSubmission | null> {
    return nextSubmission(context.em, actorOf(context), after ?? null);
  }

  @Query(() => SubmissionType, { description: 'For reviewers: one submission, but none of their own.' })
  submission(@Arg('id', () => ID) id: string, @Ctx() context: PortalContext): Promise<ReviewSubmission> {
    return findForReview(context.em, actorOf(context), id);
  }

  @Mutation(() => SubmissionType, { description: 'For reviewers: takes a submission, so that others see who is reviewing it.' })
  takeSubmission(@Arg('input', () => TakeSubmissionInput) input: TakeSubmissionInput, @Ctx() context: PortalContext) {
    return takeSubmission(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => SubmissionType, { description: 'For the assigned reviewer: returns the submission to the queue.' })
  releaseSubmission(@Arg('input', () => SubmissionInput) input: SubmissionInput, @Ctx() context: PortalContext) {
    return releaseSubmission(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => Int, {
    description:
      'For reviewers: keeps what they think of an item so far, or have written so far, for themselves. It becomes a verdict with the decision, or when they leave the submission to others. Answers the version that is now stored.',
  })
  saveReviewDraft(@Arg('input', () => SaveReviewDraftInput) input: SaveReviewDraftInput, @Ctx() context: PortalContext) {
    const { met = null, version = null, ...draft } = input;
    return saveReviewDraft(context.em, { actor: actorOf(context), ...draft, met, version, now: context.clock.now() });
  }

  @Mutation(() => Boolean, {
    description: 'For reviewers: says that they have a submission before them, which colleagues see, and which link they have followed.',
  })
  async noteReviewVisit(@Arg('input', () => NoteReviewVisitInput) input: NoteReviewVisitInput, @Ctx() context: PortalContext) {
    const { submissionId, link = null } = input;
    await noteReviewVisit(context.em, { actor: actorOf(context), submissionId, link, now: context.clock.now() });
    return true;
  }

  @Mutation(() => SubmissionType, { description: 'For reviewers: asks the owner a question, who is told by email.' })
  askQuestion(@Arg('input', () => ReviewMessageInput) input: ReviewMessageInput, @Ctx() context: PortalContext) {
    return askQuestion(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => SubmissionType, {
    description: 'For reviewers: approves exactly the submitted profile version and scopes, once every item is met.',
  })
  approveSubmission(@Arg('input', () => ReviewDecisionInput) input: ReviewDecisionInput, @Ctx() context: PortalContext) {
    return approveSubmission(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => SubmissionType, { description: 'For reviewers: sends the submission back with notes.' })
  rejectSubmission(@Arg('input', () => ReviewDecisionInput) input: ReviewDecisionInput, @Ctx() context: PortalContext) {
    return rejectSubmission(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}

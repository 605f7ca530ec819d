import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { findForReview } from '../../domain/review/lockSubmission.ts';
import { approveSubmission } from '../../domain/review/reviewer/approveSubmission.ts';
import { askQuestion } from '../../domain/review/reviewer/askQuestion.ts';
import { giveVerdict } from '../../domain/review/reviewer/giveVerdict.ts';
import { rejectSubmission } from '../../domain/review/reviewer/rejectSubmission.ts';
import { releaseSubmission } from '../../domain/review/reviewer/releaseSubmission.ts';
import { reviewQueue, type queueAssignees, type queueOrders } from '../../domain/review/reviewer/reviewQueue.ts';
import { takeSubmission } from '../../domain/review/reviewer/takeSubmission.ts';
import type { ReviewRole, ReviewSubmission } from '../../domain/review/ReviewSubmission.ts';
import type { SubmissionStatus } from '../../domain/review/submissionStatus.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { reviewerSearch } from './reviewerSearch.ts';
import { GiveVerdictInput, ReviewDecisionInput, ReviewMessageInput, SubmissionInput, TakeSubmissionInput } from './reviewInputs.ts';
import {
  QueueAssigneeEnum,
  QueueOrderEnum,
  ReviewRoleEnum,
  SubmissionConnectionType,
  SubmissionStatusEnum,
  SubmissionType,
} from './reviewTypes.ts';

/** What reviewers do. */
@Resolver()
export class ReviewResolver {
  @Query(() => SubmissionConnectionType, { description: 'For reviewers: what others have submitted, by waiting time.' })
  async submissions(
    @Arg('status', () => SubmissionStatusEnum, { defaultValue: 'submitted' }) status: SubmissionStatus,
    @Arg('waitingFor', () => ReviewRoleEnum, {
      nullable: true,
      description: 'Whose turn it is, among open submissions; if omitted, anybody’s.',
    })
    waitingFor: ReviewRole | null | undefined,
    @Arg('assignee', () => QueueAssigneeEnum, { defaultValue: 'anyone' }) assignee: (typeof queueAssignees)[number],
    @Arg('order', () => QueueOrderEnum, { defaultValue: 'longest' }) order: (typeof queueOrders)[number],
    @Arg('search', () => String, { nullable: true, description: reviewerSearch }) search: string | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<SubmissionConnectionType> {
    const query = {
      actor: actorOf(context),
      status,
      waitingFor: waitingFor ?? null,
      assignee,
      order,
      search: search ?? null,
      first,
      after,
    };
    return reviewQueue(context.em, query);
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

  @Mutation(() => SubmissionType, { description: 'For reviewers: whether an item of the checklist is met. A later verdict replaces it.' })
  giveVerdict(@Arg('input', () => GiveVerdictInput) input: GiveVerdictInput, @Ctx() context: PortalContext) {
    return giveVerdict(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
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

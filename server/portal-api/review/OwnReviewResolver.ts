import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { ownIntegration } from '../../domain/integration/ownIntegrations.ts';
import { answerQuestion } from '../../domain/review/owner/answerQuestion.ts';
import { ownSubmissions } from '../../domain/review/owner/ownSubmissions.ts';
import { submissionObstacles } from '../../domain/review/owner/submissionObstacles.ts';
import { submitForReview } from '../../domain/review/owner/submitForReview.ts';
import { withdrawSubmission } from '../../domain/review/owner/withdrawSubmission.ts';
import { reviewChecklist, reviewItems } from '../../domain/review/reviewChecklist.ts';
import { reviewTimes } from '../../domain/review/reviewTimes.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { ReviewMessageInput, SubmitForReviewInput, WithdrawSubmissionInput } from './reviewInputs.ts';
import { OwnSubmissionConnectionType, ReviewChecklistItemType, ReviewTimesType, SubmissionType } from './reviewTypes.ts';

/** What owners do about the review of their integrations, and what everybody may know about reviews. */
@Resolver()
export class OwnReviewResolver {
  @Query(() => [ReviewChecklistItemType], { description: 'What a review checks.' })
  reviewChecklist(): ReviewChecklistItemType[] {
    return reviewItems.map((item) => ({ item, ...reviewChecklist[item] }));
  }

  @Query(() => ReviewTimesType, { description: 'How long reviews have taken in the last 90 days.' })
  reviewTimes(@Ctx() { em, clock }: PortalContext): Promise<ReviewTimesType> {
    return reviewTimes(em, clock.now());
  }

  @Query(() => OwnSubmissionConnectionType, { description: 'The submissions of one of the viewer’s own integrations, latest first.' })
  async ownSubmissions(
    @Arg('slug', () => String) slug: string,
    @First(10) first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<OwnSubmissionConnectionType> {
    const integration = await ownIntegration(context.em, actorOf(context).operatorId, slug);
    const submissions = await ownSubmissions(context.em, { integration, first, after });
    return { ...submissions, obstacles: await submissionObstacles(context.em, integration, { reviewUrl: null, now: context.clock.now() }) };
  }

  @Mutation(() => SubmissionType, {
    description:
      'Hands the current profile version to the reviewers; it is frozen until they decide or the owner withdraws the submission.',
  })
  submitForReview(@Arg('input', () => SubmitForReviewInput) input: SubmitForReviewInput, @Ctx() context: PortalContext) {
    return submitForReview(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => SubmissionType, {
    description: 'Withdraws the viewer’s own submission. The integration returns to its previous status, and its profile can change again.',
  })
  withdrawSubmission(
    @Arg('input', () => WithdrawSubmissionInput) { submissionId, reason }: WithdrawSubmissionInput,
    @Ctx() context: PortalContext,
  ) {
    const withdrawal = { actor: actorOf(context), submissionId, reason: reason ?? null, now: context.clock.now() };
    return withdrawSubmission(context.em, withdrawal);
  }

  @Mutation(() => SubmissionType, { description: 'Answers what the reviewers asked about the viewer’s own submission.' })
  answerQuestion(@Arg('input', () => ReviewMessageInput) input: ReviewMessageInput, @Ctx() context: PortalContext) {
    return answerQuestion(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}

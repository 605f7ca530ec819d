import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { Integration } from '../../domain/integration/Integration.ts';
import { asKept, asReviewersRead, type SubmissionCheck } from '../../domain/review/check/submissionChecks.ts';
import { checkPages } from '../../domain/review/owner/checkPages.ts';
import { saveSubmissionDraft, type SubmissionDraft } from '../../domain/review/owner/submissionDraft.ts';
import type { QueuePlace } from '../../domain/review/queuePlaces.ts';
import { checkSubmittedPages } from '../../domain/review/reviewer/checkSubmittedPages.ts';
import type { ReviewSubmission } from '../../domain/review/ReviewSubmission.ts';
import { isOpen } from '../../domain/review/submissionStatus.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { IntegrationType } from '../integration/integrationTypes.ts';
import { ReviewQueuePlaceType, SubmissionCheckType, SubmissionDraftType } from './checkTypes.ts';
import { CheckPagesInput, SaveSubmissionDraftInput, SubmissionInput } from './reviewInputs.ts';
import { SubmissionType } from './reviewTypes.ts';

/** What is known of an integration before it is submitted, and while it waits. */
@Resolver(() => IntegrationType)
export class CheckResolver {
  @FieldResolver(() => [SubmissionCheckType], {
    description: 'What the service has found out by itself about the current profile version.',
    complexity: severalOf,
  })
  submissionChecks(@Root() { id, profileVersion }: Integration, @Ctx() { loaders, clock }: PortalContext): Promise<SubmissionCheck[]> {
    return loaders.submissionChecks.load({ integrationId: id, version: profileVersion, reviewUrl: null, now: clock.now() });
  }

  @FieldResolver(() => SubmissionDraftType, { nullable: true, description: 'What the owner has written of the next submission.' })
  submissionDraft(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<SubmissionDraft | null> {
    return loaders.submissionDraft.load(id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'What is known to be missing of its first submission, as in “logo, 9 confirmations”. Null once it has been submitted.',
  })
  async missingForReview(@Root() { id, status }: Integration, @Ctx() { loaders }: PortalContext): Promise<string | null> {
    return status === 'sandbox' ? loaders.missingForReview.load(id) : null;
  }

  @FieldResolver(() => ReviewQueuePlaceType, {
    nullable: true,
    description: 'Its place in the review queue; absent when it is not under review.',
  })
  reviewQueue(@Root() { id }: Integration, @Ctx() { loaders, clock }: PortalContext): Promise<QueuePlace | null> {
    return loaders.queuePlace.load({ id, now: clock.now() });
  }

  @Mutation(() => SubmissionDraftType, {
    description: 'Keeps what the owner has written of a submission, and has the pages that it names checked.',
  })
  saveSubmissionDraft(
    @Arg('input', () => SaveSubmissionDraftInput) { version = null, profileVersion = null, ...input }: SaveSubmissionDraftInput,
    @Ctx() context: PortalContext,
  ) {
    return saveSubmissionDraft(context.em, { actor: actorOf(context), ...input, version, profileVersion, now: context.clock.now() });
  }

  @Mutation(() => IntegrationType, {
    description: 'By the owner: checks the pages of the current profile version again. The result follows.',
  })
  checkPages(@Arg('input', () => CheckPagesInput) input: CheckPagesInput, @Ctx() context: PortalContext) {
    return checkPages(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}

@Resolver(() => SubmissionType)
export class SubmittedCheckResolver {
  @FieldResolver(() => [SubmissionCheckType], {
    description:
      'What the service has found out by itself about what was submitted, in words for reviewers; once it is decided, what it had found by then.',
    complexity: severalOf,
  })
  async checks(@Root() submission: ReviewSubmission, @Ctx() { loaders, clock }: PortalContext): Promise<SubmissionCheck[]> {
    if (!isOpen(submission)) return asKept(submission.checks ?? []);
    const { integrationId, profileVersion: version, reviewUrl } = submission;
    return asReviewersRead(await loaders.submissionChecks.load({ integrationId, version, reviewUrl, now: clock.now() }));
  }

  @Mutation(() => SubmissionType, { description: 'For reviewers: checks the pages of an open submission again. The result follows.' })
  checkSubmittedPages(@Arg('input', () => SubmissionInput) input: SubmissionInput, @Ctx() context: PortalContext) {
    return checkSubmittedPages(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}

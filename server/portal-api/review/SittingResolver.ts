import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { reviewedLinks, reviewItems, type ReviewedLink } from '../../domain/review/reviewChecklist.ts';
import type { ReviewDraft } from '../../domain/review/reviewer/sittingParts.ts';
import type { ReviewSubmission } from '../../domain/review/ReviewSubmission.ts';
import { isOpen } from '../../domain/review/submissionStatus.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { ReviewedLinkEnum, SubmissionType } from './reviewTypes.ts';
import { FormerNotesType, JudgedPointsType, ReviewDraftType, ReviewPresenceType } from './sittingTypes.ts';

/** What reviewers do on the way to a decision. Owners see none of it. */
@Resolver(() => SubmissionType)
export class SittingResolver {
  @FieldResolver(() => [ReviewDraftType], { description: 'For reviewers: what the viewer has noted so far.', complexity: severalOf })
  async drafts(@Root() submission: ReviewSubmission, @Ctx() context: PortalContext): Promise<readonly ReviewDraft[]> {
    if (!isForReviewer(submission, context)) return [];
    return context.loaders.reviewDrafts.load({ submissionId: submission.id, reviewerId: actorOf(context).operatorId });
  }

  @FieldResolver(() => [ReviewPresenceType], { description: 'For reviewers: who else has it open now.', complexity: severalOf })
  async presence(@Root() submission: ReviewSubmission, @Ctx() context: PortalContext): Promise<ReviewPresenceType[]> {
    if (!isForReviewer(submission, context)) return [];
    const others = (await visitsTo(submission, context)).filter(
      ({ reviewerId, present }) => present && reviewerId !== actorOf(context).operatorId,
    );
    const addresses = await context.loaders.reviewerEmail.loadMany(others.map(({ reviewerId }) => reviewerId));
    return others.map(({ openedAt }, index) => ({ reviewer: addressIn(addresses[index]), openedAt }));
  }

  @FieldResolver(() => [ReviewedLinkEnum], { description: 'For reviewers: the links that the viewer has followed.' })
  async followedLinks(@Root() submission: ReviewSubmission, @Ctx() context: PortalContext): Promise<readonly ReviewedLink[]> {
    if (!isForReviewer(submission, context)) return [];
    const own = (await visitsTo(submission, context)).find(({ reviewerId }) => reviewerId === actorOf(context).operatorId);
    // A later release may have noted a link that this one does not know.
    return own?.links.filter((link) => reviewedLinks.includes(link)) ?? [];
  }

  @FieldResolver(() => [FormerNotesType], {
    description: 'For reviewers: their own notes on items that were not met, from submissions that were rejected.',
    complexity: severalOf,
  })
  async formerNotes(@Root() submission: ReviewSubmission, @Ctx() context: PortalContext): Promise<FormerNotesType[]> {
    return isForReviewer(submission, context) ? context.loaders.formerNotes.load(actorOf(context).operatorId) : [];
  }

  @FieldResolver(() => JudgedPointsType, {
    nullable: true,
    description: 'For reviewers: how far the review is. Only the viewer’s own drafts count.',
  })
  async points(@Root() submission: ReviewSubmission, @Ctx() context: PortalContext): Promise<JudgedPointsType | null> {
    if (!isForReviewer(submission, context)) return null;
    const { met, notMet } = await context.loaders.judgedPoints.load({
      submissionId: submission.id,
      reviewerId: actorOf(context).operatorId,
    });
    return { met, notMet, total: isOpen(submission) ? reviewItems.length : Math.max(submission.statement.length, met + notMet) };
  }
}

/** Whether the viewer reads the submission as a reviewer, and not as its owner. */
function isForReviewer({ operatorId }: ReviewSubmission, context: PortalContext): boolean {
  const actor = actorOf(context);
  return actor.roles.includes('reviewer') && operatorId !== actor.operatorId;
}

function visitsTo({ id }: ReviewSubmission, { loaders, clock }: PortalContext) {
  return loaders.reviewVisits.load({ submissionId: id, now: clock.now() });
}

const addressIn = (loaded: string | Error | null | undefined) => (typeof loaded === 'string' ? loaded : null);

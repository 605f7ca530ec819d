import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Evidence } from '../../domain/evidence/evidenceOf.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import { profileDiff } from '../../domain/integration/profile/profileDiff.ts';
import type { ProfileVersion } from '../../domain/integration/profile/ProfileVersion.ts';
import { itemsOf, reviewChecklist } from '../../domain/review/reviewChecklist.ts';
import { isWithdrawnByOwner, type ReviewSubmission } from '../../domain/review/ReviewSubmission.ts';
import { lastReviewedVersion } from '../../domain/review/submissionParts.ts';
import { isOpen } from '../../domain/review/submissionStatus.ts';
import { BusinessModelReportType, CommercialAgreementType } from '../agreement/agreementTypes.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { EvidenceType } from '../evidence/evidenceTypes.ts';
import { earlierSubmissionsOf, severalOf } from '../fieldCosts.ts';
import { ProfileVersionType } from '../integration/integrationTypes.ts';
import { ProfileChangeType } from '../integration/profileTypes.ts';
import { ReviewMessageType, SubmissionType, SubmittedItemType } from './reviewTypes.ts';

/** The details of a submission. The owner sees no reviewer, and no verdict before the decision. */
@Resolver(() => SubmissionType)
export class SubmissionResolver {
  @FieldResolver(() => String)
  async slug(@Root() { integrationId }: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<string> {
    return (await loaders.integration.load(integrationId)).slug;
  }

  @FieldResolver(() => ProfileVersionType, { description: 'The profile as it was submitted.' })
  profile(@Root() { integrationId, profileVersion }: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<ProfileVersion> {
    return loaders.profile.load({ integrationId, version: profileVersion });
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'The profile version that reviewers saw last in an earlier submission; null if there is none.',
  })
  async comparedWith(@Root() submission: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<number | null> {
    return lastReviewedVersion(await loaders.earlierSubmissions.load(submission));
  }

  @FieldResolver(() => [ProfileChangeType], {
    description: 'What has changed since that version; empty if there is none.',
    complexity: severalOf,
  })
  async changes(@Root() submission: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<readonly ProfileChangeType[]> {
    const { integrationId, profileVersion } = submission;
    const version = lastReviewedVersion(await loaders.earlierSubmissions.load(submission));
    if (version === null) return [];
    const [before, after] = await Promise.all(
      [version, profileVersion].map((each) => loaders.profile.load({ integrationId, version: each })),
    );
    return before && after ? profileDiff(before, after) : [];
  }

  @FieldResolver(() => [SubmittedItemType], {
    description: 'The checklist, with the owner’s statements and the reviewers’ findings.',
    complexity: severalOf,
  })
  async checklist(@Root() submission: ReviewSubmission, @Ctx() context: PortalContext): Promise<SubmittedItemType[]> {
    const hidden = isOwn(submission, context) && isOpen(submission);
    const verdicts = hidden ? [] : await context.loaders.reviewVerdicts.load(submission.id);
    return itemsOf({ ...submission, verdicts }).map((item) => {
      const confirmation = submission.statement.find((known) => known.item === item);
      return {
        item,
        ...reviewChecklist[item],
        confirmed: confirmation !== undefined,
        word: confirmation?.word ?? null,
        verdict: verdicts.find((verdict) => verdict.item === item) ?? null,
      };
    });
  }

  @FieldResolver(() => [ReviewMessageType], { description: 'Questions and answers, oldest first; at most 100.', complexity: severalOf })
  async messages(@Root() { id }: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<ReviewMessageType[]> {
    return (await loaders.reviewMessages.load(id)).map((message) => ({ ...message, id: String(message.id) }));
  }

  @FieldResolver(() => [SubmissionType], {
    description: 'Earlier submissions of the integration, the latest first; at most 20.',
    complexity: earlierSubmissionsOf,
  })
  earlierSubmissions(@Root() submission: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<readonly ReviewSubmission[]> {
    return loaders.earlierSubmissions.load(submission);
  }

  @FieldResolver(() => [EvidenceType], {
    description: 'What the service has seen the sandbox client do so far: every kind, whether seen yet or not.',
    complexity: severalOf,
  })
  evidence(@Root() { integrationId }: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<Evidence[]> {
    return loaders.evidence.load(integrationId);
  }

  @FieldResolver(() => [BusinessModelReportType], { description: 'Newest first, at most 100.', complexity: severalOf })
  businessModelReports(@Root() { integrationId }: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<BusinessModelReportType[]> {
    return loaders.businessModelReports.load(integrationId);
  }

  @FieldResolver(() => [CommercialAgreementType], {
    description: 'Newest first, at most 100, including ended and withdrawn ones.',
    complexity: severalOf,
  })
  commercialAgreements(@Root() { integrationId }: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<CommercialAgreementType[]> {
    return loaders.commercialAgreements.load(integrationId);
  }

  @FieldResolver(() => Boolean, { description: 'Whether a reviewer is assigned.' })
  taken(@Root() { reviewerId }: ReviewSubmission): boolean {
    return reviewerId !== null;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether its owner withdrew it. Otherwise, a withdrawn submission ended because its integration was retired.',
  })
  withdrawnByOwner(@Root() submission: ReviewSubmission): boolean {
    return isWithdrawnByOwner(submission);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the viewer is the assigned reviewer.' })
  mine(@Root() { reviewerId }: ReviewSubmission, @Ctx() context: PortalContext): boolean {
    return reviewerId === actorOf(context).operatorId;
  }

  @FieldResolver(() => String, { nullable: true, description: 'For reviewers: the address of the assigned reviewer.' })
  async reviewer(@Root() submission: ReviewSubmission, @Ctx() context: PortalContext): Promise<string | null> {
    if (submission.reviewerId == null || isOwn(submission, context)) return null;
    return context.loaders.reviewerEmail.load(submission.reviewerId);
  }
}

function isOwn({ operatorId }: Pick<Integration | ReviewSubmission, 'operatorId'>, context: PortalContext): boolean {
  return operatorId === actorOf(context).operatorId;
}

import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { BusinessModelReport } from '../../domain/agreement/BusinessModelReport.ts';
import { businessModelReports } from '../../domain/agreement/businessModelReports.ts';
import type { IntegrationStatus } from '../../domain/integration/integrationStatus.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { IntegrationStatusEnum } from '../integration/integrationTypes.ts';
import { reviewerSearch } from '../review/reviewerSearch.ts';
import { CommercialAgreementType, ListedReportType, ReportConnectionType } from './agreementTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

/** All reports of a change of business model, as reviewers read them. */
@Resolver(() => ListedReportType)
export class ReportResolver {
  @Query(() => ReportConnectionType, {
    description: 'For reviewers: what other operators have reported about their business models, newest first.',
  })
  async businessModelReports(
    @Arg('search', () => String, { nullable: true, description: reviewerSearch }) search: string | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<ReportConnectionType> {
    const asked = { actor: actorOf(context), search: search ?? null, first, after };
    return businessModelReports(context.em, asked);
  }

  @FieldResolver(() => String)
  async slug(@Root() { integrationId }: BusinessModelReport, @Ctx() { loaders }: PortalContext): Promise<string> {
    return (await loaders.integration.load(integrationId)).slug;
  }

  @FieldResolver(() => IntegrationStatusEnum)
  async status(@Root() { integrationId }: BusinessModelReport, @Ctx() { loaders }: PortalContext): Promise<IntegrationStatus> {
    return (await loaders.integration.load(integrationId)).status;
  }

  @FieldResolver(() => String, { description: 'From the current profile.' })
  async publicName(@Root() { integrationId }: BusinessModelReport, @Ctx() { loaders }: PortalContext): Promise<string> {
    const { profileVersion: version } = await loaders.integration.load(integrationId);
    return (await loaders.profile.load({ integrationId, version })).publicName;
  }

  @FieldResolver(() => [CommercialAgreementType], {
    description: 'The integration’s agreements, newest first, at most 100, including ended and withdrawn ones.',
    complexity: severalOf,
  })
  commercialAgreements(
    @Root() { integrationId }: BusinessModelReport,
    @Ctx() { loaders }: PortalContext,
  ): Promise<CommercialAgreementType[]> {
    return loaders.commercialAgreements.load(integrationId);
  }
}

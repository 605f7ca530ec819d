import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { agreementState, type AgreementState, type CommercialAgreement } from '../../domain/agreement/CommercialAgreement.ts';
import { recordCommercialAgreement } from '../../domain/agreement/recordCommercialAgreement.ts';
import { reportBusinessModelChange } from '../../domain/agreement/reportBusinessModelChange.ts';
import { withdrawCommercialAgreement } from '../../domain/agreement/withdrawCommercialAgreement.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { IntegrationType } from '../integration/integrationTypes.ts';
import {
  AgreementStateEnum,
  BusinessModelReportType,
  CommercialAgreementType,
  RecordCommercialAgreementInput,
  ReportBusinessModelChangeInput,
  WithdrawCommercialAgreementInput,
} from './agreementTypes.ts';

@Resolver(() => IntegrationType)
export class AgreementResolver {
  @FieldResolver(() => [BusinessModelReportType], { description: 'Newest first, at most 100.', complexity: severalOf })
  businessModelReports(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<BusinessModelReportType[]> {
    return loaders.businessModelReports.load(id);
  }

  @FieldResolver(() => [CommercialAgreementType], {
    description: 'Newest first, at most 100, including ended and withdrawn ones.',
    complexity: severalOf,
  })
  commercialAgreements(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<CommercialAgreementType[]> {
    return loaders.commercialAgreements.load(id);
  }

  @Mutation(() => BusinessModelReportType, {
    description: 'Reports that the business model of the viewer’s integration is about to change.',
  })
  reportBusinessModelChange(
    @Arg('input', () => ReportBusinessModelChangeInput) input: ReportBusinessModelChangeInput,
    @Ctx() context: PortalContext,
  ): Promise<BusinessModelReportType> {
    return reportBusinessModelChange(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => CommercialAgreementType, { description: 'For administrators: records a written agreement for an integration.' })
  recordCommercialAgreement(
    @Arg('input', () => RecordCommercialAgreementInput) input: RecordCommercialAgreementInput,
    @Ctx() context: PortalContext,
  ): Promise<CommercialAgreementType> {
    return recordCommercialAgreement(context.em, { actor: actorOf(context), input, now: context.clock.now() });
  }

  @Mutation(() => CommercialAgreementType, { description: 'For administrators: withdraws an agreement, with a reason.' })
  withdrawCommercialAgreement(
    @Arg('input', () => WithdrawCommercialAgreementInput) input: WithdrawCommercialAgreementInput,
    @Ctx() context: PortalContext,
  ): Promise<CommercialAgreementType> {
    return withdrawCommercialAgreement(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}

@Resolver(() => CommercialAgreementType)
export class CommercialAgreementResolver {
  @FieldResolver(() => AgreementStateEnum, { description: 'The state as of today, in UTC.' })
  state(@Root() agreement: CommercialAgreement, @Ctx() { clock }: PortalContext): AgreementState {
    return agreementState(agreement, clock.now());
  }
}

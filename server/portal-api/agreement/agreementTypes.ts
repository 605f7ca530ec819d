import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { agreementStates } from '../../domain/agreement/CommercialAgreement.ts';
import { enumType } from '../enumType.ts';
import { connectionOf } from '../connection.ts';

export const AgreementStateEnum = enumType('AgreementState', agreementStates);

@ObjectType('BusinessModelReport', { description: 'The owner’s notice that the business model is going to change.' })
export class BusinessModelReportType {
  @Field(() => ID)
  id!: string;
  @Field(() => String)
  description!: string;
  @Field(() => Date)
  reportedAt!: Date;
}

@ObjectType('ListedBusinessModelReport', { description: 'A report with the integration that it is about.' })
export class ListedReportType extends BusinessModelReportType {}

@ObjectType('BusinessModelReportConnection')
export class ReportConnectionType extends connectionOf('BusinessModelReport', () => ListedReportType) {}

@ObjectType('CommercialAgreement', { description: 'The record of a written agreement beyond the standard, non-commercial licence.' })
export class CommercialAgreementType {
  @Field(() => ID)
  id!: string;
  @Field(() => String)
  reference!: string;
  @Field(() => String)
  summary!: string;
  @Field(() => String, { description: 'The first day, YYYY-MM-DD.' })
  validFrom!: string;
  @Field(() => String, { nullable: true, description: 'The last day; null if it is valid until it is withdrawn.' })
  validUntil?: string | null;
  @Field(() => Date)
  recordedAt!: Date;
  @Field(() => Date, { nullable: true })
  withdrawnAt?: Date | null;
  @Field(() => String, { nullable: true })
  withdrawalReason?: string | null;
}

@InputType()
export class ReportBusinessModelChangeInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => String, { description: 'What is going to change and when, in 1 to 2,000 characters. Reviewers and administrators see it.' })
  description!: string;
}

@InputType()
export class RecordCommercialAgreementInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => String, { description: 'Where the written agreement is filed, in 1 to 120 characters.' })
  reference!: string;
  @Field(() => String, { description: 'What it allows, in 1 to 2,000 characters; the owner sees it.' })
  summary!: string;
  @Field(() => String, { description: 'The first day, YYYY-MM-DD.' })
  validFrom!: string;
  @Field(() => String, { nullable: true, description: 'The last day; if omitted, it is valid until it is withdrawn.' })
  validUntil?: string | null;
}

@InputType()
export class WithdrawCommercialAgreementInput {
  @Field(() => ID)
  agreementId!: string;
  @Field(() => String, { description: '1 to 500 characters; the owner sees it.' })
  reason!: string;
}
